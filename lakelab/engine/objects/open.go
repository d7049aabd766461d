package objects

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
)

// Options of Open. What is empty, AWS's own variables and files say: AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_PROFILE, ~/.aws.
type Options struct {
	Endpoint     string // of a service that is not Amazon's
	PathStyle    bool   // the bucket stands in the path, not in the host's name
	Region       string
	AccessKey    string
	SecretKey    string
	SessionToken string
	Dir          string // the cache's folder
	Limit        int64  // of the cache, in bytes
}

// defaultRegion is what services other than Amazon's expect.
const defaultRegion = "us-east-1"

// checkTime bounds the first question to the service.
const checkTime = 20 * time.Second

// Open connects to the service and looks whether it lets us into the bucket of a location, if one is given.
func Open(ctx context.Context, location string, o Options) (*Store, error) {
	if o.Limit <= 0 {
		return nil, fmt.Errorf("the cache of %s has no room: its limit is %d bytes", location, o.Limit)
	}
	a, settings, err := connect(ctx, o)
	if err != nil {
		return nil, err
	}
	s := &Store{usual: a}
	if s.cache, err = openCache(o.Dir, o.Limit); err != nil {
		return nil, err
	}
	if location == "" {
		return s, nil
	}
	return s, a.check(ctx, settings, location)
}

// Grant lets the store reach the objects below a prefix by other settings from now on; what they leave empty is as for all others.
func (s *Store) Grant(ctx context.Context, prefix string, o Options) error {
	prefix = strings.TrimRight(Canonical(prefix), "/") + "/"
	for _, f := range []struct{ own, usual *string }{{&o.Endpoint, &s.usual.options.Endpoint}, {&o.Region, &s.usual.options.Region}} {
		if *f.own == "" {
			*f.own = *f.usual
		}
	}
	if o.AccessKey == "" {
		o.AccessKey, o.SecretKey, o.SessionToken = s.usual.options.AccessKey, s.usual.options.SecretKey, s.usual.options.SessionToken
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.granted[prefix]; known != nil && known.options == o {
		return nil
	}
	a, _, err := connect(ctx, o)
	if err != nil {
		return err
	}
	if s.granted == nil {
		s.granted = map[string]*access{}
	}
	s.granted[prefix] = a
	return nil
}

// PathStyle reports whether buckets stand in paths where nothing else is said.
func (s *Store) PathStyle() bool { return s.usual.options.PathStyle }

// at is the access to a location's object: the one of the longest prefix.
func (s *Store) at(location string) *access {
	location = Canonical(location)
	s.mu.Lock()
	defer s.mu.Unlock()
	out, longest := s.usual, 0
	for prefix, a := range s.granted {
		if len(prefix) > longest && (strings.HasPrefix(location, prefix) || location+"/" == prefix) {
			out, longest = a, len(prefix)
		}
	}
	return out
}

// connect connects to a service.
func connect(ctx context.Context, o Options) (*access, aws.Config, error) {
	load := []func(*config.LoadOptions) error{
		config.WithRequestChecksumCalculation(aws.RequestChecksumCalculationWhenRequired), // what other services than Amazon's understand
		config.WithResponseChecksumValidation(aws.ResponseChecksumValidationWhenRequired),
	}
	if o.Region != "" {
		load = append(load, config.WithRegion(o.Region))
	}
	if o.AccessKey != "" {
		load = append(load, config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider(o.AccessKey, o.SecretKey, o.SessionToken)))
	}
	settings, err := config.LoadDefaultConfig(ctx, load...)
	if err != nil {
		return nil, settings, fmt.Errorf("the settings of S3: %w", err)
	}
	if settings.Region == "" {
		settings.Region = defaultRegion
	}
	s := &access{options: o, endpoint: o.Endpoint}
	if s.endpoint == "" {
		s.endpoint = "Amazon S3 or AWS_ENDPOINT_URL_S3"
	}
	s.client = s3.NewFromConfig(settings, func(c *s3.Options) {
		c.UsePathStyle = o.PathStyle
		if o.Endpoint != "" {
			c.BaseEndpoint = &o.Endpoint
		}
	})
	s.transfer = transfermanager.New(s.client, func(t *transfermanager.Options) {
		t.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
	})
	return s, settings, nil
}

// check asks for credentials and for the bucket.
func (s *access) check(ctx context.Context, settings aws.Config, location string) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	if _, err := settings.Credentials.Retrieve(ctx); err != nil {
		return fmt.Errorf("no credentials for %s: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile in ~/.aws (%w)", location, err)
	}
	bucket, prefix := split(location)
	// Unlike HEAD, a listing's refusal has a body that says why.
	_, err := s.client.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: &bucket, Prefix: &prefix, MaxKeys: aws.Int32(1)})
	return s.explain("s3://"+bucket, err)
}

// explain puts what went wrong with a location first; the service's own words follow. No error stays none.
func (s *access) explain(location string, err error) error {
	if err == nil {
		return nil
	}
	status, code := 0, ""
	if r, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		status = r.HTTPStatusCode()
	}
	if a, ok := errors.AsType[smithy.APIError](err); ok {
		code = a.ErrorCode()
	}
	bucket, _ := split(location)
	switch {
	case code == "InvalidAccessKeyId" || code == "SignatureDoesNotMatch" || code == "XAdminUserNotFound": // the last is versitygw's
		return fmt.Errorf("%s does not accept the credentials (%s): %w", s.endpoint, code, err)
	case code == "NoSuchBucket" || status == http.StatusNotFound && location == "s3://"+bucket:
		return fmt.Errorf("there is no bucket %s at %s: %w", bucket, s.endpoint, err)
	case status == http.StatusNotFound:
		return fmt.Errorf("%s: %w (%w)", location, fs.ErrNotExist, err)
	case status == http.StatusForbidden:
		return fmt.Errorf("the credentials do not allow access to %s at %s, or are wrong: %w", location, s.endpoint, err)
	case status == http.StatusMovedPermanently:
		return fmt.Errorf("the bucket %s is in another region, or %s wants path-style access: %w", bucket, s.endpoint, err)
	case status == 0:
		return fmt.Errorf("%s can't be reached for %s: %w", s.endpoint, location, err)
	}
	return fmt.Errorf("%s: %w", location, err)
}
