package lake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/apache/iceberg-go/view"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// Views (Iceberg's view spec): a row of the catalog of type VIEW, and a metadata file with the query's versions.

// ErrNoView says that there is no view of that name.
var ErrNoView = errors.New("view does not exist")

// View is a view as it was when it was loaded.
type View struct {
	ID       Ident
	Schema   types.Type
	Query    string
	Dialect  string // spark or trino
	Catalog  string // where the query's names are looked for
	Space    string
	Location string
	// Properties are as SHOW TBLPROPERTIES shows them.
	Properties map[string]string
	metadata   view.Metadata
	path       string
}

// NewView is a view to make.
type NewView struct {
	Schema         types.Type
	Query, Dialect string
	Catalog, Space string
	Properties     map[string]string
	Replace        bool
}

// LoadView reads a view. ErrNoView.
func (l *Lakehouse) LoadView(ctx context.Context, id Ident) (*View, error) {
	m, path, err := l.viewMetadata(ctx, id)
	if err != nil {
		return nil, err
	}
	return viewOf(id, m, path), nil
}

// viewOf is the view that metadata describes.
func viewOf(id Ident, m view.Metadata, path string) *View {
	v := &View{ID: id, metadata: m, path: path, Location: m.Location(), Properties: maps.Clone(m.Properties())}
	current := m.CurrentVersion()
	v.Schema = structOf(m.CurrentSchema().Fields())
	v.In("spark")
	v.Catalog, v.Space = current.DefaultCatalog, strings.Join(current.DefaultNamespace, ".")
	return v
}

// In takes the query in a dialect, if the view has one; else it keeps the one that it has, or takes the first.
func (v *View) In(dialect string) {
	for _, r := range v.metadata.CurrentVersion().Representations {
		if v.Query == "" || strings.EqualFold(r.Dialect, dialect) {
			v.Query, v.Dialect = r.Sql, r.Dialect
		}
	}
}

// viewMetadata reads a view's current metadata. ErrNoView.
func (l *Lakehouse) viewMetadata(ctx context.Context, id Ident) (m view.Metadata, path string, err error) {
	if l.rest != nil && id.check() == nil {
		m, path, err = l.restView(ctx, id)
	} else {
		path, err = l.rowLocation(ctx, id, isView)
	}
	if err == nil && path == "" {
		err = fmt.Errorf("%w: %s", ErrNoView, id)
	}
	if err != nil || m != nil {
		return m, path, err
	}
	m, err = readViewMetadata(ctx, path)
	return m, path, err
}

// readViewMetadata reads a metadata file of a view.
func readViewMetadata(ctx context.Context, path string) (view.Metadata, error) {
	b, err := readMetadataFile(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("read the view's metadata: %w", err)
	}
	m, err := guarded(path, func() (view.Metadata, error) { return view.ParseMetadataBytes(b) })
	if err != nil {
		err = fmt.Errorf("read the view's metadata %s: %w", path, err)
	}
	return m, err
}

// CreateView makes a view, or gives one that is there a new query. It fails with ErrTableExists if the name is a table's, or a view's that
// is not to be replaced.
func (l *Lakehouse) CreateView(ctx context.Context, id Ident, n NewView) error {
	if err := id.check(); err != nil {
		return err
	}
	if l.hadoop {
		return errclass.Unsupported("views in a Hadoop catalog")
	}
	if ok, err := l.Exists(ctx, id); err != nil || ok {
		return errors.Join(err, fmt.Errorf("%w: %s", ErrTableExists, id))
	}
	old, err := l.LoadView(ctx, id)
	if err != nil && !errors.Is(err, ErrNoView) {
		return err
	}
	if old != nil && !n.Replace {
		return fmt.Errorf("%w: %s", ErrTableExists, id)
	}
	fields, err := assignIDs(n.Schema, nil, counter(-1))
	if err != nil {
		return err
	}
	schema := iceberg.NewSchema(0, fields...)
	version, err := view.NewVersion(1, 0, []view.Representation{view.NewRepresentation(n.Query, n.Dialect)}, table.Identifier(strings.Split(n.Space, ".")),
		view.WithDefaultViewCatalog(n.Catalog), view.WithTimestampMS(time.Now().UnixMilli()),
		view.WithVersionSummary(view.VersionSummary{"engine-name": "lakelab", "engine-version": Version, "iceberg-version": icebergVersion, "app-id": l.appID}))
	if err != nil {
		return err
	}
	if old == nil && l.rest != nil {
		return l.restCreateView(ctx, id, version, schema, n.Properties)
	}
	if old == nil {
		namespace, err := l.namespaceLocation(ctx, id.Namespace)
		if err != nil {
			return err
		}
		m, err := view.NewMetadata(version, schema, join(namespace, id.Name), n.Properties)
		if err != nil {
			return err
		}
		return l.writeView(ctx, id, "", m)
	}
	if err := old.losesDialect(n); err != nil {
		return err
	}
	return l.changeView(ctx, old, func(b *view.MetadataBuilder) {
		b.SetProperties(n.Properties)
		if again := versionLike(old.metadata, version, schema); again != nil {
			b.SetCurrentVersionID(again.VersionID)
			return
		}
		b.SetCurrentVersion(version, schema)
	})
}

