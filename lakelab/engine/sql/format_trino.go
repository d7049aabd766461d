package sql

import (
	"strconv"
	"strings"
	"unicode"
)

// FormatTrino writes a query as Trino's formatter lays it out: that is the text that a view keeps and SHOW CREATE VIEW shows. It is false
// for a query that holds what the formatter here does not know.
func FormatTrino(q *Query) (text string, ok bool) {
	f := &trinoFormatter{ok: true}
	f.query(q, 0)
	return f.b.String(), f.ok
}

// FormatTrinoExpr writes an expression in the same way.
func FormatTrinoExpr(x Expr) string {
	f := &trinoFormatter{ok: true}
	text := f.expr(x)
	if !f.ok {
		return "expression"
	}
	return text
}

// FormatTrinoType writes a type in the same way.
func FormatTrinoType(t *TypeName) string { return (&trinoFormatter{ok: true}).typeName(t) }

type trinoFormatter struct {
	b  strings.Builder
	ok bool
}

func (f *trinoFormatter) unknown() string {
	f.ok = false
	return ""
}

// line writes a line with its indent of three blanks a level.
func (f *trinoFormatter) line(indent int, text string) {
	f.b.WriteString(strings.Repeat("   ", indent) + text + "\n")
}

func (f *trinoFormatter) query(q *Query, indent int) {
	if q.With != nil {
		word := "WITH"
		if len(q.With.Functions) > 0 {
			f.unknown()
		}
		if q.With.Recursive {
			word += " RECURSIVE"
		}
		f.b.WriteString(strings.Repeat("   ", indent) + word + "\n")
		for i, c := range q.With.CTEs {
			if i > 0 {
				f.b.WriteString(", ")
			} else {
				f.b.WriteString("  ")
			}
			f.b.WriteString(formatName(c.Name))
			if len(c.Columns) > 0 {
				f.b.WriteString(" (" + formatNames(c.Columns, ", ") + ")")
			}
			f.b.WriteString(" AS (\n")
			f.query(c.Query, indent+1)
			f.b.WriteString(strings.Repeat("   ", indent) + ") \n")
		}
	}
	f.body(q.Body, indent)
	if len(q.OrderBy) > 0 {
		f.line(indent, "ORDER BY "+f.keys(q.OrderBy))
	}
	if q.Offset != nil {
		f.line(indent, "OFFSET "+f.expr(q.Offset)+" ROWS")
	}
	switch {
	case q.Limit != nil && q.WithTies:
		f.line(indent, "FETCH FIRST "+f.expr(q.Limit)+" ROWS WITH TIES")
	case q.Limit != nil:
		f.line(indent, "LIMIT "+f.expr(q.Limit))
	}
}

func (f *trinoFormatter) body(b Body, indent int) {
	switch b := b.(type) {
	case *Select:
		f.selectBlock(b, indent)
	case *SetOp:
		f.body(b.L, indent)
		word := b.Op
		if b.All {
			word += " ALL"
		}
		f.b.WriteString(strings.Repeat("   ", indent) + word + " ")
		f.body(b.R, indent)
	case *Values:
		f.b.WriteString(" VALUES ")
		for i, r := range b.Rows {
			f.b.WriteString("\n" + strings.Repeat("   ", indent))
			if i > 0 {
				f.b.WriteString(", ")
			} else {
				f.b.WriteString("  ")
			}
			if len(r) == 1 {
				f.b.WriteString(f.expr(r[0]))
			} else {
				f.b.WriteString("ROW (" + f.list(r) + ")")
			}
		}
		f.b.WriteString("\n")
	case *Query:
		f.line(indent, "(")
		f.query(b, indent+1)
		f.line(indent, ") ")
	default:
		f.unknown()
	}
}

func (f *trinoFormatter) selectBlock(s *Select, indent int) {
	pad := strings.Repeat("   ", indent)
	f.b.WriteString(pad + "SELECT")
	if s.Distinct {
		f.b.WriteString(" DISTINCT")
	}
	if len(s.Items) == 1 {
		f.b.WriteString(" " + f.expr(s.Items[0]))
	} else {
		for i, it := range s.Items {
			mark := ", "
			if i == 0 {
				mark = "  "
			}
			f.b.WriteString("\n" + pad + mark + f.expr(it))
		}
	}
	f.b.WriteString("\n")
	if len(s.From) > 0 {
		f.line(indent, "FROM")
		f.b.WriteString(pad + "  ")
		for i, r := range s.From {
			if i > 0 {
				f.b.WriteString("\n" + pad + ", ")
			}
			f.relation(r, indent)
		}
		f.b.WriteString("\n")
	}
	if s.Where != nil {
		f.line(indent, "WHERE "+f.expr(s.Where))
	}
	if len(s.GroupBy) > 0 {
		f.line(indent, "GROUP BY "+f.list(s.GroupBy))
	}
	if s.Having != nil {
		f.line(indent, "HAVING "+f.expr(s.Having))
	}
	if len(s.Windows) > 0 || len(s.Laterals) > 0 {
		f.unknown()
	}
}

