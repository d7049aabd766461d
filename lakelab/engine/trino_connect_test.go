package engine_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
	"mini-lakehouse-lab/lakelab/internal/certificate"
)

// TestTrinoConnect follows what Door.Connect (lakelab serve) tells people, to the letter, with the clients that it names: the command-line
// client, the JDBC driver, as DBeaver has it, and Python. A door with passwords lets nobody in by a wrong password, without one,
// or without its certificate.
func TestTrinoConnect(t *testing.T) {
	clients := trinoClients(t)
	for name, secure := range map[string]bool{"plain": false, "secure": true} {
		t.Run(name, func(t *testing.T) {
			text := openDoorSaying(t, secure)
			t.Log(text)
			said := map[string]string{}
			for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
				if client, how, ok := strings.Cut(strings.TrimSpace(lines.Text()), "  "); ok {
					said[client] = strings.TrimSpace(how)
				}
			}
			for client, run := range map[string]func(how, password string) *exec.Cmd{
				"trino-cli": clients.followCLI, "DBeaver": clients.followJDBC, "Python": clients.followPython,
			} {
				how := said[client]
				if how == "" {
					t.Fatalf("nothing is said about %s", client)
				}
				try := func(password, how string) (string, error) {
					c := run(strings.ReplaceAll(how, "NAME", "alice"), password)
					out, err := c.CombinedOutput()
					return string(out), err
				}
				password := ""
				if secure {
					password = "open sesame"
				}
				if out, err := try(password, how); err != nil || !strings.Contains(out, "alice in lakehouse") {
					t.Errorf("%s: %v\n%s", client, err, out)
				}
				if !secure {
					continue
				}
				for wrong, want := range map[string]string{"open": `(?i)401|invalid credentials|authentication`, "": `(?i)401|password|unauthorized|authentication`} {
					if out, err := try(wrong, how); strings.Contains(out, "alice in lakehouse") || !regexp.MustCompile(want).MatchString(out) {
						t.Errorf("%s, password %q: %v\n%s", client, wrong, err, out)
					}
				}
				if out, err := try(password, untrusting(how)); strings.Contains(out, "alice in lakehouse") || !regexp.MustCompile(`(?i)certificat|PKIX|SSL`).MatchString(out) {
					t.Errorf("%s without the certificate: %v\n%s", client, err, out)
				}
			}
		})
	}
}

// whoAmI is what the clients ask.
const whoAmI = "SELECT current_user || ' in ' || current_catalog"

// untrusting takes the door's certificate out of what Connect said.
func untrusting(how string) string {
	for _, with := range []string{` --truststore-path \S+`, `&SSLTrustStorePath=[^&; ]+`, `, verify="[^"]*"`} {
		how = regexp.MustCompile(with).ReplaceAllString(how, "")
	}
	return how
}

// openDoorSaying opens a door, for the user alice with the password "open sesame" if it is secure, and returns what it says about coming to it.
func openDoorSaying(t *testing.T, secure bool) string {
	t.Helper()
	dir := t.TempDir()
	var s trinodoor.Security
	if secure {
		hash, err := bcrypt.GenerateFromPassword([]byte("open sesame"), 10)
		if err != nil {
			t.Fatal(err)
		}
		s.Passwords = filepath.Join(dir, "passwords")
		if err := os.WriteFile(s.Passwords, []byte("alice:"+string(hash)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if s.Certificate, s.Key, err = certificate.Write(dir); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.Open(t.Context(), filepath.Join(dir, "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	address := "127.0.0.1:0"
	if secure {
		if d, err := trinodoor.Listen("0.0.0.0:0", e.Trino()); err == nil {
			t.Error("a door without passwords listens everywhere")
			d.Close()
		}
		address = "0.0.0.0:0"
	}
	d, err := trinodoor.ListenSecurely(address, e.Trino(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(d.Close(), e.Close()); err != nil {
			t.Error(err)
		}
	})
	return d.Connect()
}

// followCLI types the command; trino-cli takes the password from TRINO_PASSWORD in place of asking for it.
func (c clientPrograms) followCLI(how, password string) *exec.Cmd {
	words := append(strings.Fields(how), "--execute", whoAmI)
	cmd := exec.Command("java", append([]string{"-jar", c.cliJar}, words[1:]...)...) // the first word is the command's name
	cmd.Env = append(os.Environ(), "TRINO_PASSWORD="+password)
	return cmd
}

// followJDBC gives the driver the URL, the user's name and his password, as DBeaver does with its form.
func (c clientPrograms) followJDBC(how, password string) *exec.Cmd {
	return exec.Command("java", "-cp", c.jdbc, clientData+"Client.java", "connect", regexp.MustCompile(`jdbc:[^ ;]+`).FindString(how), "alice", password, whoAmI)
}

// followPython evaluates the expression. Python's HTTP library would prefer certificates that the environment names to those of its caller.
func (c clientPrograms) followPython(how, password string) *exec.Cmd {
	cmd := exec.Command(c.python, clientData+"client.py", "connect", strings.ReplaceAll(how, "…", password), whoAmI)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.Contains(v, "_CA_BUNDLE=") })
	return cmd
}