// dropDialect is the property of a view that allows what losesDialect refuses.
const dropDialect = "replace.drop-dialect.allowed"

// losesDialect refuses a query in place of one in another dialect, in whose engine the view could not be read any more.
func (v *View) losesDialect(n NewView) error {
	allowed := v.Properties[dropDialect]
	if text, ok := n.Properties[dropDialect]; ok {
		allowed = text
	}
	var before []string
	lost := false
	for _, r := range v.metadata.CurrentVersion().Representations {
		before = append(before, r.Dialect)
		lost = lost || !strings.EqualFold(r.Dialect, n.Dialect)
	}
	if !lost || strings.EqualFold(allowed, "true") {
		return nil
	}
	text := fmt.Sprintf("Cannot replace view due to loss of view dialects (%s=false):\nPrevious dialects: [%s]\nNew dialects: [%s]", dropDialect, strings.Join(before, ", "), n.Dialect)
	return errors.New(text) // in Iceberg's words
}

// versionLike is the version that a view has already of the same query with the same columns; nil if there is none. iceberg-go would write it a
// second time.
func versionLike(m view.Metadata, like *view.Version, schema *iceberg.Schema) *view.Version {
	schemas := m.SchemasByID()
	for _, v := range m.Versions() {
		if s := schemas[v.SchemaID]; s != nil && s.Equals(schema) && v.DefaultCatalog == like.DefaultCatalog && slices.Equal(v.DefaultNamespace, like.DefaultNamespace) &&
			maps.Equal(v.Summary, like.Summary) && slices.Equal(v.Representations, like.Representations) {
			return v
		}
	}
	return nil
}

// AlterView sets and removes properties of a view.
func (l *Lakehouse) AlterView(ctx context.Context, v *View, set map[string]string, remove []string) error {
	return l.changeView(ctx, v, func(b *view.MetadataBuilder) {
		if len(set) > 0 {
			b.SetProperties(set)
		}
		if len(remove) > 0 {
			b.RemoveProperties(remove)
		}
	})
}

func (l *Lakehouse) changeView(ctx context.Context, v *View, change func(*view.MetadataBuilder)) error {
	b, err := view.MetadataBuilderFromBase(v.metadata)
	if err != nil {
		return err
	}
	change(b)
	if err := b.Err(); err != nil {
		return err
	}
	if !b.HasChanges() {
		return nil
	}
	m, err := b.Build()
	if err != nil {
		return err
	}
	if l.rest != nil {
		return l.restChangeView(ctx, v, m.Changes)
	}
	return l.writeView(ctx, v.ID, v.path, m)
}

// writeView writes a view's metadata and moves the catalog's row to it; old is "" for a new view.
func (l *Lakehouse) writeView(ctx context.Context, id Ident, old string, m view.Metadata) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	path := nextMetadataFile(m.Location(), old, metadataExtension)
	err = writeBytes(path, text)
	if err == nil {
		err = flushAll(path)
	}
	if err != nil {
		return err
	}
	done, err := l.swap(context.WithoutCancel(ctx), id, isView, old, path)
	if !done && !errors.Is(err, errUnknownOutcome) {
		removeAll([]string{path})
	}
	if err == nil && !done {
		err = fmt.Errorf("%w: the view %s was changed by others", ErrCommitFailed, id)
	}
	return err
}

// DropView removes a view. ErrNoView.
func (l *Lakehouse) DropView(ctx context.Context, id Ident) error {
	return l.dropRow(ctx, isView, id, "", ErrNoView)
}

// RenameView gives a view another name. ErrNoView, or Spark's errors.
func (l *Lakehouse) RenameView(ctx context.Context, from, to Ident) error {
	if ok, err := l.NamespaceExists(ctx, to.Namespace); err != nil || !ok {
		return errors.Join(err, errclass.NoSuchNamespace(to.Namespace))
	}
	return l.renameRow(ctx, isView, from, to, ErrNoView)
}

// Views lists the views of a namespace.
func (l *Lakehouse) Views(ctx context.Context, namespace string) ([]string, error) {
	if l.hadoop {
		return nil, nil
	}
	if l.rest != nil {
		return l.restNames(ctx, namespace, isView)
	}
	return l.db.Strings(ctx, `SELECT table_name FROM iceberg_tables WHERE catalog_name = ? AND table_namespace = ?`+string(isView)+` ORDER BY table_name`,
		CatalogName, namespace)
}