func (f *trinoFormatter) alias(a Alias) string {
	if a.Name == nil {
		return ""
	}
	text := " " + formatName(*a.Name)
	if len(a.Columns) > 0 {
		text += " (" + formatNames(a.Columns, ", ") + ")"
	}
	return text
}

func (f *trinoFormatter) relation(r Relation, indent int) {
	pad := strings.Repeat("   ", indent)
	switch r := r.(type) {
	case *TableRef:
		if r.Travel != nil || r.Sample != nil {
			f.unknown()
		}
		f.b.WriteString(formatNames(r.Name, ".") + f.alias(r.Alias))
	case *Derived:
		if r.Lateral || r.Sample != nil {
			f.unknown()
		}
		f.b.WriteString("(\n")
		f.query(r.Query, indent+1)
		f.b.WriteString(pad + ") " + f.alias(r.Alias))
	case *ValuesRel:
		f.b.WriteString("(\n")
		f.body(r.Values, indent+1)
		f.b.WriteString(pad + ") " + f.alias(r.Alias))
	case *Unnest:
		f.b.WriteString("UNNEST(" + f.list(r.Exprs) + ")")
		if r.Ordinality {
			f.b.WriteString(" WITH ORDINALITY")
		}
		f.b.WriteString(f.alias(r.Alias))
	case *Join:
		if r.Lateral {
			f.unknown()
		}
		word := r.Kind
		if r.Natural {
			word = "NATURAL " + word
		}
		f.b.WriteString("(")
		f.relation(r.L, indent)
		f.b.WriteString("\n" + pad + word + " JOIN ")
		f.relation(r.R, indent)
		if len(r.Using) > 0 {
			f.b.WriteString(" USING (" + formatNames(r.Using, ", ") + ")")
		} else if r.On != nil {
			f.b.WriteString(" ON " + f.expr(r.On))
		}
		f.b.WriteString(")")
	default:
		f.unknown()
	}
}

func formatName(n Name) string {
	if n.Quoted {
		return `"` + strings.ReplaceAll(n.Text, `"`, `""`) + `"`
	}
	return n.Text
}

func formatNames(names []Name, separator string) string {
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = formatName(n)
	}
	return strings.Join(parts, separator)
}

func (f *trinoFormatter) list(xs []Expr) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = f.expr(x)
	}
	return strings.Join(parts, ", ")
}

func (f *trinoFormatter) keys(items []SortItem) string {
	parts := make([]string, len(items))
	for i, it := range items {
		parts[i] = f.expr(it.X) + " ASC"
		if it.Desc {
			parts[i] = f.expr(it.X) + " DESC"
		}
		if it.Nulls != "" {
			parts[i] += " NULLS " + it.Nulls
		}
	}
	return strings.Join(parts, ", ")
}

func not(not bool, text string) string {
	if not {
		return "(NOT " + text + ")"
	}
	return text
}

// nested is a query inside of an expression.
func (f *trinoFormatter) nested(q *Query) string {
	text, ok := FormatTrino(q)
	f.ok = f.ok && ok
	return "(" + text + ")"
}

