package functions

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// trino_signatures.tsv holds what SHOW FUNCTIONS of Trino 476 lists: name, kind, whether it is deterministic, the result's type, the
// arguments' types, and the bounds of type variables that messages show. A call is matched with its function's signatures as Trino does it, so that argument types, result types
// and the errors about them are Trino's. The rows of the function table say only how DuckDB computes a call.
//
//go:embed trino_signatures.tsv
var trinoSignatureText string

// pattern is a type in a signature: a type, a variable, or a type of them.
type pattern struct {
	base string // array, varchar, timestamp with time zone … or a variable's name
	args []pattern
	text string
}

type trinoSignature struct {
	name, kind    string
	deterministic bool
	bounds        string // of its variables, as messages show them: T:comparable
	result        pattern
	params        []pattern
	variadic      bool
}

// text is a signature as messages spell it.
func (s trinoSignature) text() string {
	parts := make([]string, len(s.params))
	for i, p := range s.params {
		parts[i] = p.text
	}
	return strings.TrimSpace(s.name + "(" + strings.Join(parts, ", ") + ") " + s.bounds)
}

// variables are a signature's type variables, in order.
func (s trinoSignature) variables() []string {
	var out []string
	var walk func(p pattern)
	walk = func(p pattern) {
		if len(p.args) == 0 && isVariable(p.base) && !slices.Contains(out, strings.ToUpper(p.base)) {
			out = append(out, strings.ToUpper(p.base))
		}
		for _, a := range p.args {
			if p.base != "varchar" && p.base != "char" && p.base != "decimal" && !strings.HasPrefix(p.base, "time") {
				walk(a)
			}
		}
	}
	for _, p := range s.params {
		walk(p)
	}
	walk(s.result)
	return out
}

// isVariable reports whether a name in a signature stands for any type.
func isVariable(name string) bool {
	return len(name) == 1 || len(name) == 2 && name[1] >= '0' && name[1] <= '9'
}

