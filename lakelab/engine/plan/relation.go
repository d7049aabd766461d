package plan

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// relation analyzes an item of FROM.
func (a *Analyzer) relation(ctx context.Context, r sql.Relation, s *scope) (Node, error) {
	switch r := r.(type) {
	case *sql.TableRef:
		return a.table(ctx, r, s)
	case *sql.Derived:
		n, err := a.query(ctx, r.Query, s)
		if err != nil {
			return nil, err
		}
		n = a.hiding(n, r.Meta)
		if n, err = a.sample(ctx, n, r.Sample, r); err != nil {
			return nil, err
		}
		if r.Transparent && r.Alias.Name == nil {
			return n, nil
		}
		if r.Alias.Name == nil && len(r.Alias.Columns) == 0 {
			var q []string
			if a.Dialect == sql.Spark {
				q = []string{noAlias}
			}
			return &Project{Items: requalify(n.Output(), q, nil), Child: n}, nil
		}
		return a.alias(n, r.Alias, r)
	case *sql.Join:
		return a.join(ctx, r, s)
	case *sql.ValuesRel:
		n, err := a.values(ctx, r.Values, asWritten(r.Alias.Columns), s)
		if err == nil && a.Dialect == sql.Spark && len(r.Alias.Columns) > 0 && len(r.Alias.Columns) != len(n.Output()) {
			err = errclass.InlineTableColumns(len(r.Alias.Columns), len(n.Output()), 0)
		}
		if err != nil {
			if e, ok := err.(*errclass.Error); ok && strings.HasPrefix(e.Class, "INVALID_INLINE_TABLE") {
				err = e.Elsewhere(r.Span())
			}
			return nil, err
		}
		return a.alias(n, r.Alias, r)
	case *sql.TableFunc:
		return a.tableFunc(ctx, r, s)
	case *sql.Unnest:
		return a.unnest(ctx, r, nil, false, s)
	case *sql.Pivot:
		return a.pivot(ctx, r, s)
	case *sql.Unpivot:
		return a.unpivot(ctx, r, s)
	case *sql.PipeSet:
		return a.pipeSet(ctx, r, s)
	case *sql.Identified:
		n, err := a.relation(ctx, r.Rel, s)
		if err == nil {
			a.identify(r.Frame, n)
		}
		return n, err
	case *sql.Files:
		rel, err := a.Catalog.Files(ctx, r)
		if err != nil {
			return nil, errclass.Place(err, r.Span())
		}
		return a.opened(ctx, rel, rel.Name)
	case *sql.Opened:
		return a.opened(ctx, &Relation{Source: r.Source.(Source)}, nil)
	case *sql.LocalRows:
		return LocalOf(r.Schema, r.Rows), nil
	}
	return a.dataFrame(ctx, r, s)
}

// LocalOf makes a plan of rows at hand.
func LocalOf(schema types.Type, rows [][]any) *Local {
	n := &Local{Rows: rows}
	for _, f := range schema.Fields {
		n.Columns = append(n.Columns, &expr.Column{Name: f.Name, T: f.Type, Null: f.Nullable, Comment: f.Comment, Lengths: f.Lengths})
	}
	return n
}

// hiding makes columns hidden ones, or leaves them out where the statement names none of these.
func (a *Analyzer) hiding(n Node, meta []string) Node {
	for _, c := range n.Output() {
		c.Meta = c.Meta || slices.Contains(meta, c.Name)
	}
	if len(meta) > 0 && !a.Hidden {
		return narrowed(n)
	}
	return n
}

// alias gives a relation's columns a qualifier and, perhaps, new names.
func (a *Analyzer) alias(n Node, al sql.Alias, at sql.Node) (Node, error) {
	if al.Name == nil && len(al.Columns) == 0 {
		return n, nil
	}
	names := asWritten(al.Columns)
	if cols := visible(n.Output()); len(names) > 0 && len(names) != len(cols) {
		if a.Dialect == sql.Trino {
			return nil, errclass.TrinoRelationAliases(len(names), a.texts([]sql.Name{*al.Name})[0], len(cols)).At(at.Span())
		}
		return nil, errclass.AliasColumns(len(names), len(cols)).At(at.Span())
	}
	var q []string
	if al.Name != nil {
		q = a.texts([]sql.Name{*al.Name})
	}
	return &Project{Items: requalify(n.Output(), q, names), Child: n}, nil
}

func (a *Analyzer) table(ctx context.Context, r *sql.TableRef, s *scope) (Node, error) {
	n, err := a.named(ctx, r, s)
	if err != nil {
		return nil, err
	}
	if n, err = a.sample(ctx, n, r.Sample, r); err != nil {
		return nil, err
	}
	return a.alias(n, r.Alias, r)
}

