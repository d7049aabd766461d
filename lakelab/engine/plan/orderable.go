package plan

import (
	"slices"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// orderable refuses a sort by a map, or by what holds one.
func (a *Analyzer) orderable(k expr.SortKey) error {
	if a.Dialect != sql.Spark || !holdsMap(k.X.Type()) {
		return nil
	}
	return errclass.NotOrderable(namer{}.key(k), k.X.Type()).At(k.X.Span())
}

// comparable refuses a set operation on maps.
func (a *Analyzer) comparable(cols []*expr.Column, at sql.Node) error {
	for _, c := range visible(cols) {
		if a.Dialect == sql.Spark && holdsMap(c.T) {
			return errclass.SetOperationOnMap(c.Name, c.T).At(at.Span())
		}
	}
	return nil
}

func holdsMap(t types.Type) bool {
	switch t.Kind {
	case types.Map:
		return true
	case types.Array:
		return holdsMap(*t.Elem)
	case types.Struct:
		return slices.ContainsFunc(t.Fields, func(f types.Field) bool { return holdsMap(f.Type) })
	}
	return false
}
