package services

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// S3 is a running S3 server with one empty bucket.
type S3 struct {
	Endpoint  string
	Bucket    string
	AccessKey string
	SecretKey string
	Region    string
	process   *Process
	dir       string
}

// gateway is the S3 server's program, a module that Go fetches and builds.
const gateway = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"

// StartS3 starts a server that keeps its objects in a temporary folder.
func StartS3(ctx context.Context) (*S3, error) {
	bin, err := Cached("versitygw", func(dir string) error {
		build := exec.CommandContext(ctx, "go", "install", gateway)
		build.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
		out, err := build.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("go install %s: %w: %s", gateway, err, out)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "lakelab-s3-")
	if err != nil {
		return nil, err
	}
	s := &S3{Bucket: "warehouse", AccessKey: "lab", SecretKey: "lab-secret-key", Region: "us-east-1", dir: dir}
	if err := s.start(ctx, filepath.Join(bin, "versitygw")); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *S3) start(ctx context.Context, bin string) error {
	root, aside := filepath.Join(s.dir, "objects"), filepath.Join(s.dir, "attributes")
	for _, d := range []string{filepath.Join(root, s.Bucket), aside} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	port, err := FreePort()
	if err != nil {
		return err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	s.Endpoint = "http://" + address
	cmd := exec.Command(bin, "--port", address, "--region", s.Region, "posix", "--sidecar", aside, root)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+s.AccessKey, "ROOT_SECRET_KEY="+s.SecretKey)
	if s.process, err = Start(cmd, filepath.Join(s.dir, "log")); err != nil {
		return err
	}
	return s.process.Wait(ctx, time.Minute, func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Endpoint, nil)
		if err != nil {
			return err
		}
		answer, err := http.DefaultClient.Do(r) // any answer will do: without a signature it is a refusal
		if err == nil {
			answer.Body.Close()
		}
		return err
	})
}

// Stop ends the server and removes its objects.
func (s *S3) Stop() {
	if s.process != nil {
		s.process.Stop(syscall.SIGTERM)
	}
	os.RemoveAll(s.dir)
}

// Path is the file in which the server keeps an object of the bucket.
func (s *S3) Path(key string) string { return filepath.Join(s.dir, "objects", s.Bucket, key) }
