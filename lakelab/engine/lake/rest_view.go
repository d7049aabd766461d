package lake

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/view"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Views of a catalog behind the REST protocol: the server writes their metadata files.

// restView loads a view's metadata; nil and "" if there is none of that name.
func (l *Lakehouse) restView(ctx context.Context, id Ident) (view.Metadata, string, error) {
	v, err := l.rest.LoadView(ctx, restName(id))
	if errors.Is(err, catalog.ErrNoSuchView) || errors.Is(err, catalog.ErrNoSuchNamespace) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	return v.Metadata(), v.MetadataLocation(), nil
}

// restCreateView makes a view.
func (l *Lakehouse) restCreateView(ctx context.Context, id Ident, version *view.Version, schema *iceberg.Schema, properties iceberg.Properties) error {
	_, err := l.rest.CreateView(ctx, restName(id), version, schema, catalog.WithViewProperties(properties))
	switch {
	case errors.Is(err, catalog.ErrViewAlreadyExists):
		return fmt.Errorf("%w: %s", ErrTableExists, id)
	case errors.Is(err, catalog.ErrNoSuchNamespace):
		return errclass.NoSuchNamespace(id.Namespace)
	}
	return err
}

// restChangeView sends the changes of a view that was loaded. As in Java they apply to the view as it is then, if it is still the same one.
func (l *Lakehouse) restChangeView(ctx context.Context, v *View, changes view.Updates) error {
	_, err := l.rest.UpdateView(ctx, restName(v.ID), []view.Requirement{view.AssertViewUUID(v.metadata.ViewUUID())}, changes)
	switch {
	case errors.Is(err, catalog.ErrNoSuchView):
		return fmt.Errorf("%w: %s", ErrNoView, v.ID)
	case errors.Is(err, rest.ErrCommitFailed):
		return fmt.Errorf("%w: the view %s was changed by others", ErrCommitFailed, v.ID)
	}
	return err
}
