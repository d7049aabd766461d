package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/jsonpath"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// The SQL standard's JSON functions ("JSON functions and operators"). A function in Go finds what is asked for and gives a text whose first
// letter says what it is (see trinoJSONFind); SQL makes the value of it, or what stands ON EMPTY and ON ERROR.

// JSONCall is one of them with its arguments resolved: package plan makes it of *sql.JSONFunc.
type JSONCall struct {
	*sql.JSONFunc
	Returns types.Type
	// Places in the call's arguments; -1 where there is none.
	input, onEmpty, onError int
	passing, keys, values   []int
}

// JSON types one of the standard's JSON functions. resolve resolves an argument.
func JSON(f *sql.JSONFunc, resolve func(sql.Expr) (expr.Expr, error)) (expr.Expr, error) {
	k := &JSONCall{JSONFunc: f, Returns: types.Of(types.String), input: -1, onEmpty: -1, onError: -1}
	c := &expr.Call{Func: Lookup(sql.Trino, f.Name), Name: f.Name, Extra: k}
	c.At, c.Null = f.Span(), true
	add := func(x sql.Expr) (int, error) {
		e, err := resolve(x)
		c.Args = append(c.Args, e)
		return len(c.Args) - 1, err
	}
	if f.Returning != nil {
		t, err := trinoTypeOf(f.Returning)
		if err != nil {
			return nil, errclass.Place(err, f.Span())
		}
		k.Returns = t
	}
	if f.Name == "json_exists" {
		k.Returns = types.Of(types.Boolean)
	}
	c.T = k.Returns
	if err := k.checkReturns(); err != nil {
		return nil, err.At(f.Span())
	}
	if f.Path != nil {
		if err := k.readPath(c, add); err != nil {
			return nil, err
		}
	}
	for _, it := range f.Items {
		if it.Key != nil {
			i, err := add(it.Key)
			if err != nil {
				return nil, err
			}
			if t := c.Args[i].Type(); t.Kind != types.String && t.Kind != types.Char {
				return nil, errclass.TrinoJSONKey(t).At(it.Key.Span())
			}
			k.keys = append(k.keys, i)
		}
		i, err := add(it.X)
		if err != nil {
			return nil, err
		}
		k.values = append(k.values, i)
		if err := k.checkItem(it, c.Args[i].Type()); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// checkReturns refuses types that a function cannot give.
func (k *JSONCall) checkReturns() *errclass.Error {
	switch t := k.Returns; {
	case k.Name == "json_exists":
	case k.Name == "json_value":
		if nested(t) || t.Kind == types.Binary || t.Kind == types.JSON {
			return errclass.TrinoJSONReturns("Invalid return type of function JSON_VALUE: ", t, "")
		}
	case t.Kind != types.String && t.Kind != types.Char && t.Kind != types.Binary:
		return errclass.TrinoJSONReturns("Cannot output JSON value as ", t, " using formatting JSON")
	}
	return nil
}

// readPath reads the path, its input and its variables, and the defaults.
func (k *JSONCall) readPath(c *expr.Call, add func(sql.Expr) (int, error)) (err error) {
	if k.input, err = add(k.Input.X); err != nil {
		return err
	}
	if err := checkInput(k.Input, c.Args[k.input].Type()); err != nil {
		return err
	}
	path, err := jsonpath.Parse(k.Path.Text)
	if err != nil {
		return pathError(err, k.Path)
	}
	given := map[string]bool{}
	for _, it := range k.Passing {
		i, err := add(it.X)
		if err != nil {
			return err
		}
		if it.Format != "" {
			if err := checkInput(it, c.Args[i].Type()); err != nil {
				return err
			}
		}
		k.passing = append(k.passing, i)
		given[variableName(it)] = true
	}
	for _, v := range path.Variables {
		if !given[v] {
			message := "no value passed for parameter " + v
			if given[strings.ToUpper(v)] {
				message += `. Try quoting "` + v + `" in the PASSING clause to match case`
			}
			return errclass.TrinoJSONPath(message).At(k.Path.Span())
		}
	}
	for _, d := range []struct {
		answer sql.JSONAnswer
		place  *int
		when   string
	}{{k.OnEmpty, &k.onEmpty, "EMPTY"}, {k.OnError, &k.onError, "ERROR"}} {
		if d.answer.Default == nil {
			continue
		}
		if *d.place, err = add(d.answer.Default); err != nil {
			return err
		}
		x, ok := CoerceIn(sql.Trino, c.Args[*d.place], k.Returns)
		if !ok {
			return errclass.TrinoTypeOf("Function JSON_VALUE default ON "+d.when+" result must evaluate to a "+k.Returns.Trino(), c.Args[*d.place].Type()).At(d.answer.Default.Span())
		}
		c.Args[*d.place] = x
	}
	return nil
}

// variableName is the name by which a path knows a value: in capitals unless it is quoted.
func variableName(it sql.JSONItem) string {
	if it.Name.Quoted {
		return it.Name.Text
	}
	return strings.ToUpper(it.Name.Text)
}

// pathError gives an error in a path its place in the statement.
func pathError(err error, path *sql.Literal) error {
	e := err.(*jsonpath.SyntaxError)
	if e.Unsupported != "" {
		return errclass.TrinoUnsupported(e.Unsupported).At(path.Span())
	}
	at := path.Span()
	at.Start.Col += 1 + e.At
	at.Start.Offset += 1 + e.At
	return errclass.TrinoSyntax(e.Message, token.Span{Start: at.Start, End: at.End})
}

// nested reports whether values of a type hold others.
func nested(t types.Type) bool {
	return t.Kind == types.Array || t.Kind == types.Map || t.Kind == types.Struct
}

// checkInput refuses what cannot hold JSON.
func checkInput(it sql.JSONItem, t types.Type) error {
	text, bytes := t.Kind == types.String || t.Kind == types.Char || t.Kind == types.Null, t.Kind == types.Binary || t.Kind == types.Null
	encoded := it.Format != "" && it.Format != "JSON"
	if text && !encoded || bytes && it.Format != "UTF16" && it.Format != "UTF32" {
		return nil
	}
	if encoded && bytes {
		return errclass.UnsupportedStatement(sql.Trino, "JSON ENCODING "+it.Format).At(it.X.Span())
	}
	form := "JSON"
	if encoded {
		form = "JSON ENCODING " + it.Format
	}
	return errclass.TrinoJSONReturns("Cannot read input of type ", t, " as JSON using formatting "+form).At(it.X.Span())
}

// checkItem refuses values that JSON_OBJECT and JSON_ARRAY do not take.
func (k *JSONCall) checkItem(it sql.JSONItem, t types.Type) error {
	switch {
	case it.Format != "":
		return checkInput(it, t)
	case t.Kind == types.Binary:
		return errclass.TrinoUnsupported("Unsupported type of value passed to " + strings.ToUpper(k.Name) + " function: " + t.Trino()).At(it.X.Span())
	case nested(t):
		return errclass.TrinoUnsupported("Unsupported type of value passed to " + strings.ToUpper(k.Name) + " function: " + t.Trino()).At(k.Span())
	}
	return nil
}

func init() {
	for _, name := range []string{"json_exists", "json_value", "json_query", "json_object", "json_array"} {
		print := printJSONPath
		if name == "json_object" || name == "json_array" {
			print = printJSONItems
		}
		// The grammar makes their calls: a plain call has no rule to be typed by.
		trino(&expr.Func{Name: name, Duck: print})
	}
	define("trino_json_find", "string, string, string, string -> string", func(a []any) any {
		return trinoJSONFind(a[0].(string), a[1].(string), a[2].(string), a[3].(string))
	})
	define("trino_json_input", "string -> string", func(a []any) any {
		v, err := jsonpath.Decode(a[0].(string))
		if err != nil {
			return nil
		}
		return jsonpath.Encode(v)
	})
}

// printJSONPath prints JSON_EXISTS, JSON_VALUE and JSON_QUERY.
func printJSONPath(c *expr.Call, a []string) string {
	k := c.Extra.(*JSONCall)
	text := func(i int) string {
		if c.Args[i].Type().Kind == types.Binary {
			return "decode(" + a[i] + ")"
		}
		return trinoText(c.Args[i].Type(), a[i])
	}
	variables := []string{"'{'"}
	for n, i := range k.passing {
		v := text(i)
		if k.Passing[n].Format == "" {
			v = trinoCaster{c: &expr.Cast{X: c.Args[i]}}.toJSON(c.Args[i].Type(), a[i])
		}
		comma := ","
		if n == 0 {
			comma = ""
		}
		variables = append(variables, quote(comma+jsonpath.Quote(variableName(k.Passing[n]))+":"), "coalesce("+v+", 'null')")
	}
	how := k.Name + " " + k.Wrapper
	if k.OmitQuotes {
		how += " OMIT"
	}
	find := "trino_json_find(" + join([]string{text(k.input), quote(k.Path.Text), joinWith(append(variables, "'}'"), " || "), quote(how)}) + ")"
	return let(find, func(v string) string {
		rest := "substr(" + v + ", 2)"
		failed := k.answer(c, a, k.OnError, k.onError, "split_part("+rest+", chr(31), 1)", "split_part("+rest+", chr(31), 2)")
		empty := k.answer(c, a, k.OnEmpty, k.onEmpty, map[string]string{"json_value": "'JSON_VALUE_RESULT_ERROR'", "json_query": "'JSON_OUTPUT_CONVERSION_ERROR'"}[k.Name],
			quote(jsonFailures[k.Name]+"JSON path found no items"))
		s := "CASE left(" + v + ", 1) WHEN 'X' THEN " + failed
		switch k.Name {
		case "json_exists":
			return s + " WHEN 'T' THEN true WHEN 'F' THEN false END"
		case "json_query":
			return s + " WHEN 'E' THEN " + empty + " WHEN 'J' THEN " + jsonOutput(k.Returns, rest) + " END"
		}
		s += " WHEN 'E' THEN " + empty
		for _, kind := range []struct {
			letter string
			from   types.Type
		}{{"i", types.Of(types.Long)}, {"d", types.Of(types.Double)}, {"n", types.DecimalOf(maxPrecision, 10)}, {"s", types.Of(types.String)}, {"b", types.Of(types.Boolean)}} {
			value := "CAST(NULL AS " + DuckType(k.Returns) + ")"
			switch from := kind.from; {
			case k.Returns.Kind == types.String && kind.letter != "d":
				value = trinoCaster{c: &expr.Cast{X: c}, try: true}.toText(types.Of(types.String), k.Returns, rest)
			case trinoCastable(from, k.Returns):
				value = trinoCaster{c: &expr.Cast{X: c}, try: true}.print(from, k.Returns, "TRY_CAST("+rest+" AS "+DuckType(from)+")")
			}
			name := map[string]string{"i": "integer", "d": "double", "n": "decimal", "s": "varchar", "b": "boolean"}[kind.letter]
			cannot := k.answer(c, a, k.OnError, k.onError, "'JSON_VALUE_RESULT_ERROR'",
				quote(jsonFailures[k.Name]+"Cannot cast value of type "+name+" to declared return type of function JSON_VALUE: "+k.Returns.Trino()))
			s += " WHEN '" + kind.letter + "' THEN coalesce(" + value + ", " + cannot + ")"
		}
		return s + " END"
	})
}

// jsonFailures begin the messages about a result that cannot be given.
var jsonFailures = map[string]string{"json_value": "cannot extract SQL scalar from JSON: ", "json_query": "conversion from JSON failed: "}

// answer is what stands for a value that is not there. name and message are texts in SQL.
func (k *JSONCall) answer(c *expr.Call, a []string, to sql.JSONAnswer, place int, name, message string) string {
	null := "CAST(NULL AS " + DuckType(k.Returns) + ")"
	switch to.What {
	case "ERROR":
		return typedAs(k.Returns, Fail(c, "TRINO", name, message))
	case "DEFAULT":
		return a[place]
	case "EMPTY ARRAY":
		return jsonOutput(k.Returns, "'[]'")
	case "EMPTY OBJECT":
		return jsonOutput(k.Returns, "'{}'")
	case "TRUE", "FALSE":
		return strings.ToLower(to.What)
	case "":
		if k.Name == "json_exists" {
			return "false"
		}
	}
	return null
}

// jsonOutput is a JSON text as a function's type.
func jsonOutput(t types.Type, s string) string {
	if t.Kind == types.Binary {
		return "encode(" + s + ")"
	}
	return trinoCaster{}.toText(types.Of(types.String), t, s)
}

// printJSONItems prints JSON_OBJECT and JSON_ARRAY.
func printJSONItems(c *expr.Call, a []string) string {
	k := c.Extra.(*JSONCall)
	items, keys := []string{}, []string{}
	for n, i := range k.values {
		t, value := c.Args[i].Type(), ""
		switch inner, _ := c.Args[i].(*expr.Call); {
		case k.Items[n].Format != "":
			text := a[i]
			if t.Kind == types.Binary {
				text = "decode(" + text + ")"
			}
			value = let(text, func(v string) string {
				return "coalesce(trino_json_input(" + v + "), CASE WHEN " + v + " IS NOT NULL THEN " + trinoFail(c, "JSON_INPUT_CONVERSION_ERROR", "'conversion to JSON failed: '") + " END)"
			})
		case inner != nil && isJSONText(inner):
			value = a[i]
		case t.IsNumeric() || t.Kind == types.Boolean || t.Kind == types.Null || t.Kind == types.String:
			value = trinoCaster{c: &expr.Cast{X: c.Args[i]}}.toJSON(t, a[i])
		case t.Kind == types.Char: // without its blanks
			value = "trino_json_quote(" + a[i] + ")"
		default:
			value = "trino_json_quote(" + trinoCaster{c: &expr.Cast{X: c}}.print(t, types.Of(types.String), a[i]) + ")"
		}
		if !k.AbsentNull {
			value = "coalesce(" + value + ", 'null')"
		}
		if len(k.keys) > 0 {
			key := a[k.keys[n]]
			keys = append(keys, key)
			value = "trino_json_quote(" + key + ") || ':' || " + value
		}
		items = append(items, value)
	}
	open, end := "'['", "']'"
	if c.Func.Name == "json_object" {
		open, end = "'{'", "'}'"
	}
	text := open + " || " + end
	if len(items) > 0 {
		text = open + " || coalesce(array_to_string([" + join(items) + "], ','), '') || " + end
	}
	if len(keys) > 1 {
		bad := trinoFail(c, "NOT_SUPPORTED", quote("cannot construct a JSON object with duplicate key"))
		if k.Unique {
			bad = trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("duplicate key passed to JSON_OBJECT function"))
		}
		list := "[" + join(keys) + "]"
		text = "CASE WHEN len(list_distinct(" + list + ")) < " + itoa(len(keys)) + " THEN " + bad + " ELSE " + text + " END"
	}
	return jsonOutput(k.Returns, text)
}

// isJSONText reports whether a call gives JSON that another JSON function takes as it is.
func isJSONText(c *expr.Call) bool {
	k, ok := c.Extra.(*JSONCall)
	return ok && k.Name != "json_exists" && k.Name != "json_value" && k.Returns.Kind == types.String
}

var parsedPaths memo[*jsonpath.Path]

// trinoJSONFind looks for a path in a JSON text. how names the function and what changes its result. It gives X with an error's name and
// message; T or F for JSON_EXISTS; E if nothing was found, J with JSON for JSON_QUERY; for JSON_VALUE i, d, n, s or b with a whole
// number, a double, a decimal, a text or a boolean; NULL for a JSON null.
func trinoJSONFind(input, path, variables, how string) any {
	fail := func(name, message string) string { return "X" + name + "\x1f" + message }
	document, err := jsonpath.Decode(input)
	if err != nil {
		return fail("JSON_INPUT_CONVERSION_ERROR", "conversion to JSON failed: ")
	}
	given, err := jsonpath.Decode(variables)
	if err != nil {
		return fail("JSON_INPUT_CONVERSION_ERROR", "conversion to JSON failed: ")
	}
	values := map[string]any{}
	for _, m := range given.(jsonpath.Object) {
		values[m.Key] = m.Value
	}
	parsed, ok := parsedPaths.load(path)
	if !ok {
		if parsed, err = jsonpath.Parse(path); err != nil {
			return fail("INVALID_PATH", err.Error())
		}
		parsedPaths.store(path, parsed)
	}
	items, err := parsed.Eval(document, values)
	if err != nil {
		return fail("PATH_EVALUATION_ERROR", "path evaluation failed: "+err.Error())
	}
	name, options, _ := strings.Cut(how, " ")
	switch {
	case name == "json_exists" && len(items) > 0:
		return "T"
	case name == "json_exists":
		return "F"
	case len(items) == 0:
		return "E"
	case name == "json_query":
		return jsonQueryResult(items, options)
	case len(items) > 1:
		return fail("JSON_VALUE_RESULT_ERROR", jsonFailures[name]+"JSON path found multiple items")
	}
	switch v := items[0].(type) {
	case nil:
		return nil
	case []any, jsonpath.Object:
		return fail("JSON_VALUE_RESULT_ERROR", jsonFailures[name]+"JSON path found an item that cannot be converted to an SQL value")
	case bool:
		return "b" + jsonpath.Encode(v)
	case string:
		return "s" + v
	case float64:
		return "d" + jsonpath.Encode(v)
	case int64:
		return "i" + jsonpath.Encode(v)
	default:
		return "n" + jsonpath.Encode(v)
	}
}

// jsonQueryResult is the text of what JSON_QUERY found.
func jsonQueryResult(items []any, options string) string {
	wrap := strings.HasPrefix(options, "UNCONDITIONAL")
	if strings.HasPrefix(options, "CONDITIONAL") {
		scalar := true
		switch items[0].(type) {
		case []any, jsonpath.Object:
			scalar = false
		}
		wrap = len(items) > 1 || scalar
	}
	var out any = items[0]
	switch {
	case wrap:
		out = items
	case len(items) > 1:
		return "XJSON_OUTPUT_CONVERSION_ERROR\x1f" + jsonFailures["json_query"] + "JSON path found multiple items"
	}
	if text, ok := out.(string); ok && strings.HasSuffix(options, "OMIT") {
		return "J" + text
	}
	return "J" + jsonpath.Encode(out)
}
