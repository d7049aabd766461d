// Package objects keeps the files of S3 buckets at hand as local files: whoever wants to read one fetches it, whoever has written one
// puts it. Lakehouse files never change once they are written, so a fetched file stays, up to a size limit, for the next reader.
//
// Package lake is the only caller. It speaks of locations (s3://bucket/key; s3a and s3n are the same) and gets paths; DuckDB reads and
// writes those.
package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// Store is a connection to an S3 service with a cache folder; for the objects below some prefixes it may be another one (Grant). It is safe for
// concurrent use.
type Store struct {
	cache *cache
	usual *access

	mu      sync.Mutex
	granted map[string]*access // by prefix
}

// access is a connection to an S3 service.
type access struct {
	options  Options
	client   *s3.Client
	transfer *transfermanager.Client
	endpoint string // for messages
}

// Remote reports whether a location is an object's.
func Remote(location string) bool {
	scheme, _, ok := strings.Cut(location, "://")
	return ok && (scheme == "s3" || scheme == "s3a" || scheme == "s3n")
}

// Canonical is a location with the scheme s3.
func Canonical(location string) string {
	_, rest, _ := strings.Cut(location, "://")
	return "s3://" + rest
}

// Check refuses a location that carries credentials, without showing it.
func Check(location string) error {
	if bucket, _ := split(location); strings.Contains(location, "@") && strings.ContainsAny(bucket, ":@") || bucket == "" {
		return errors.New("a location is s3://bucket/key; credentials do not stand in it, they are s3.access-key-id and s3.secret-access-key of the lakehouse")
	}
	return nil
}

// split takes a location apart.
func split(location string) (bucket, key string) {
	_, rest, _ := strings.Cut(location, "://")
	bucket, key, _ = strings.Cut(rest, "/")
	return bucket, key
}

// Dir is the folder below which every object has its path: bucket and key, as Escaped writes them.
func (s *Store) Dir() string { return s.cache.dir }

// Path is where an object's file is, or would be if it were fetched.
func (s *Store) Path(location string) string {
	_, rest, _ := strings.Cut(location, "://")
	return s.cache.dir + "/" + escape(rest)
}

// Location is the object whose file is at a path.
func (s *Store) Location(path string) string {
	return "s3://" + unescape(strings.TrimPrefix(path, s.cache.dir+"/"))
}

// A key may have empty parts, which a path has not; they are written as a percent sign. `.` and `..` must not lead out of the folder.

func escape(key string) string {
	parts := strings.Split(strings.ReplaceAll(key, "%", "%25"), "/")
	for i, p := range parts {
		switch p {
		case "":
			parts[i] = "%"
		case ".", "..":
			parts[i] = strings.ReplaceAll(p, ".", "%2E")
		}
	}
	return strings.Join(parts, "/")
}

func unescape(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if p == "%" {
			parts[i] = ""
			continue
		}
		parts[i] = strings.NewReplacer("%25", "%", "%2E", ".").Replace(p)
	}
	return strings.Join(parts, "/")
}

// Fetch makes an object's file and returns its path. fs.ErrNotExist if there is no such object.
func (s *Store) Fetch(ctx context.Context, location string) (string, error) {
	path := s.Path(location)
	return path, s.cache.fetch(ctx, path, func(to io.Writer) error {
		bucket, key := split(location)
		a := s.at(location)
		o, err := a.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &bucket, Key: &key})
		if err != nil {
			return a.explain(location, err)
		}
		defer o.Body.Close()
		n, err := io.Copy(to, o.Body)
		if err == nil && o.ContentLength != nil && n != *o.ContentLength {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			err = fmt.Errorf("read %s: %w", location, err)
		}
		return err
	})
}

// Put makes an object of the file that is at its path. The file stays.
func (s *Store) Put(ctx context.Context, location string) error {
	path := s.Path(location)
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil { // a later process trusts what is there under the name
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	bucket, key := split(location)
	a := s.at(location)
	if _, err := a.transfer.UploadObject(ctx, &transfermanager.UploadObjectInput{Bucket: &bucket, Key: &key, Body: f}); err != nil {
		return a.explain(location, err)
	}
	s.cache.added(path, info.Size())
	return nil
}

// Forget deletes an object's file, so that the next Fetch sees a change.
func (s *Store) Forget(location string) { s.cache.forget(s.Path(location)) }

// deleteBatch is how many objects one request deletes at most.
const deleteBatch = 1000

// Delete deletes objects and their files; an object that is not there is no error.
func (s *Store) Delete(ctx context.Context, locations []string) error {
	type place struct {
		access *access
		bucket string
	}
	byBucket := map[place][]types.ObjectIdentifier{}
	for _, l := range locations {
		s.cache.forget(s.Path(l))
		bucket, key := split(l)
		at := place{s.at(l), bucket}
		byBucket[at] = append(byBucket[at], types.ObjectIdentifier{Key: &key})
	}
	var errs []error
	for at, ids := range byBucket {
		bucket := at.bucket
		for batch := range slices.Chunk(ids, deleteBatch) {
			out, err := at.access.client.DeleteObjects(ctx, &s3.DeleteObjectsInput{Bucket: &bucket, Delete: &types.Delete{Objects: batch, Quiet: aws.Bool(true)}})
			if err != nil {
				errs = append(errs, at.access.explain("s3://"+bucket, err))
				continue
			}
			for _, e := range out.Errors {
				errs = append(errs, fmt.Errorf("delete s3://%s/%s: %s", bucket, aws.ToString(e.Key), aws.ToString(e.Message)))
			}
		}
	}
	return errors.Join(errs...)
}

// List visits every object whose location begins with a prefix, with its time.
func (s *Store) List(ctx context.Context, prefix string, visit func(location string, modified time.Time)) error {
	bucket, key := split(prefix)
	a := s.at(prefix)
	pages := s3.NewListObjectsV2Paginator(a.client, &s3.ListObjectsV2Input{Bucket: &bucket, Prefix: &key})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return a.explain(prefix, err)
		}
		for _, o := range page.Contents {
			visit("s3://"+bucket+"/"+aws.ToString(o.Key), aws.ToTime(o.LastModified))
		}
	}
	return nil
}

// Any reports whether there is an object whose location begins with a prefix.
func (s *Store) Any(ctx context.Context, prefix string) (bool, error) {
	bucket, key := split(prefix)
	a := s.at(prefix)
	page, err := a.client.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: &bucket, Prefix: &key, MaxKeys: aws.Int32(1)})
	if err != nil {
		return false, a.explain(prefix, err)
	}
	return len(page.Contents) > 0, nil
}

// Begin says that work begins which reads files: what is fetched from now on stays until end is called.
func (s *Store) Begin() (end func()) { return s.cache.begin() }

// removeLeftovers deletes what interrupted downloads left.
func removeLeftovers(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasPrefix(d.Name(), partial) {
			os.Remove(path)
		}
		return nil
	})
}
