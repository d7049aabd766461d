package taxi

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// zone is one row of the lookup.
type zone struct {
	id                     int
	borough, name, service string
}

var zoneHeader = []string{"LocationID", "Borough", "Zone", "service_zone"}

// cityZones lays out as many zones per borough as the city has; the names say the borough and the number.
func cityZones() []zone {
	layout := []struct {
		borough string
		zones   int
	}{{"EWR", 1}, {"Queens", 69}, {"Bronx", 43}, {"Manhattan", 69}, {"Staten Island", 20}, {"Brooklyn", 61}, {"Unknown", 1}, {"N/A", 1}}
	var out []zone
	for _, l := range layout {
		for range l.zones {
			id := len(out) + 1
			z := zone{id, l.borough, fmt.Sprintf("%s Zone %03d", l.borough, id), "Boro Zone"}
			switch {
			case l.borough == "EWR":
				z.name, z.service = "Newark Airport", "EWR"
			case l.borough == "Manhattan":
				z.service = "Yellow Zone"
			case id == 2:
				z.name, z.service = "JFK Airport", "Airports"
			case id == 3:
				z.name, z.service = "LaGuardia Airport", "Airports"
			case l.borough == "Unknown":
				z.name, z.service = "N/A", "N/A"
			case l.borough == "N/A":
				z.name, z.service = "Outside of NYC", "N/A"
			}
			out = append(out, z)
		}
	}
	return out
}

func writeZones(path string, zones []zone) error {
	return replaceFile(path, func(w io.Writer) error {
		c := csv.NewWriter(w)
		rows := [][]string{zoneHeader}
		for _, z := range zones {
			rows = append(rows, []string{strconv.Itoa(z.id), z.borough, z.name, z.service})
		}
		return c.WriteAll(rows)
	})
}
