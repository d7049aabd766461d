// Package duckpath writes paths for DuckDB's readers, which take what they are given for a glob pattern: a file in a folder a*, or named
// b[1].parquet, would be another file, or several.
package duckpath

import "strings"

// Quote quotes a path for DuckDB such that its readers (read_parquet, parquet_schema, read_csv and so on) read that file and no other. The
// column filename shows the plain path. COPY TO, ATTACH and functions that are not readers take a path as it is.
func Quote(path string) string { return "'" + strings.ReplaceAll(literal(path), "'", "''") + "'" }

// List is a DuckDB list of paths for a reader.
func List(paths []string) string {
	quoted := make([]string, len(paths))
	for i, p := range paths {
		quoted[i] = Quote(p)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// Plain is the path that a pattern of Quote's stands for, as DuckDB's errors show it.
func Plain(pattern string) string { return plain.Replace(pattern) }

var (
	brackets = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]", `\`, backslash)
	plain    = strings.NewReplacer("[*]", "*", "[?]", "?", "[[]", "[", backslash, `\`)
)

// backslash is a range of three characters with the backslash in the middle: in a pattern DuckDB would take the character itself for a slash.
const backslash = "[[-]]"

// literal is a pattern that only the path itself matches.
func literal(path string) string {
	if !strings.ContainsAny(path, "*?[") {
		return path // no pattern: a backslash is one
	}
	return brackets.Replace(path)
}

// Parquet are the files that a query reads with read_parquet, each once: paths that Quote and List wrote.
func Parquet(query string) []string {
	var out []string
	seen := map[string]bool{}
	for {
		_, rest, ok := strings.Cut(query, "read_parquet(")
		if !ok {
			return out
		}
		query = rest
		rest = strings.TrimPrefix(rest, "[")
		for strings.HasPrefix(rest, "'") {
			end := 1
			for end < len(rest) && (rest[end] != '\'' || strings.HasPrefix(rest[end:], "''")) {
				if rest[end] == '\'' {
					end++
				}
				end++
			}
			path := Plain(strings.ReplaceAll(rest[1:min(end, len(rest))], "''", "'"))
			if !seen[path] {
				seen[path] = true
				out = append(out, path)
			}
			rest = strings.TrimPrefix(rest[min(end+1, len(rest)):], ", ")
		}
	}
}