func (f *trinoFormatter) expr(x Expr) string {
	switch x := x.(type) {
	case *Ident:
		return formatNames(x.Parts, ".")
	case *Star:
		if x.Row != nil {
			return f.expr(x.Row) + ".*"
		}
		if len(x.Qualifier) > 0 {
			return formatNames(x.Qualifier, ".") + ".*"
		}
		return "*"
	case *Literal:
		return formatLiteral(x)
	case *Interval:
		if len(x.Parts) != 1 {
			return f.unknown()
		}
		text := "INTERVAL " + f.expr(x.Parts[0].Value) + " " + x.Parts[0].Unit
		if x.To != "" {
			text += " TO " + x.To
		}
		return text
	case *Unary:
		if x.Op == "NOT" {
			return "(NOT " + f.expr(x.X) + ")"
		}
		return x.Op + f.expr(x.X)
	case *Binary:
		if x.Op == "AND" || x.Op == "OR" {
			return "(" + strings.Join(f.terms(x.Op, x), " "+x.Op+" ") + ")"
		}
		return "(" + f.expr(x.L) + " " + x.Op + " " + f.expr(x.R) + ")"
	case *Between:
		return not(x.Not, "("+f.expr(x.X)+" BETWEEN "+f.expr(x.Lo)+" AND "+f.expr(x.Hi)+")")
	case *In:
		if x.Query != nil {
			return not(x.Not, "("+f.expr(x.X)+" IN "+f.nested(x.Query)+")")
		}
		return not(x.Not, "("+f.expr(x.X)+" IN ("+f.list(x.List)+"))")
	case *Like:
		text := f.expr(x.X) + " LIKE " + f.expr(x.Pattern)
		if x.Escape != nil {
			text += " ESCAPE " + f.expr(x.Escape)
		}
		return not(x.Not, "("+text+")")
	case *Is:
		if x.Not {
			return "(" + f.expr(x.X) + " IS NOT " + x.What + ")"
		}
		return "(" + f.expr(x.X) + " IS " + x.What + ")"
	case *IsDistinct:
		return not(x.Not, "("+f.expr(x.L)+" IS DISTINCT FROM "+f.expr(x.R)+")")
	case *Quantified:
		return "(" + f.expr(x.X) + " " + x.Op + " " + x.Quantifier + " " + f.nested(x.Query) + ")"
	case *Case:
		parts := []string{"CASE"}
		if x.Operand != nil {
			parts = append(parts, f.expr(x.Operand))
		}
		for _, w := range x.Whens {
			parts = append(parts, "WHEN "+f.expr(w.Cond)+" THEN "+f.expr(w.Then))
		}
		if x.Else != nil {
			parts = append(parts, "ELSE", f.expr(x.Else))
		}
		return "(" + strings.Join(append(parts, "END"), " ") + ")"
	case *Cast:
		word := "CAST"
		if x.Try {
			word = "TRY_CAST"
		}
		return word + "(" + f.expr(x.X) + " AS " + f.typeName(x.Type) + ")"
	case *Call:
		return f.call(x)
	case *Lambda:
		return "(" + formatNames(x.Params, ", ") + ") -> " + f.expr(x.Body)
	case *Subscript:
		return f.expr(x.X) + "[" + f.expr(x.Index) + "]"
	case *Field:
		return f.expr(x.X) + "." + formatName(x.Name)
	case *Subquery:
		return f.nested(x.Query)
	case *Exists:
		return "(EXISTS " + f.nested(x.Query) + ")"
	case *Tuple:
		return "ROW (" + f.list(x.Items) + ")"
	case *ArrayLit:
		return "ARRAY[" + strings.ReplaceAll(f.list(x.Items), ", ", ",") + "]"
	case *AtTimeZone:
		return f.expr(x.X) + " AT TIME ZONE " + f.expr(x.Zone)
	case *Extract:
		return "EXTRACT(" + strings.ToUpper(x.Field) + " FROM " + f.expr(x.X) + ")"
	case *Param:
		return "?"
	case *Aliased:
		if len(x.Names) == 1 {
			return f.expr(x.X) + " " + formatName(x.Names[0])
		}
	case *Grouping:
		if x.Kind == "ROLLUP" || x.Kind == "CUBE" {
			sets := make([]string, len(x.Sets))
			for i, s := range x.Sets {
				sets[i] = f.list(s)
			}
			return x.Kind + " (" + strings.Join(sets, ", ") + ")"
		}
	}
	return f.unknown()
}

// terms are the operands of a chain of AND or of OR.
func (f *trinoFormatter) terms(op string, x Expr) []string {
	if b, ok := x.(*Binary); ok && b.Op == op {
		return append(f.terms(op, b.L), f.expr(b.R))
	}
	return []string{f.expr(x)}
}

// signs are functions that Trino's grammar writes in a way of its own, without parentheses.
var signs = map[string]bool{"current_date": true, "current_user": true, "current_catalog": true, "current_schema": true, "current_timestamp": true, "localtimestamp": true, "localtime": true, "current_time": true}

