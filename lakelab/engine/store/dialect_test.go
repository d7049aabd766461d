package store

import "testing"

func TestRedacted(t *testing.T) {
	for uri, want := range map[string]string{
		"postgresql://u:p@h/d":                               "postgresql://u:xxxxx@h/d",
		"jdbc:postgresql://h/d?user=u&password=p":            "jdbc:postgresql://h/d?password=xxxxx&user=u",
		"postgresql://u@h/d?sslmode=require&sslpassword=s3c": "postgresql://u@h/d?sslmode=require&sslpassword=xxxxx",
		"sqlite:/a/b": "sqlite:/a/b",
	} {
		if got := Redacted(uri); got != want {
			t.Errorf("%s: %s, want %s", uri, got, want)
		}
	}
}
