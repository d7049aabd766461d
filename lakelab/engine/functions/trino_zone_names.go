package functions

import (
	_ "embed"
	"strings"
	"sync"
	"time"
)

// trinoZoneNames are the names by which Trino 476, that is Java in English, calls zones: the short and the long one of standard time and of
// summer time, where a zone has that, then the zones. They are as format_datetime gave them for every second year since 1900.
//
//go:embed trino_zone_names.tsv
var trinoZoneNames string

// zoneName is a zone's names: short and long, in standard and in summer time.
type zoneName [4]string

var zoneNames = sync.OnceValue(func() map[string]zoneName {
	out := map[string]zoneName{}
	for line := range strings.Lines(trinoZoneNames) {
		names, zones, _ := strings.Cut(strings.TrimSpace(line), "\t")
		var n zoneName
		copy(n[:], strings.Split(names, "|"))
		for zone := range strings.FieldsSeq(zones) {
			out[zone] = n
		}
	}
	return out
})

// byOffset are zones whose summer time is Java's standard time, or the other way round: what is ahead of UTC is summer.
var byOffset = map[string]bool{"Africa/Casablanca": true, "Africa/El_Aaiun": true, "Europe/Dublin": true, "Eire": true}

// nameOfZone is what a time's zone is called; an offset has no name but itself.
func nameOfZone(t time.Time, zone string, long bool) string {
	n, ok := zoneNames()[zone]
	if !ok {
		return t.Format("-07:00")
	}
	summer := t.IsDST()
	if byOffset[zone] {
		_, ahead := t.Zone()
		summer = ahead > 0
	}
	i := 0
	if summer && n[2] != "" {
		i = 2
	}
	if long {
		i++
	}
	return n[i]
}
