package trinodoor

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf16"
)

// maxStatement bounds a statement's text in UTF-16 units, as Trino's query.max-length does.
const maxStatement = 1_000_000

// statementText is a request's statement and its length in UTF-16 units. Of one that is too long only the beginning is kept. What is
// no UTF-8 becomes U+FFFD, as in Java.
func statementText(r *http.Request) (text string, length int, err error) {
	latin, err := latinText(r.Header.Get("Content-Type"))
	if err != nil {
		return "", 0, err
	}
	in := bufio.NewReader(r.Body)
	next := func() (rune, error) {
		c, _, err := in.ReadRune()
		return c, err
	}
	if latin {
		next = func() (rune, error) {
			b, err := in.ReadByte()
			return rune(b), err
		}
	}
	var out strings.Builder
	for {
		c, err := next()
		if errors.Is(err, io.EOF) {
			return out.String(), length, nil
		}
		if err != nil {
			return "", 0, err
		}
		if length += utf16.RuneLen(c); length <= maxStatement {
			out.WriteRune(c)
		}
	}
}

// latinText reports whether a content type says that the text is in ISO 8859-1; without one it is in UTF-8.
func latinText(contentType string) (bool, error) {
	if contentType == "" {
		return false, nil
	}
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false, fmt.Errorf("the content type %q: %w", contentType, err)
	}
	switch charset := strings.ToLower(params["charset"]); charset {
	case "", "utf-8", "utf8", "us-ascii":
		return false, nil
	case "iso-8859-1", "latin1":
		return true, nil
	default:
		return false, fmt.Errorf("the charset %q", charset)
	}
}
