package taxi

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// zone is one row of the lookup.
type zone struct {
	id                     int
	borough, name, service string
}

var zoneHeader = []string{"LocationID", "Borough", "Zone", "service_zone"}

// zonesCSV is the lookup as TLC has it: its 263 zones of the city and Newark Airport, and two ids for "not known" and
// "out of town".
//
//go:embed zones.csv
var zonesCSV string

// cityZones are the rows of zonesCSV; the zone with LocationID n is the one at n-1.
func cityZones() ([]zone, error) { return readZones(strings.NewReader(zonesCSV)) }

// readZones reads a lookup with TLC's columns, in any order and under their older names too.
func readZones(r io.Reader) ([]zone, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("the file is empty")
	}
	at, missing, _ := match(zoneHeader, rows[0])
	if len(missing) > 0 {
		return nil, fmt.Errorf("this is not TLC's zone lookup: it has no column %s (its columns: %s)", strings.Join(missing, ", "), strings.Join(rows[0], ", "))
	}
	var zones []zone
	for i, row := range rows[1:] {
		id, err := strconv.Atoi(row[at[0]])
		if err != nil {
			return nil, fmt.Errorf("row %d: LocationID: %w", i+1, err)
		}
		zones = append(zones, zone{id, row[at[1]], row[at[2]], row[at[3]]})
	}
	return zones, nil
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