// named finds what a name in FROM stands for, its alias left out.
func (a *Analyzer) named(ctx context.Context, r *sql.TableRef, s *scope) (Node, error) {
	if len(r.Name) == 1 && (r.Travel == nil || a.Dialect == sql.Trino) { // Trino passes over FOR … AS OF here, and of a view
		if c := s.cte(r.Name[0].Text); c != nil {
			return a.cteRef(c), nil
		}
	}
	rel, err := a.Catalog.Resolve(ctx, r, a.Eval)
	if err != nil {
		return nil, errclass.Place(err, r.Span())
	}
	if rel == nil {
		return nil, errclass.TableNotFound(a.Dialect, a.completed(r.Name)).At(nameSpan(r))
	}
	q := rel.Name
	if a.Dialect == sql.Trino && len(q) > len(r.Name) {
		q = q[len(q)-len(r.Name):] // its columns go by as much of the name as FROM has
	}
	return a.opened(ctx, rel, q)
}

// opened reads what a name stands for; the columns get the qualifier.
func (a *Analyzer) opened(ctx context.Context, rel *Relation, qualifier []string) (Node, error) {
	if rel.View != nil {
		// The numbers of a view's DataFrames are those of the cell that made it.
		frames, hidden := a.frames, a.Hidden
		a.frames, a.Hidden = nil, hidden || rel.Hidden
		n, err := a.relation(ctx, rel.View, nil)
		a.frames, a.Hidden = frames, hidden
		if err != nil {
			return nil, err
		}
		items := requalify(n.Output(), qualifier, rel.Columns)
		for i, f := range rel.Fields {
			items[i].Column.Comment, items[i].Column.Lengths = f.Comment, f.Lengths
			if f.Lengths != nil && f.Lengths.HasChar() {
				items[i].X, a.chars = functions.PadChars(items[i].X, *f.Lengths), true
			}
		}
		return &Project{Items: items, Child: n}, nil
	}
	if rel.Plan != nil {
		items := requalify(rel.Plan.Output(), qualifier, rel.Columns)
		for i := range items {
			items[i].Column.Comment = rel.Comments[i].Comment
			items[i].Column.Null = true
		}
		return &Project{Items: items, Child: rel.Plan}, nil
	}
	n := &Scan{Name: rel.Name, Source: rel.Source}
	for i, f := range rel.Source.Schema().Fields {
		name := f.Name
		if a.Dialect == sql.Trino {
			name = strings.ToLower(name)
		}
		n.Columns = append(n.Columns, &expr.Column{Name: name, Qualifier: qualifier, T: f.Type, Null: f.Nullable, Comment: f.Comment, Lengths: f.Lengths})
		n.Indexes = append(n.Indexes, i)
	}
	if h, ok := rel.Source.(Hiding); ok && a.Hidden {
		for i, f := range h.Hidden() {
			if a.Dialect == sql.Trino && strings.HasPrefix(f.Name, "_") {
				continue // Spark's name
			}
			n.Columns = append(n.Columns, &expr.Column{Name: f.Name, Qualifier: qualifier, T: f.Type, Null: f.Nullable, Meta: true})
			n.Indexes = append(n.Indexes, len(rel.Source.Schema().Fields)+i)
		}
	}
	if items := a.padded(n.Columns); items != nil {
		return &Project{Items: items, Child: n}, nil
	}
	return n, nil
}

// completed is a table's name as an error shows it: as written in Spark, with catalog and schema in Trino.
func (a *Analyzer) completed(name []sql.Name) []string {
	parts := a.texts(name)
	if a.Dialect == sql.Trino {
		if len(parts) == 1 {
			parts = append([]string{a.Settings.CurrentNamespace}, parts...)
		}
		if len(parts) == 2 {
			parts = append([]string{a.Settings.CurrentCatalog}, parts...)
		}
	}
	return parts
}

func (a *Analyzer) cteRef(c *cteScope) Node {
	n := &CTERef{Def: c.def}
	for i, col := range visible(c.def.Plan.Output()) {
		k := *col
		k.Qualifier = []string{c.name}
		if i < len(c.cols) {
			k.Name = c.cols[i]
		}
		n.Columns = append(n.Columns, &k)
	}
	return n
}

// rangeSource is range(start, end, step).
type rangeSource struct{ start, end, step int64 }

func (r rangeSource) Schema() types.Type {
	return types.StructOf(types.Field{Name: "id", Type: types.Of(types.Long)})
}

func (r rangeSource) SQL(_ context.Context, columns []int, _ expr.Expr) (string, error) {
	from := "range(" + i64(r.start) + ", " + i64(r.end) + ", " + i64(r.step) + ")"
	if len(columns) == 0 {
		return "SELECT 1 AS one FROM " + from, nil
	}
	return "SELECT range AS id FROM " + from, nil
}

