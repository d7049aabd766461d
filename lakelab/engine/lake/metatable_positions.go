package lake

import (
	"context"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/types"
)

// PositionDeletes is the metadata table position_deletes, a row for each position that a delete file lists: its schema, and the DuckDB
// query that reads it.
func (t *Table) PositionDeletes(ctx context.Context, at *Snapshot) (types.Type, string, error) {
	c := newFileColumns(t)
	fields := []types.Field{
		{Name: "file_path", Type: types.Of(types.String), Comment: "Path of a file in which a deleted row is stored"},
		{Name: "pos", Type: types.Of(types.Long), Comment: "Ordinal position of a deleted row in the data file"},
		{Name: "row", Type: t.schema, Nullable: true, Comment: "Deleted row values"},
	}
	if len(c.partition) > 0 {
		partition := c.schema.Fields[4]
		partition.Comment = "Partition that position delete row belongs to"
		fields = append(fields, partition)
	}
	schema := types.StructOf(append(fields,
		types.Field{Name: "spec_id", Type: types.Of(types.Int), Comment: "Spec ID used to track the file containing a row"},
		types.Field{Name: "delete_file_path", Type: types.Of(types.String), Comment: "Path of the file in which a row is stored"})...)
	l, err := t.atSnapshot(at).current(ctx)
	if err != nil {
		return schema, "", err
	}
	row, err := duckType(&iceberg.StructType{FieldList: t.meta.CurrentSchema().Fields()})
	if err != nil {
		return schema, "", err
	}
	partition := ""
	if len(c.partition) > 0 {
		partition = "f.partition, "
	}
	var files, vectors []iceberg.DataFile
	var paths []string
	for _, d := range l.deletes {
		switch {
		case isVector(d):
			vectors = append(vectors, d)
		case d.ContentType() == iceberg.EntryContentPosDeletes:
			files = append(files, d)
			paths = append(paths, localPath(d.FilePath()))
		}
	}
	if len(files)+len(vectors) == 0 {
		empty := ""
		if partition != "" {
			p, err := duckType(t.hidden()[1].Type)
			if err != nil {
				return schema, "", err
			}
			empty = "CAST(NULL AS " + p + "), "
		}
		return schema, "SELECT CAST(NULL AS VARCHAR), CAST(NULL AS BIGINT), CAST(NULL AS " + row + "), " + empty + "CAST(NULL AS INTEGER), CAST(NULL AS VARCHAR) WHERE false", nil
	}
	if err := fetch(ctx, files, vectors); err != nil {
		return schema, "", err
	}
	var parts []string
	if len(files) > 0 {
		described, err := t.describeFiles(files, nil)
		if err != nil {
			return schema, "", err
		}
		parts = append(parts, "SELECT d.file_path, d.pos, CAST(NULL AS "+row+"), "+partition+"f.spec, "+shownSQL("f.path")+" FROM read_parquet("+duckpath.List(paths)+
			", hive_partitioning = false, filename = "+text(fileColumn)+") AS d JOIN ("+described+") AS f ON d."+quote(fileColumn)+" = f.path")
	}
	for _, v := range vectors {
		described, err := t.describeFiles([]iceberg.DataFile{v}, nil)
		if err != nil {
			return schema, "", err
		}
		positions, err := vectorsSQL([]iceberg.DataFile{v})
		if err != nil {
			return schema, "", err
		}
		parts = append(parts, "SELECT "+text(shownPath(*v.ReferencedDataFile()))+", d.pos, CAST(NULL AS "+row+"), "+partition+"f.spec, "+shownSQL("f.path")+" FROM ("+positions+") AS d, ("+described+") AS f")
	}
	return schema, strings.Join(parts, " UNION ALL "), nil
}

// atSnapshot is the table for metadata tables as of a snapshot; nil leaves it at the current one.
func (t *Table) atSnapshot(at *Snapshot) *Table {
	if at == nil {
		return t
	}
	c := *t
	c.at = at
	return &c
}