// splitTypes cuts a list of types at the commas outside of parentheses.
func splitTypes(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range s {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(s[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

func typePattern(s string) pattern {
	p := pattern{base: s, text: s}
	open := strings.IndexByte(s, '(')
	if open < 0 {
		return p
	}
	end := strings.LastIndexByte(s, ')')
	p.base = s[:open] + s[end+1:]
	for _, a := range splitTypes(s[open+1 : end]) {
		p.args = append(p.args, typePattern(a))
	}
	return p
}

// variadicFunctions take any number of their last argument; Trino's list does not say so.
var variadicFunctions = map[string]bool{"concat": true, "greatest": true, "least": true, "map_concat": true, "concat_ws": true}

var trinoSignatures = sync.OnceValue(func() map[string][]trinoSignature {
	out := map[string][]trinoSignature{}
	for _, line := range strings.Split(strings.TrimRight(trinoSignatureText, "\n"), "\n") {
		f := strings.Split(line, "\t")
		s := trinoSignature{name: f[0], kind: f[1], deterministic: f[2] == "yes", result: typePattern(f[3]), bounds: f[5]}
		for _, a := range splitTypes(f[4]) {
			s.params = append(s.params, typePattern(a))
		}
		s.variadic = variadicFunctions[s.name] && len(s.params) > 0 && !(s.name == "concat" && (len(s.params) == 2)) && s.params[len(s.params)-1].base != "array" || s.name == "concat" && f[4] == "array(E)"
		out[s.name] = append(out[s.name], s)
	}
	return out
})

// binding is what a signature's variables stand for in one call.
type binding struct {
	types   map[string]types.Type
	numbers map[string]int
	coerce  bool
}

// match binds a pattern to an argument's type; false if they don't fit.
func (b *binding) match(p pattern, t types.Type) bool {
	if len(p.args) == 0 && isVariable(p.base) {
		return b.bind(p.base, t)
	}
	null := t.Kind == types.Null
	if null && !b.coerce && p.base != "unknown" {
		return false
	}
	switch p.base {
	case "array":
		if null {
			return b.matchNull(p)
		}
		return t.Kind == types.Array && b.match(p.args[0], *t.Elem)
	case "map":
		if null {
			return b.matchNull(p)
		}
		return t.Kind == types.Map && b.match(p.args[0], *t.Key) && b.match(p.args[1], *t.Value)
	case "row":
		if null {
			return b.matchNull(p)
		}
		if t.Kind != types.Struct || len(t.Fields) != len(p.args) {
			return false
		}
		for i, f := range t.Fields {
			if !b.match(p.args[i], f.Type) {
				return false
			}
		}
		return true
	case "varchar":
		n, bounded := t.Length()
		if !bounded {
			n = math.MaxInt32
		}
		switch {
		case len(p.args) == 1 && p.args[0].base[0] >= '0' && p.args[0].base[0] <= '9':
			most, _ := strconv.Atoi(p.args[0].base)
			return t.Kind == types.String && n <= most || b.coerce && null
		case len(p.args) == 0:
			return t.Kind == types.String && !bounded || b.coerce && (null || t.Kind == types.String || t.Kind == types.Char)
		case t.Kind == types.String, b.coerce && t.Kind == types.Char:
			b.number(p.args[0].base, n)
			return true
		case b.coerce && null:
			b.number(p.args[0].base, 0)
			return true
		}
		return false
	case "char":
		switch {
		case t.Kind == types.Char:
			b.number(p.args[0].base, t.Precision)
			return true
		case b.coerce && t.Kind == types.String:
			n, bounded := t.Length()
			if !bounded {
				n = maxChar
			}
			b.number(p.args[0].base, min(n, maxChar))
			return true
		}
		return false
	case "decimal":
		d := t
		switch {
		case t.Kind == types.Decimal:
		case b.coerce && t.IsIntegral():
			d = trinoDecimal(t)
		case b.coerce && null:
			d = types.DecimalOf(1, 0)
		default:
			return false
		}
		if _, err := strconv.Atoi(p.args[0].base); err == nil {
			return true
		}
		b.number(p.args[0].base, d.Precision)
		b.number(p.args[1].base, d.Scale)
		return true
	case "timestamp", "timestamp with time zone", "time", "time with time zone":
		return b.matchTemporal(p, t)
	case "codepoints", "joniregexp", "jsonpath":
		return t.Kind == types.String || t.Kind == types.Char || null
	}
	to, ok := trinoPlain[p.base]
	return ok && (t.Equal(to) || b.coerce && trinoCoercible(t, to))
}

func (b *binding) matchNull(p pattern) bool {
	for _, a := range p.args {
		if !b.match(a, types.Type{}) {
			return false
		}
	}
	return true
}

// temporalKinds are the types with digits of a fraction, by Trino's names.
var temporalKinds = map[string]types.Kind{
	"timestamp": types.TimestampNTZ, "timestamp with time zone": types.Timestamp, "time": types.Time, "time with time zone": types.TimeTZ,
}

// matchTemporal binds the digits of timestamp(p), time(p), timestamp(p) with time zone and time(p) with time zone.
func (b *binding) matchTemporal(p pattern, t types.Type) bool {
	kind := temporalKinds[p.base]
	digits := 0
	switch {
	case t.Kind == kind:
		digits = t.Digits()
	case !b.coerce:
		return false
	case t.Kind == types.Null:
		digits = 3
	case kind == types.TimeTZ && t.Kind == types.Time:
		digits = t.Digits()
	case (kind == types.Timestamp || kind == types.TimestampNTZ) && t.Kind == types.Date:
	case kind == types.Timestamp && t.Kind == types.TimestampNTZ:
		digits = t.Digits()
	default:
		return false
	}
	if kind == types.Timestamp {
		b.number("zoned", 1)
	}
	if name := p.args[0].base; name[0] < '0' || name[0] > '9' {
		b.number(name, max(digits, b.numbers[name]))
	}
	return true
}

func (b *binding) number(name string, n int) { b.numbers[name] = max(n, b.numbers[name]) }

func (b *binding) bind(name string, t types.Type) bool {
	old, ok := b.types[name]
	if !ok {
		b.types[name] = t
		return true
	}
	if old.Equal(t) {
		return true
	}
	if !b.coerce {
		return false
	}
	common, ok := trinoCommon(old, t)
	b.types[name] = common
	return ok
}

// trinoPlain are the types without parameters, by Trino's names.
var trinoPlain = map[string]types.Type{
	"unknown": {}, "boolean": types.Of(types.Boolean), "tinyint": types.Of(types.Byte), "smallint": types.Of(types.Short), "integer": types.Of(types.Int),
	"bigint": types.Of(types.Long), "real": types.Of(types.Float), "double": types.Of(types.Double), "varbinary": types.Of(types.Binary), "date": types.Of(types.Date),
	"json": types.Of(types.JSON), "uuid": types.Of(types.UUID), "ipaddress": types.Of(types.IPAddress),
	"interval day to second": types.DayTime(types.Day, types.Second), "interval year to month": types.YearMonth(types.Year, types.Month),
}

// fill is a pattern with its variables replaced.
func (b *binding) fill(p pattern) types.Type {
	if len(p.args) == 0 && isVariable(p.base) {
		return b.types[p.base]
	}
	n := func(i int) int {
		if v, err := strconv.Atoi(p.args[i].base); err == nil {
			return v
		}
		return b.numbers[p.args[i].base]
	}
	switch p.base {
	case "array":
		return types.ArrayOf(b.fill(p.args[0]), true)
	case "map":
		return types.MapOf(b.fill(p.args[0]), b.fill(p.args[1]), true)
	case "row":
		fields := make([]types.Field, len(p.args))
		for i, a := range p.args {
			fields[i] = types.Field{Type: b.fill(a), Nullable: true}
		}
		return types.StructOf(fields...)
	case "varchar":
		if len(p.args) == 0 || n(0) == math.MaxInt32 {
			return types.Of(types.String)
		}
		return types.VarcharOf(n(0))
	case "char":
		return types.CharOf(n(0))
	case "codepoints", "joniregexp", "jsonpath":
		return types.Of(types.String)
	case "decimal":
		return types.DecimalOf(max(n(0), 1), n(1))
	case "timestamp", "timestamp with time zone", "time", "time with time zone":
		return types.TemporalOf(temporalKinds[p.base], n(0))
	}
	return trinoPlain[p.base]
}

// candidate is a signature that fits a call.
type candidate struct {
	sig     trinoSignature
	b       *binding
	targets []types.Type
}

func (s trinoSignature) param(i int) pattern { return s.params[min(i, len(s.params)-1)] }

// try matches a signature with the arguments' types.
func (s trinoSignature) try(args []types.Type, coerce bool) (candidate, bool) {
	if len(args) != len(s.params) && !(s.variadic && len(args) >= len(s.params)) {
		return candidate{}, false
	}
	b := &binding{types: map[string]types.Type{}, numbers: map[string]int{}, coerce: coerce}
	for i, t := range args {
		if !b.match(s.param(i), t) {
			return candidate{}, false
		}
	}
	c := candidate{sig: s, b: b}
	for i, t := range args {
		to := b.fill(s.param(i))
		if !t.Equal(to) && !trinoCoercible(t, to) && !(t.Kind == types.Char && to.Kind == types.String) {
			return candidate{}, false
		}
		c.targets = append(c.targets, to)
	}
	return c, true
}

// bindTrino types a call by its function's signatures.
func bindTrino(c *expr.Call) error {
	sigs := trinoSignatures()[c.Func.Name]
	args := argTypes(c)
	var found *candidate
	for _, generic := range []bool{false, true} {
		for _, s := range sigs {
			if (len(s.variables()) > 0) != generic {
				continue
			}
			if k, ok := s.try(args, false); ok && found == nil {
				found = &k
			}
		}
	}
	if found == nil {
		var fits []candidate
		for _, s := range sigs {
			if k, ok := s.try(args, true); ok {
				fits = append(fits, k)
			}
		}
		if found = mostSpecific(fits, args); found == nil && len(fits) > 1 {
			return ambiguous(fits, len(args))
		}
	}
	if found == nil {
		return trinoUnexpected(c, c.Func.Name)
	}
	for i, to := range found.targets {
		if a := c.Args[i]; !a.Type().Equal(to) {
			c.Args[i] = trinoImplicit(a, to)
		}
	}
	resultNumbers(found.sig.name, found.b.numbers, len(args))
	c.T = found.b.fill(found.sig.result)
	if c.T.Kind == types.Timestamp {
		// A function of a timestamp with time zone keeps its zone; one that makes a new one is in the session's.
		zone, err := zoneOfResult(c)
		if err != nil {
			return err
		}
		c.T.Zone = zone
	}
	c.Null = true
	return nil
}

// ambiguous is a call that several signatures fit equally.
func ambiguous(fits []candidate, args int) error {
	lines := make([]string, len(fits))
	for i, k := range fits {
		targets := make([]string, len(k.targets))
		for j, t := range k.targets {
			targets[j] = t.Trino()
		}
		resultNumbers(k.sig.name, k.b.numbers, args)
		lines[i] = "(" + strings.Join(targets, ",") + "):" + k.b.fill(k.sig.result).Trino()
	}
	return errclass.TrinoAmbiguousCall(lines)
}

// mostSpecific is the candidate whose parameters can all be cast to every other one's; nil if there is none. CHAR and VARCHAR can each be
// cast to the other one, so candidates that take texts as what they are go before those that don't.
func mostSpecific(fits []candidate, args []types.Type) *candidate {
	if kept := slices.DeleteFunc(slices.Clone(fits), func(k candidate) bool { return !k.keepsTexts(args) }); len(kept) > 0 {
		fits = kept
	}
	for i := range fits {
		best := true
		for j := range fits {
			if i != j {
				if _, ok := fits[j].sig.try(fits[i].targets, true); !ok {
					best = false
				}
			}
		}
		if best {
			return &fits[i]
		}
	}
	// Arguments that are NULL fit anything: it does not matter which signature is taken if all give the same type.
	for i := range fits {
		if i > 0 && fits[i].sig.result.text != fits[0].sig.result.text || !nullOnly(args) {
			return nil
		}
	}
	if len(fits) > 0 {
		return &fits[0]
	}
	return nil
}

// keepsTexts reports whether a candidate takes a VARCHAR as a VARCHAR and a CHAR as a CHAR.
func (k candidate) keepsTexts(args []types.Type) bool {
	for i, t := range args {
		if (t.Kind == types.String || t.Kind == types.Char) && k.targets[i].Kind != t.Kind {
			return false
		}
	}
	return true
}

// nullOnly reports whether an argument is a bare NULL.
func nullOnly(args []types.Type) bool {
	return slices.ContainsFunc(args, func(t types.Type) bool { return t.Kind == types.Null })
}

// resultNumbers computes the lengths and digits of results that depend on those of the arguments.
func resultNumbers(name string, n map[string]int, args int) {
	switch name {
	case "ceil", "ceiling", "floor":
		n["rp"] = n["p"] - n["s"] + min(n["s"], 1)
	case "round":
		if n["rp"], n["rs"] = min(maxPrecision, n["p"]-n["s"]+min(1, n["s"])), 0; args > 1 {
			n["rp"] = min(maxPrecision, n["p"]+1)
		}
	case "truncate":
		if n["rp"] = max(n["p"]-n["s"], 1); args > 1 {
			n["rp"] = n["p"]
		}
	case "mod":
		n["r_scale"] = max(n["a_scale"], n["b_scale"])
		n["r_precision"] = min(n["b_precision"]-n["b_scale"], n["a_precision"]-n["a_scale"]) + n["r_scale"]
	case "replace":
		n["u"] = clipped(float64(n["x"]) + float64(n["z"])*(float64(n["x"])+1))
	case "regexp_replace":
		x, y := float64(n["x"]), float64(n["y"])
		n["z"] = clipped(x + math.Max(math.Floor(x*y/2), y)*(x+1))
	case "url_encode":
		n["y"] = clipped(float64(n["x"]) * 12)
	case "to_iso8601":
		if n["n"] = 22; n["zoned"] > 0 {
			n["n"] = 28
		}
		if n["p"] > 0 {
			n["n"] += n["p"] + 1
		}
	case "concat":
		n["u"] = n["x"] + n["y"]
	}
}

func clipped(n float64) int { return int(math.Min(n, math.MaxInt32)) }

// trinoUnexpected is a call by another name that no signature fits.
func trinoUnexpected(c *expr.Call, name string) error {
	f := *c.Func
	f.Name = name
	return TrinoUnexpected(&expr.Call{Func: &f, Args: c.Args})
}

// finishTrino completes Trino's table once all rows are in it: functions that Trino lists get their types from its list or, if
// there is no row, are refused by name; rows that Trino does not list go, but for those that the grammar makes.
var finishTrino = sync.OnceFunc(func() {
	t := tables[sql.Trino]
	sigs := trinoSignatures()
	for name, s := range sigs {
		f := t[name]
		if f == nil {
			t[name] = missing(trinoMissing(name), name)[0]
			t[name].Dialect = sql.Trino
			continue
		}
		if f.Name != name { // an alias
			g := *f
			g.Name, g.Aliases = name, nil
			f = &g
			t[name] = f
		}
		lambda := slices.ContainsFunc(s, func(s trinoSignature) bool {
			return slices.ContainsFunc(s.params, func(p pattern) bool { return p.base == "function" })
		})
		switch {
		case f.Missing != "" || ownRule[name]:
		case !lambda || f.Resolve == nil:
			f.Resolve = bindTrino
		case name != "array_sort":
			f.Resolve = trinoHigher(f.Resolve)
		}
		f.NonDeterministic = !s[0].deterministic
		if f.Kind == expr.Aggregate {
			f.Duck = inReal(f.Duck)
		}
	}
	for name, f := range t {
		if sigs[name] == nil && f.Signature != "" && !fromGrammar[name] {
			delete(t, name)
		}
	}
})

// inReal gives an aggregate of reals a real's digits: DuckDB's give doubles.
func inReal(print func(*expr.Call, []string) string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		s := print(c, a)
		if c.T.Kind == types.Float {
			return typedAs(c.T, s)
		}
		return s
	}
}

// trinoMissing says why a function that Trino lists is refused.
func trinoMissing(name string) string {
	for reason, names := range trinoReasons {
		if slices.Contains(names, name) {
			return reason
		}
	}
	return "not built yet"
}

var trinoReasons = map[string][]string{
	"sketches have no type here": {
		"approx_set", "empty_approx_set", "merge", "qdigest_agg", "tdigest_agg", "value_at_quantile", "values_at_quantiles", "quantile_at_value",
		"make_set_digest", "merge_set_digest", "hash_counts", "intersection_cardinality", "jaccard_index",
	},
	"the type color is not built":        {"bar", "color", "render", "rgb"},
	"stemmers of languages are not here": {"word_stem"},
	"this hash is not built":             {"spooky_hash_v2_32", "spooky_hash_v2_64"},
}

// fromGrammar are the functions that Trino's grammar makes; SHOW FUNCTIONS does not list them.
var fromGrammar = map[string]bool{
	"array": true, "row": true, "version": true, "coalesce": true, "nullif": true, "if": true, "try": true, "grouping": true, "current_timestamp": true, "localtimestamp": true,
	"localtime": true, "current_time": true, "current_date": true, "subscript": true, "$at_timezone": true, "format": true, "json_exists": true, "json_value": true, "json_query": true,
}

// ownRule are listed functions whose types no signature says: those of other numbers of arguments, or that take types as they are.
var ownRule = map[string]bool{"concat": true, "greatest": true, "least": true, "map_concat": true, "count": true, "map": true, "concat_ws": true, "approx_percentile": true, "listagg": true, "checksum": true, "regexp_replace": true}

// TrinoFunction is a row of SHOW FUNCTIONS.
type TrinoFunction struct {
	Name, Result, Args, Kind, Doc string
	Deterministic                 bool
}

// TrinoFunctions lists the signatures of the functions that are here, by name.
func TrinoFunctions() []TrinoFunction {
	finishTrino()
	var out []TrinoFunction
	for name, sigs := range trinoSignatures() {
		f := tables[sql.Trino][name]
		if f.Missing != "" {
			continue
		}
		for _, s := range sigs {
			args := make([]string, len(s.params))
			for i, p := range s.params {
				args[i] = p.text
			}
			out = append(out, TrinoFunction{name, s.result.text, strings.Join(args, ", "), s.kind, f.Doc, s.deterministic})
		}
	}
	slices.SortStableFunc(out, func(a, b TrinoFunction) int {
		return strings.Compare(a.Name+"\x00"+a.Result+"\x00"+a.Args, b.Name+"\x00"+b.Result+"\x00"+b.Args)
	})
	return out
}
