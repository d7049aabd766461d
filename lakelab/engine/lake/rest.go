package lake

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/redact"
)

// A catalog behind Iceberg's REST protocol. The server keeps the metadata files: a commit sends what changes (rest_changes.go) and what
// must still hold, instead of writing a file and moving a row. Data and manifests are written by us, with our own access to the files.

// openREST connects to the catalog that the settings name; nil if they name none of that kind.
func openREST(ctx context.Context, dir string, settings config.Config) (*rest.Catalog, error) {
	uri := settings.Get(config.Catalog)
	if !config.IsREST(uri) {
		return nil, nil
	}
	opts := []rest.Option{rest.WithCustomTransport(&vending{&http.Transport{Proxy: http.ProxyFromEnvironment}, dir, settings})}
	if v := settings.Get(config.Token); v != "" {
		opts = append(opts, rest.WithOAuthToken(v))
	}
	if v := settings.Get(config.Credential); v != "" {
		opts = append(opts, rest.WithCredential(v))
	}
	if v := settings.Get(config.Scope); v != "" {
		opts = append(opts, rest.WithScope(v))
	}
	if v := settings.Get(config.AuthURI); v != "" {
		u, err := url.Parse(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", config.AuthURI, err)
		}
		opts = append(opts, rest.WithAuthURI(u))
	}
	if v := settings.Get(config.Warehouse); v != "" {
		opts = append(opts, rest.WithWarehouseLocation(v))
	}
	c, err := rest.NewCatalog(ctx, CatalogName, uri, opts...)
	if err != nil {
		return nil, fmt.Errorf("the REST catalog at %s: %w", redact.URI(uri), err)
	}
	return c, nil
}

// restName is a name in the protocol.
func restName(id Ident) table.Identifier { return append(restSpace(id.Namespace), id.Name) }

func restSpace(namespace string) table.Identifier { return strings.Split(namespace, ".") }

// restLocation asks for a table's current metadata file; "" if there is none of that name. The metadata that comes with it is kept.
func (l *Lakehouse) restLocation(ctx context.Context, id Ident) (string, error) {
	t, err := l.rest.LoadTable(ctx, restName(id))
	if errors.Is(err, catalog.ErrNoSuchTable) || errors.Is(err, catalog.ErrNoSuchNamespace) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	l.cache.keep(t.MetadataLocation(), t.Metadata(), nil, nil)
	return t.MetadataLocation(), nil
}

// restCommit asks the server to commit what makes m of base; it is false if others were faster.
func (l *Lakehouse) restCommit(ctx context.Context, id Ident, base *metadata, m table.Metadata) (bool, error) {
	requirements, updates := restChanges(base, m)
	now, location, err := l.rest.CommitTable(ctx, restName(id), requirements, updates)
	switch {
	case err == nil:
		l.cache.keep(location, now, nil, base)
		return true, nil
	case errors.Is(err, rest.ErrCommitFailed) || errors.Is(err, catalog.ErrTableAlreadyExists):
		return false, nil
	case errors.Is(err, rest.ErrBadRequest) || errors.Is(err, rest.ErrForbidden) || errors.Is(err, rest.ErrUnauthorized) || errors.Is(err, catalog.ErrNoSuchTable) ||
		errors.Is(err, catalog.ErrNoSuchNamespace):
		return false, err
	}
	// It may have happened all the same: see settled.
	if there, _ := l.settled(ctx, id, base, m, "", false, nil); there {
		return true, nil
	}
	return false, errors.Join(errUnknownOutcome, err)
}

// restHolds reports whether a table of the server is now as a commit would have made it. If that can't be told, the error is an
// errUnknownOutcome.
func (l *Lakehouse) restHolds(ctx context.Context, id Ident, m table.Metadata) (bool, error) {
	now, err := l.load(ctx, id)
	if IsNoTable(err) {
		return false, nil
	}
	if err != nil {
		return false, errors.Join(errUnknownOutcome, err)
	}
	_, updates := restChanges(now, m)
	return now.TableUUID() == m.TableUUID() && len(updates) == 0, nil
}

// restRename renames a table or a view.
func (l *Lakehouse) restRename(ctx context.Context, kind rowKind, from, to Ident, missing error) error {
	var err error
	if kind == isView {
		_, err = l.rest.RenameView(ctx, restName(from), restName(to))
	} else {
		_, err = l.rest.RenameTable(ctx, restName(from), restName(to))
	}
	switch {
	case errors.Is(err, catalog.ErrTableAlreadyExists) || errors.Is(err, catalog.ErrViewAlreadyExists):
		return errclass.RenameTarget(to.Namespace, to.Name)
	case errors.Is(err, catalog.ErrNoSuchTable) || errors.Is(err, catalog.ErrNoSuchView):
		return fmt.Errorf("%w: %s", missing, from)
	}
	return err
}

// restDrop removes a table or a view; files are left to the caller.
func (l *Lakehouse) restDrop(ctx context.Context, kind rowKind, id Ident, missing error) error {
	var err error
	if kind == isView {
		err = l.rest.DropView(ctx, restName(id))
	} else {
		err = l.rest.DropTable(ctx, restName(id))
	}
	if errors.Is(err, catalog.ErrNoSuchTable) || errors.Is(err, catalog.ErrNoSuchView) {
		return fmt.Errorf("%w: %s", missing, id)
	}
	return err
}

// restNames lists tables or views.
func (l *Lakehouse) restNames(ctx context.Context, namespace string, kind rowKind) ([]string, error) {
	list := l.rest.ListTables
	if kind == isView {
		list = l.rest.ListViews
	}
	var out []string
	for id, err := range list(ctx, restSpace(namespace)) {
		if errors.Is(err, catalog.ErrNoSuchNamespace) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, id[len(id)-1])
	}
	slices.Sort(out)
	return out, nil
}

// restSpaces lists the namespaces, those inside others too.
func (l *Lakehouse) restSpaces(ctx context.Context, parent table.Identifier) ([]string, error) {
	found, err := l.rest.ListNamespaces(ctx, parent)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, n := range found {
		inner, err := l.restSpaces(ctx, n)
		if err != nil {
			return nil, err
		}
		out = append(append(out, strings.Join(n, ".")), inner...)
	}
	slices.Sort(out)
	return out, nil
}

// restProperties are a namespace's properties. ErrNoNamespace.
func (l *Lakehouse) restProperties(ctx context.Context, name string) (iceberg.Properties, error) {
	props, err := l.rest.LoadNamespaceProperties(ctx, restSpace(name))
	return maps.Clone(props), restSpaceError(name, err)
}

// restSpaceError gives the catalog's words to the protocol's errors about namespaces.
func restSpaceError(name string, err error) error {
	for theirs, ours := range map[error]error{catalog.ErrNoSuchNamespace: ErrNoNamespace, catalog.ErrNamespaceAlreadyExists: ErrNamespaceExists, catalog.ErrNamespaceNotEmpty: ErrNamespaceNotEmpty} {
		if errors.Is(err, theirs) {
			return fmt.Errorf("%w: %s", ours, name)
		}
	}
	return err
}
