package jupyter

import (
	"encoding/json"
	"fmt"
	"os"
)

// Connection is a connection file: where the five sockets are and how messages are signed.
type Connection struct {
	SignatureScheme string `json:"signature_scheme"`
	Transport       string `json:"transport"`
	IP              string `json:"ip"`
	ShellPort       int    `json:"shell_port"`
	ControlPort     int    `json:"control_port"`
	StdinPort       int    `json:"stdin_port"`
	IOPubPort       int    `json:"iopub_port"`
	HBPort          int    `json:"hb_port"`
	Key             string `json:"key"`
}

// ReadConnection reads the connection file that Jupyter wrote.
func ReadConnection(path string) (Connection, error) {
	var c Connection
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if c.SignatureScheme != "" && c.SignatureScheme != "hmac-sha256" {
		return c, fmt.Errorf("%s: signature scheme %q is not supported, only hmac-sha256", path, c.SignatureScheme)
	}
	return c, nil
}

// Write writes a connection file that only its owner can read: it holds the key.
func (c Connection) Write(path string) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// Endpoint is the ZeroMQ address of one of the ports.
func (c Connection) Endpoint(port int) string {
	switch c.Transport {
	case "ipc":
		return fmt.Sprintf("ipc://%s-%d", c.IP, port)
	default:
		return fmt.Sprintf("%s://%s:%d", c.Transport, c.IP, port)
	}
}
