package plan

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// special resolves the functions that depend on the session or on the query around them. It returns nil for others.
func (a *Analyzer) special(ctx context.Context, x *sql.Call, name string, s *scope) (expr.Expr, error) {
	if len(x.Name) > 1 {
		return nil, nil
	}
	switch name {
	case groupingName, groupingIDName:
		return a.groupingCall(ctx, x, name, s)
	}
	if name == "$malformed_record" { // of a file that is read with the mode FAILFAST
		return a.apply(ctx, name, []sql.Expr{x.Args[0].X}, x.Span(), s)
	}
	if k, ok := castNames[name]; ok && a.Dialect == sql.Spark && x.Over == nil {
		if len(x.Args) != 1 {
			return nil, errclass.WrongNumArgs(name, "1", len(x.Args)).At(x.Span())
		}
		if k == "TIMESTAMP" && a.Settings.TimestampNTZ {
			k = "TIMESTAMP_NTZ"
		}
		e, err := a.expr(ctx, &sql.Cast{At: x.At, X: x.Args[0].X, Type: &sql.TypeName{At: x.At, Name: k}, Call: true}, s)
		if c, ok := e.(*expr.Cast); ok {
			c.Implicit = true // generated names don't show it
		}
		return e, err
	}
	if v, ok := a.sessionValue(name); ok {
		if len(x.Args) > 0 && a.Dialect == sql.Spark {
			return nil, errclass.WrongNumArgs(name, "0", len(x.Args)).At(x.Span())
		}
		if len(x.Args) == 0 {
			return a.constantCall(name, v, x), nil
		}
	}
	if a.Dialect == sql.Spark && (name == "timestampadd" || name == "timestampdiff") && len(x.Args) > 0 {
		if id, ok := x.Args[0].X.(*sql.Ident); ok && len(id.Parts) == 1 {
			return nil, a.noFunction(x) // a unit that the grammar does not have makes it a call of a function that there is not
		}
	}
	return nil, nil
}

// timestampFunction is the name of the function that makes timestamps of the session's default type.
func (a *Analyzer) timestampFunction(name string) string {
	if a.Settings.TimestampNTZ {
		switch strings.ToLower(name) {
		case "to_timestamp", "make_timestamp", "try_to_timestamp", "try_make_timestamp":
			if ntz := name + "_ntz"; functions.Lookup(a.Dialect, ntz) != nil {
				return ntz
			}
		}
	}
	return name
}

// castNames are Spark's functions that cast: int(x), string(x) ….
var castNames = map[string]string{
	"boolean": "BOOLEAN", "tinyint": "TINYINT", "smallint": "SMALLINT", "int": "INT", "bigint": "BIGINT", "float": "FLOAT", "double": "DOUBLE",
	"decimal": "DECIMAL", "date": "DATE", "timestamp": "TIMESTAMP", "binary": "BINARY", "string": "STRING",
}

// sessionValue is what the functions without arguments that ask for the session's state answer.
func (a *Analyzer) sessionValue(name string) (string, bool) {
	switch name {
	case "current_path":
		return a.Settings.CurrentPath, a.Dialect == sql.Trino
	case "current_catalog":
		return a.Settings.CurrentCatalog, true
	case "current_database", "current_schema":
		return a.Settings.CurrentNamespace, true
	case "current_user", "user", "session_user":
		return a.Settings.User, true
	case "current_timezone":
		return a.Settings.TimeZone, true
	}
	return "", false
}

func (a *Analyzer) constantCall(name, value string, at sql.Node) expr.Expr {
	unset := a.Dialect == sql.Trino && value == "" && (name == "current_catalog" || name == "current_schema")
	if name == "current_database" {
		name = "current_schema" // so Spark calls it
	}
	c := &expr.Call{Name: name, Func: &expr.Func{Name: name, Dialect: a.Dialect, Signature: name + "()", Duck: func(*expr.Call, []string) string {
		if unset {
			return "CAST(NULL AS VARCHAR)"
		}
		return "'" + strings.ReplaceAll(value, "'", "''") + "'"
	}}}
	c.T, c.At = types.Of(types.String), at.Span()
	return c
}

// bareFunction is a name that no column has and that stands for a function without arguments: current_date, current_user ….
func (a *Analyzer) bareFunction(id *sql.Ident, parts []string) expr.Expr {
	if len(parts) != 1 || id.Parts[0].Quoted {
		return nil
	}
	name := strings.ToLower(parts[0])
	switch name {
	case "current_date", "current_timestamp", "localtimestamp", "current_time":
		if f := functions.Lookup(a.Dialect, name); f == nil || f.Signature == "" {
			return nil
		}
		e, err := functions.Resolve(a.Dialect, name, nil, id.Span())
		if err != nil {
			return nil
		}
		return &expr.Alias{Base: expr.Base{T: e.Type(), Null: e.Nullable(), At: id.Span()}, X: e, Name: name + "()"}
	case hiveGroupingID:
		if a.Dialect == sql.Spark {
			c := newGroupingCall(a.Dialect, groupingIDName, id)
			c.T = types.Of(types.Long)
			return &expr.Alias{Base: expr.Base{T: c.T, At: id.Span()}, X: c, Name: hiveGroupingID}
		}
	case "current_user", "user", "session_user", "current_catalog", "current_database", "current_schema", "current_path":
		if v, ok := a.sessionValue(name); ok {
			e := a.constantCall(name, v, id)
			return &expr.Alias{Base: expr.Base{T: e.Type(), At: id.Span()}, X: e, Name: name + "()"}
		}
	}
	return nil
}
