package main

import (
	"errors"
	"os"
	"strings"
)

// document is where results are kept: a section for each peer, which a run with that peer writes anew.
const document = "lakelab/internal/interop/interop.md"

// peers are all there are, in the order of the sections.
var peers = []string{"Spark", "Trino", "PyIceberg", "Notebooks"}

const heading = `# Interoperability

Spark 4.0.1 with Iceberg 1.10.1, Trino 476 and PyIceberg 0.12 on the same tables as this engine, over the same catalog. "Spark reads" means: this
engine wrote, and Spark and this engine read the same rows and describe the table in the same way (columns and types, partition fields, snapshots
with operations and row counts, refs, data and delete files with their rows); "Spark writes" the other way round. Made by ` + "`make test-interop`" + `, a section by ` + "`make test-interop INTEROP=\"-peers Spark\"`" + `;
the scenarios are in scenarios.go.
`

// save writes the sections of a run into the document; the others stay.
func save(results map[string]string) error {
	b, err := os.ReadFile(document)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	old := map[string]string{}
	for _, section := range strings.Split(string(b), "\n## ")[1:] {
		name, text, _ := strings.Cut(section, "\n\n")
		old[name] = strings.TrimRight(text, "\n") + "\n"
	}
	text := heading
	for _, p := range peers {
		section, ok := results[p]
		if !ok {
			section, ok = old[p], old[p] != ""
		}
		if ok {
			text += "\n## " + p + "\n\n" + section
		}
	}
	return os.WriteFile(document, []byte(text), 0o644)
}
