package plan

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// namedParam is a parameter that may be given by name; value is the default as SQL, empty for one that must be given.
type namedParam struct{ name, value string }

// namedParams are the functions of Spark whose arguments may be named.
var namedParams = map[string][]namedParam{
	"mask":             {{"str", ""}, {"upperChar", "'X'"}, {"lowerChar", "'x'"}, {"digitChar", "'n'"}, {"otherChar", "NULL"}},
	"count_min_sketch": {{"column", ""}, {"epsilon", ""}, {"confidence", ""}, {"seed", ""}},
	"explode":          {{"collection", ""}},
	"explode_outer":    {{"collection", ""}},
	"posexplode":       {{"collection", ""}},
	"posexplode_outer": {{"collection", ""}},
	"inline":           {{"input", ""}},
	"inline_outer":     {{"input", ""}},
}

// positional puts a call's named arguments into the function's order (Spark's "Named arguments").
func positional(x *sql.Call) (*sql.Call, error) {
	named := false
	for _, arg := range x.Args {
		named = named || arg.Name != nil
	}
	if !named {
		return x, nil
	}
	name := strings.ToLower(x.Name[len(x.Name)-1].Text)
	params := namedParams[name]
	if params == nil {
		return nil, errclass.NamedNotSupported(name).At(x.Span())
	}
	args := make([]sql.Expr, len(params))
	byName := ""
	for i, arg := range x.Args {
		at := i
		switch {
		case arg.Name != nil:
			byName = arg.Name.Text
			if at = paramIndex(params, byName); at < 0 {
				return nil, errclass.UnrecognizedParameter(name, byName, paramList(params)).At(arg.Name.Span())
			}
			if args[at] != nil && x.Args[at].Name == nil && at < i {
				return nil, errclass.ParameterTwice(name, byName).At(arg.Name.Span())
			}
			if args[at] != nil {
				return nil, errclass.DuplicateParameter(name, byName).At(arg.Name.Span())
			}
		case byName != "":
			return nil, errclass.UnexpectedPositional(name, byName).At(arg.X.Span())
		case at >= len(args):
			return nil, errclass.WrongNumArgs(name, len(params), len(x.Args)).At(x.Span())
		}
		args[at] = arg.X
	}
	out := *x
	out.Args = nil
	for i, p := range params {
		if args[i] == nil {
			if p.value == "" {
				return nil, errclass.RequiredParameter(name, p.name, i).At(x.Span())
			}
			args[i] = defaultOf(p, x)
		}
		out.Args = append(out.Args, sql.Arg{X: args[i]})
	}
	return &out, nil
}

func defaultOf(p namedParam, at *sql.Call) sql.Expr {
	if p.value == "NULL" {
		return &sql.Literal{At: at.At, Kind: sql.NullLit}
	}
	return &sql.Literal{At: at.At, Kind: sql.StringLit, Text: strings.Trim(p.value, "'")}
}

func paramIndex(params []namedParam, name string) int {
	for i, p := range params {
		if strings.EqualFold(p.name, name) {
			return i
		}
	}
	return -1
}

func paramList(params []namedParam) []string {
	out := make([]string, len(params))
	for i, p := range params {
		out[i] = p.name
	}
	return out
}
