package redact

import (
	"strings"
	"testing"
)

func TestURI(t *testing.T) {
	for uri, want := range map[string]string{
		"postgresql://u:p@h/d":                               "postgresql://u:xxxxx@h/d",
		"jdbc:postgresql://h/d?user=u&password=p":            "jdbc:postgresql://h/d?password=xxxxx&user=u",
		"postgresql://u@h/d?sslmode=require&sslpassword=s3c": "postgresql://u@h/d?sslmode=require&sslpassword=xxxxx",
		"sqlite:/a/b":   "sqlite:/a/b",
		"https://h:1/p": "https://h:1/p",
		"s3://bucket/a": "s3://bucket/a",
	} {
		if got := URI(uri); got != want {
			t.Errorf("%s: %s, want %s", uri, got, want)
		}
	}
	for _, uri := range []string{"https://u:HUSH@h?token=HUSH", "https://HUSH@h/p", "u:HUSH@x", "u@HUSH", "s3://key:HUSH@bucket/a", "s3://key:HU/HUSH@bucket",
		"postgresql://u:HU SH@h/HUSH", "postgresql://u:HUSH@h:x/d", "https://h/#HUSH", "https://h?HUSH=HUSH", "postgresql:u:HUSH@h", "postgresql://h/d?passfile=HUSH",
		"jdbc:u:HUSH@x", "%zzHUSH"} {
		if got := URI(uri); strings.Contains(strings.ReplaceAll(got, "HUSH=xxxxx", ""), "HUSH") {
			t.Errorf("%s: %s", uri, got)
		}
	}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"Path does not exist: file:/a/s3:/key:HUSH@bucket/x.": "Path does not exist: file:/a/s3:/key:xxxxx@bucket/x.",
		"get s3://key:HUSH@bucket":                            "get s3://key:xxxxx@bucket",
		"a@b 12:30 x@y":                                       "a@b 12:30 x@y",
	} {
		if got := Text(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