func (f *trinoFormatter) call(x *Call) string {
	name := formatNames(x.Name, ".")
	if len(x.Args) == 0 && signs[name] && x.Over == nil {
		return strings.ToUpper(name)
	}
	if name == "listagg" || x.WithinGroup {
		return f.unknown()
	}
	args := make([]string, len(x.Args))
	for i, a := range x.Args {
		if a.Name != nil {
			return f.unknown()
		}
		args[i] = f.expr(a.X)
	}
	inner := strings.Join(args, ", ")
	if x.Distinct {
		inner = "DISTINCT " + inner
	}
	if len(x.OrderBy) > 0 {
		inner += " ORDER BY " + f.keys(x.OrderBy)
	}
	text := name + "(" + inner + ")"
	if x.Filter != nil {
		text += " FILTER (WHERE " + f.expr(x.Filter) + ")"
	}
	if x.Nulls != "" {
		text += " " + x.Nulls + " NULLS"
	}
	if x.Over != nil {
		text += " OVER " + f.window(x.Over)
	}
	return text
}

func (f *trinoFormatter) window(w *WindowSpec) string {
	if w.Ref != nil && len(w.PartitionBy)+len(w.OrderBy) == 0 && w.Frame == nil {
		return formatName(*w.Ref)
	}
	var parts []string
	if w.Ref != nil {
		parts = append(parts, formatName(*w.Ref))
	}
	if len(w.PartitionBy) > 0 {
		parts = append(parts, "PARTITION BY "+f.list(w.PartitionBy))
	}
	if len(w.OrderBy) > 0 {
		parts = append(parts, "ORDER BY "+f.keys(w.OrderBy))
	}
	if w.Frame != nil {
		bound := func(b Bound) string {
			if b.N != nil {
				return f.expr(b.N) + " " + b.Kind
			}
			return b.Kind
		}
		parts = append(parts, w.Frame.Unit+" BETWEEN "+bound(w.Frame.Start)+" AND "+bound(w.Frame.End))
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func (f *trinoFormatter) typeName(t *TypeName) string {
	name := strings.ToLower(t.Name)
	if strings.HasPrefix(t.Name, "INTERVAL ") {
		name = t.Name
	}
	var parts []string
	for _, n := range t.Args {
		parts = append(parts, strconv.Itoa(n))
	}
	for _, e := range t.Elems {
		parts = append(parts, f.typeName(e))
	}
	for _, d := range t.Fields {
		p := f.typeName(d.Type)
		if d.Name.Text != "" {
			p = formatName(d.Name) + " " + p
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return name
	}
	if zone, ok := strings.CutSuffix(name, " with time zone"); ok {
		return zone + "(" + strings.Join(parts, ", ") + ") with time zone"
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

func formatLiteral(l *Literal) string {
	switch l.Kind {
	case NullLit:
		return "null"
	case BoolLit:
		return strings.ToLower(l.Text)
	case StringLit:
		return formatString(l.Text)
	case BinaryLit:
		return "X'" + l.Text + "'"
	case NumberLit:
		switch {
		case strings.ContainsAny(l.Text, "eE"):
			v, _ := strconv.ParseFloat(l.Text, 64)
			m, e, _ := strings.Cut(strconv.FormatFloat(v, 'E', -1, 64), "E")
			n, _ := strconv.Atoi(e)
			return m + "E" + strconv.Itoa(n)
		case strings.Contains(l.Text, "."):
			return "DECIMAL '" + l.Text + "'"
		}
		return l.Text
	}
	return l.TypeName + " " + formatString(l.Text)
}

// formatString writes a text constant; one that is not plain ASCII has its characters as numbers.
func formatString(s string) string {
	plain := true
	for _, c := range s {
		plain = plain && c >= ' ' && c < unicode.MaxASCII
	}
	if plain {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	var b strings.Builder
	b.WriteString("U&'")
	for _, c := range s {
		switch {
		case c == '\\':
			b.WriteString(`\\`)
		case c == '\'':
			b.WriteString("''")
		case c >= ' ' && c < unicode.MaxASCII:
			b.WriteRune(c)
		case c > 0xffff:
			b.WriteString(`\+` + strings.ToUpper(strconv.FormatInt(int64(c)+0x1000000, 16))[1:])
		default:
			b.WriteString(`\` + strings.ToUpper(strconv.FormatInt(int64(c)+0x10000, 16))[1:])
		}
	}
	b.WriteString("'")
	return b.String()
}
