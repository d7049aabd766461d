package functions

import (
	"fmt"
	"strings"
	"time"
)

// dateFields and clockFields are the letters behind %t, for which Go has a layout, of dates and of times of day.
var (
	dateFields = map[byte]string{'B': "January", 'b': "Jan", 'h': "Jan", 'A': "Monday", 'a': "Mon", 'Y': "2006", 'y': "06", 'j': "002", 'm': "01", 'd': "02", 'e': "2", 'D': "01/02/06", 'F': "2006-01-02"}
	// Of a time of day.
	clockFields = map[byte]string{'H': "15", 'I': "03", 'l': "3", 'M': "04", 'S': "05", 'p': "pm", 'R': "15:04", 'T': "15:04:05", 'r': "03:04:05 PM"}
)

// javaTimeField is what %t and a letter write of a date, a timestamp or a time, of which the text is Java's; false if it has no such
// field, or if the letter is one of a time zone.
func javaTimeField(text string, letter byte) (string, bool) {
	date, clock, both := strings.Cut(text, "T")
	if !both && strings.Contains(text, ":") {
		date, clock = "", text
	}
	if end := strings.IndexAny(clock, "Z+-["); end >= 0 {
		clock = clock[:end]
	}
	layout := "15:04"
	if strings.Count(clock, ":") == 2 {
		layout = "15:04:05"
	}
	day, err := time.Parse("2006-01-02", date)
	at, err2 := time.Parse(layout, clock)
	switch {
	case dateFields[letter] != "" && err == nil:
		return day.Format(dateFields[letter]), true
	case letter == 'C' && err == nil:
		return fmt.Sprintf("%02d", day.Year()/100), true
	case err2 != nil:
		return "", false
	case clockFields[letter] != "":
		return at.Format(clockFields[letter]), true
	case letter == 'k':
		return fmt.Sprint(at.Hour()), true
	case letter == 'L':
		return fmt.Sprintf("%03d", at.Nanosecond()/1e6), true
	case letter == 'N':
		return fmt.Sprintf("%09d", at.Nanosecond()), true
	}
	return "", false
}
