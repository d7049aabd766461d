package objects

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
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
		return nil, fmt.Errorf("the settings of S3: %w", err)
	}
	if settings.Region == "" {
		settings.Region = defaultRegion
	}
	s := &Store{endpoint: o.Endpoint}
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
	if s.cache, err = openCache(o.Dir, o.Limit); err != nil {
		return nil, err
	}
	if location == "" {
		return s, nil
	}
	return s, s.check(ctx, settings, location)
}

// check asks for credentials and for the bucket.
func (s *Store) check(ctx context.Context, settings aws.Config, location string) error {
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
func (s *Store) explain(location string, err error) error {
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