func (a *Analyzer) tableFunc(ctx context.Context, r *sql.TableFunc, s *scope) (Node, error) {
	if a.Dialect == sql.Trino {
		return a.trinoTableFunc(ctx, r, s)
	}
	if f := a.routine(r.Call.Name); f != nil {
		return a.routineRelation(ctx, r, f, s)
	}
	if c, _ := a.generatorCall(r.Call); c != nil {
		return a.generatorRelation(ctx, r, nil, false, s)
	}
	name := strings.ToLower(r.Call.Name[len(r.Call.Name)-1].Text)
	if name != "range" || len(r.Call.Name) > 1 {
		if parts := a.texts(r.Call.Name); len(parts) > 1 {
			return nil, errclass.TableFunctionDatabase(parts).At(r.Span())
		}
		return nil, errclass.UnresolvableTableFunction(strings.Join(a.texts(r.Call.Name), ".")).At(r.Span())
	}
	return a.rangeRelation(ctx, r)
}

// sequenceRelation is Trino's TABLE(sequence(start => 1, stop => 5, step => 2)).
func (a *Analyzer) sequenceRelation(ctx context.Context, r *sql.TableFunc, s *scope) (Node, error) {
	at := sql.At{Pos: r.Span()}
	whole := func(text string) sql.Expr { return &sql.Literal{At: at, Kind: sql.NumberLit, Text: text} }
	given, err := a.TableArguments(ctx, r.Call, []TableParameter{{"START", types.Of(types.Long), whole("0")}, {"STOP", types.Of(types.Long), nil}, {"STEP", types.Of(types.Long), whole("1")}})
	if err != nil {
		return nil, err
	}
	if err := a.checkSequence(ctx, given); err != nil {
		return nil, err
	}
	args := make([]sql.Arg, len(given))
	for i, x := range given {
		args[i].X = &sql.Cast{At: sql.At{Pos: x.Span()}, X: x, Type: &sql.TypeName{Name: "bigint"}}
	}
	u := &sql.Unnest{At: r.At, Exprs: []sql.Expr{&sql.Call{At: r.Call.At, Name: r.Call.Name[len(r.Call.Name)-1:], Args: args}}, Alias: r.Alias}
	if len(u.Alias.Columns) == 0 {
		name := sql.Name{At: r.At, Text: "sequential_number"}
		u.Alias.Columns = []sql.Name{name}
		if u.Alias.Name == nil {
			u.Alias.Name = &sql.Name{At: r.At, Text: "sequence"}
		}
	}
	return a.unnest(ctx, u, nil, false, s)
}

// checkSequence refuses arguments of sequence that give no numbers.
func (a *Analyzer) checkSequence(ctx context.Context, args []sql.Expr) error {
	var n [3]int64
	for i, x := range args {
		v, err := a.Eval(ctx, x, types.Of(types.Long))
		if err != nil {
			return err
		}
		if v == nil {
			return errclass.TrinoSequenceNull([...]string{"Start", "Stop", "Step"}[i])
		}
		n[i] = v.(int64)
	}
	switch start, stop, step := n[0], n[1], n[2]; {
	case start < stop && step <= 0:
		return errclass.TrinoSequenceStep("positive", start, stop)
	case start > stop && step >= 0:
		return errclass.TrinoSequenceStep("negative", start, stop)
	}
	return nil
}

func (a *Analyzer) rangeRelation(ctx context.Context, r *sql.TableFunc) (Node, error) {
	args := make([]int64, len(r.Call.Args))
	for i, x := range r.Call.Args {
		v, err := a.Eval(ctx, x.X, types.Of(types.Long))
		if err != nil {
			return nil, err
		}
		n, ok := v.(int64)
		if !ok {
			return nil, errclass.UnexpectedInputType("range", i+1, types.Of(types.Null), types.Of(types.Long)).At(x.X.Span())
		}
		args[i] = n
	}
	src := rangeSource{step: 1}
	switch len(args) {
	case 1:
		src.end = args[0]
	case 2, 3, 4:
		src.start, src.end = args[0], args[1]
		if len(args) > 2 {
			src.step = args[2]
		}
	default:
		return nil, errclass.WrongNumArgs("range", "[1, 2, 3, 4]", len(args)).At(r.Span())
	}
	if src.step == 0 {
		return nil, errclass.IllegalArgument("requirement failed: step (0) cannot be 0").At(r.Span())
	}
	n := &Scan{Name: []string{"range"}, Source: src, Columns: []*expr.Column{{Name: "id", T: types.Of(types.Long)}}, Indexes: []int{0}}
	return a.alias(n, r.Alias, r)
}
