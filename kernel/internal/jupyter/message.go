// Package jupyter holds what the kernel needs of Jupyter's wire protocol: connection files, signed messages and sockets
// that survive broken clients.
//
// In come ZeroMQ frames from a front end (nbclient, JupyterLab) or from GoNB; out go Messages with raw JSON parts, which
// can be passed on unchanged, and messages of our own, signed with the connection's key.
// Package proxy is the only caller.
package jupyter

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// ProtocolVersion is the version of the messaging protocol that is spoken.
const ProtocolVersion = "5.4"

const delimiter = "<IDS|MSG>"

// dateFormat has microseconds: with more digits Jupyter does not take it for a date.
const dateFormat = "2006-01-02T15:04:05.000000Z07:00"

// Header is the first part of a message.
type Header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
}

// Message is one message. Its parts stay as raw JSON, so that what is passed on is passed on unchanged.
type Message struct {
	Identities [][]byte
	Header     Header
	ParentID   string // msg_id of the parent header, "" if there is none
	Content    json.RawMessage

	header, parent, metadata json.RawMessage
	buffers                  [][]byte
}

// Parse reads the frames of a message and checks its signature.
func Parse(frames [][]byte, key []byte) (*Message, error) {
	at := -1
	for i, f := range frames {
		if string(f) == delimiter {
			at = i
			break
		}
	}
	if at < 0 || len(frames) < at+6 {
		return nil, errors.New("jupyter: message without its parts")
	}
	parts := frames[at+2 : at+6]
	if len(key) > 0 && !hmac.Equal([]byte(sign(key, parts)), frames[at+1]) {
		return nil, errors.New("jupyter: wrong signature")
	}
	m := &Message{Identities: frames[:at], header: parts[0], parent: parts[1], metadata: parts[2], Content: parts[3], buffers: frames[at+6:]}
	if err := json.Unmarshal(m.header, &m.Header); err != nil {
		return nil, fmt.Errorf("jupyter: header: %w", err)
	}
	var parent struct {
		ID string `json:"msg_id"`
	}
	if err := json.Unmarshal(m.parent, &parent); err != nil {
		return nil, fmt.Errorf("jupyter: parent header: %w", err)
	}
	m.ParentID = parent.ID
	return m, nil
}

// New makes a message of the given type that answers parent (nil: nothing).
func New(kind string, parent *Message, content any) *Message {
	m := &Message{metadata: json.RawMessage("{}"), parent: json.RawMessage("{}"), Content: marshal(content)}
	m.Header = Header{ID: NewID(), Username: "kernel", Date: time.Now().UTC().Format(dateFormat), Type: kind, Version: ProtocolVersion}
	if parent != nil {
		m.Identities = parent.Identities
		m.Header.Session = parent.Header.Session
		m.parent = parent.header
		m.ParentID = parent.Header.ID
	}
	m.header = marshal(m.Header)
	return m
}

// WithContent is the same message with another content.
func (m *Message) WithContent(content any) *Message {
	c := *m
	c.Content = marshal(content)
	return &c
}

// Frames are the message's frames, signed with key. routing replaces the identities.
func (m *Message) Frames(routing [][]byte, key []byte) [][]byte {
	parts := [][]byte{m.header, m.parent, m.metadata, m.Content}
	frames := append([][]byte{}, routing...)
	frames = append(frames, []byte(delimiter), []byte(sign(key, parts)))
	frames = append(frames, parts...)
	return append(frames, m.buffers...)
}

// Decode reads the content as a JSON object.
func (m *Message) Decode(into any) error { return json.Unmarshal(m.Content, into) }

// NewID is a random message or session id.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func sign(key []byte, parts [][]byte) string {
	if len(key) == 0 {
		return ""
	}
	mac := hmac.New(sha256.New, key)
	for _, p := range parts {
		mac.Write(p)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

func marshal(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // contents are our own maps and structs
	}
	return b
}
