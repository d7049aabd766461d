package services

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"sort"
	"strconv"
	"syscall"
	"time"
)

// Postgres is a running PostgreSQL with an empty database.
type Postgres struct {
	Port     int
	User     string
	Password string
	Database string
	process  *Process
	dir      string
}

// StartPostgres makes a private cluster in a temporary folder and starts it. ErrMissing.
func StartPostgres(ctx context.Context) (*Postgres, error) {
	bin, err := postgresBin()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "lakelab-pg-")
	if err != nil {
		return nil, err
	}
	p := &Postgres{User: "lab", Password: "lab-secret", Database: "iceberg", dir: dir}
	if err := p.start(ctx, bin); err != nil {
		p.Stop()
		return nil, err
	}
	return p, nil
}

// start makes the cluster and the database, and waits until it answers.
func (p *Postgres) start(ctx context.Context, bin string) error {
	as, err := unprivileged(p.dir)
	if err != nil {
		return err
	}
	password := filepath.Join(p.dir, "password")
	if err := os.WriteFile(password, []byte(p.Password+"\n"), 0o644); err != nil {
		return err
	}
	data := filepath.Join(p.dir, "data")
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "initdb"), "-D", data, "-A", "scram-sha-256", "-U", p.User, "--pwfile", password, "-E", "UTF8", "--locale", "C")
	cmd.Dir, cmd.SysProcAttr = p.dir, as
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	if p.Port, err = FreePort(); err != nil {
		return err
	}
	server := exec.Command(filepath.Join(bin, "postgres"), "-D", data, "-p", strconv.Itoa(p.Port), "-h", "127.0.0.1", "-k", p.dir)
	server.Dir, server.SysProcAttr = p.dir, as
	if p.process, err = Start(server, filepath.Join(p.dir, "log")); err != nil {
		return err
	}
	return p.process.Wait(ctx, time.Minute, func(ctx context.Context) error {
		create := exec.CommandContext(ctx, filepath.Join(bin, "createdb"), "-h", "127.0.0.1", "-p", strconv.Itoa(p.Port), "-U", p.User, "-w", p.Database)
		create.Env = append(os.Environ(), "PGPASSWORD="+p.Password)
		out, err := create.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("createdb: %w: %s", err, out)
		}
		return err
	})
}

// URI is the database's, with or without the password.
func (p *Postgres) URI(password bool) string {
	u := url.URL{Scheme: "postgresql", User: url.User(p.User), Host: fmt.Sprintf("127.0.0.1:%d", p.Port), Path: "/" + p.Database}
	if password {
		u.User = url.UserPassword(p.User, p.Password)
	}
	return u.String()
}

// Stop ends the server and removes its cluster.
func (p *Postgres) Stop() {
	if p.process != nil {
		p.process.Stop(syscall.SIGINT) // the "fast" shutdown
	}
	os.RemoveAll(p.dir)
}

// postgresBin finds the folder of the newest installed PostgreSQL's programs.
func postgresBin() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	sort.Strings(found)
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	return "", fmt.Errorf("PostgreSQL (Debian: apt-get install postgresql): %w", ErrMissing)
}

// unprivileged lets a command run as somebody who is not root, as PostgreSQL wants, and own a folder.
func unprivileged(dir string) (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return &syscall.SysProcAttr{}, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	if err := os.Chown(dir, int(uid), int(gid)); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}
