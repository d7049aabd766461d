package lakelab

import (
	"os"
	"path/filepath"
)

// DataPath is the path of a file in the lakehouse's folder of raw data, where `lakelab data` puts the taxi trips; an
// empty name gives the folder. A file that is not there is a failure that says how to make it.
func DataPath(name string) string {
	path := filepath.Join(lakehouseDir(), "data", name)
	if _, err := os.Stat(path); err != nil {
		raise("FileNotFoundError", "Данные создаёт команда: bin/lakelab data --lakehouse "+lakehouseDir(), "файла %s нет", path)
	}
	return path
}
