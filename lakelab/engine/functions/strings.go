package functions

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	both(
		row("upper(str)", "string -> string", "str in upper case", caseOf("upper")),
		row("lower(str)", "string -> string", "str in lower case", caseOf("lower")),
		defaults(3, row("replace(str, search[, replacement])", "string, string, string? -> string", "every search in str replaced", "replace($1, $2, '')", "replace($1, $2, $3)"), ""),
		row("translate(str, from, to)", "string, string, string -> string", "characters of from replaced by those of to at the same place", "translate($1, $2, $3)"),
		row("concat_ws(sep, str, …)", "string, any… -> string", "the arguments joined by sep, NULLs left out", ""),
		ruled("concat(a, b, …)", "the arguments joined; NULL if one is", concatRule, printConcat),
		printed("split_part(str, delimiter, n)", "string, string, int -> string?", "the n-th part of str, counted from 1; a negative n counts from the end", func(c *expr.Call, a []string) string {
			return letAll(a, []int{0, 1, 2}, func(a []string) string {
				return "CASE WHEN " + a[2] + " = 0 AND " + notNull(a) + " THEN " + Fail(placeless(c), "INVALID_INDEX_OF_ZERO") + " WHEN " + a[1] + " = '' THEN CASE WHEN abs(" + a[2] + ") = 1 THEN " + a[0] + " WHEN " + a[2] + " IS NOT NULL THEN '' END ELSE split_part(" + join(a) + ") END"
			})
		}),
		row("levenshtein(a, b[, most])", "string, string, int? -> int", "number of edits from a to b; -1 if there are more than most", "CAST(levenshtein($1, $2) AS INTEGER)",
			"CASE WHEN levenshtein($1, $2) <= $3 THEN CAST(levenshtein($1, $2) AS INTEGER) WHEN $1 IS NOT NULL AND $2 IS NOT NULL AND $3 IS NOT NULL THEN -1 END"),
		row("soundex(str)", "=string -> string", "sound of an English word", "spark_soundex($1)"),
		row("url_encode(str)", "string -> string?", "str for a URL", "spark_url_encode($1)"),
		printed("url_decode(str)", "string -> string?", "str out of a URL", func(c *expr.Call, a []string) string {
			return letAll(a, []int{0}, func(a []string) string {
				return "coalesce(spark_url_decode(" + a[0] + "), CASE WHEN " + a[0] + " IS NOT NULL THEN " + Fail(c, "CANNOT_DECODE_URL", a[0]) + " END)"
			})
		}),
	)
	for _, d := range []sql.Dialect{sql.Spark, sql.Trino} {
		f := tables[d]["concat_ws"]
		f.Resolve, f.Duck = concatWS, printConcatWS
	}
	spark(
		row("ucase(str)", "string -> string", "str in upper case", caseOf("upper")),
		row("lcase(str)", "string -> string", "str in lower case", caseOf("lower")),
		lengthRow("length(expr)", "len"), lengthRow("char_length(expr)", "character_length"),
		printed("octet_length(expr)", "bytes -> int", "number of bytes", func(c *expr.Call, a []string) string {
			return "CAST(octet_length(" + asBlob(c.Args[0], a[0]) + ") AS INTEGER)"
		}),
		printed("bit_length(expr)", "bytes -> int", "number of bits", func(c *expr.Call, a []string) string {
			return "CAST(8 * octet_length(" + asBlob(c.Args[0], a[0]) + ") AS INTEGER)"
		}),
		trimRow("trim", "BOTH", "both ends"), trimRow("ltrim", "LEADING", "the left"), trimRow("rtrim", "TRAILING", "the right"),
		known("trim", row("btrim(str[, chars])", "string, string? -> string", "str without spaces, or chars, at both ends", "trim($1, ' ')", "trim($1, $2)")),
		padRow("lpad", "left"), padRow("rpad", "right"),
		textOrBytes(printed("startswith(str, prefix)", "bytes, bytes -> boolean", "true if str begins with prefix", binarySearch("starts_with"))),
		textOrBytes(printed("endswith(str, suffix)", "bytes, bytes -> boolean", "true if str ends with suffix", binarySearch("ends_with"))),
		textOrBytes(printed("contains(str, part)", "bytes, bytes -> boolean", "true if part is in str", binarySearch("contains"))),
		also(defaults(3, printed("substring(str, pos[, len])", "bytes, int, int? -> same", "part of str; a negative pos counts from the end", printSubstring), "2147483647"), "substr"),
		printed("left(str, n)", "bytes, int -> same", "the first n characters", func(c *expr.Call, a []string) string {
			if c.T.Kind == types.Binary {
				return "spark_subbytes(" + a[0] + ", 1, " + a[1] + ")"
			}
			return "left(" + a[0] + ", " + notBelowZero(a[1]) + ")"
		}),
		row("right(str, n)", "string, int -> string?", "the last n characters", "right($1, "+notBelowZero("$2")+")"),
		row("substring_index(str, delim, n)", "string, string, int -> string", "str up to the n-th delim; counted from the end if n is negative", "spark_substring_index($1, $2, $3)"),
		row("repeat(str, n)", "string, int -> string", "str n times", "repeat(CAST($1 AS VARCHAR), "+notBelowZero("$2")+")"),
		row("initcap(str)", "string -> string", "every word with a capital letter", "array_to_string(list_transform(string_split(lower($1), ' '), lambda _w: upper(_w[1:1]) || _w[2:]), ' ')"),
		row("instr(str, part)", "string, string -> int", "place of part in str, from 1; 0 if it isn't there", "CAST(instr($1, $2) AS INTEGER)"),
		placed(also(defaults(3, row("locate(part, str[, pos])", "string, string, int? -> int", "place of part in str, looked for from pos on", "CAST(instr($2, $1) AS INTEGER)",
			"(CASE WHEN $3 IS NULL THEN 0 WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN $3 < 1 THEN 0 WHEN $1 = '' THEN 1 WHEN instr($2[$3:], $1) = 0 THEN 0 ELSE CAST(instr($2[$3:], $1) + $3 - 1 AS INTEGER) END)"), "1"), "position")),
		row("ascii(str)", "string -> int", "code of the first character", "CAST(ascii($1) AS INTEGER)"),
		also(row("char(n)", "long -> string", "the character with code n", "(CASE WHEN $1 < 0 THEN '' ELSE chr(CAST($1 % 256 AS INTEGER)) END)"), "chr"),
		row("space(n)", "int -> string", "n spaces", "repeat(' ', "+notBelowZero("$1")+")"),
		sameText(defaults(4, printed("overlay(str, part, pos[, len])", "bytes, bytes, int, int? -> same", "part put over str at pos", printOverlay), "-1")),
		defaults(3, row("split(str, regex[, limit])", "string, string, int? -> strings", "parts of str between matches of regex", "spark_split($1, $2, -1)", "spark_split($1, $2, $3)"), "-1"),
		row("find_in_set(str, list)", "string, string -> int", "place of str in a list separated by commas", "(CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN contains($1, ',') THEN 0 ELSE coalesce(list_position(string_split($2, ','), $1), 0) END)::INTEGER"),
		ruled("elt(n, a, b, …)", "the n-th of the arguments", eltRule, printElt),
		defaults(3, row("regexp_extract(str, regex[, group])", "string, string, int? -> string", "what a group (default 1) of the first match holds", "spark_regexp_extract($1, $2, 1)", "spark_regexp_extract($1, $2, $3)"), "1"),
		defaults(3, row("regexp_extract_all(str, regex[, group])", "string, string, int? -> texts", "what a group (default 1) of every match holds", "spark_regexp_extract_all($1, $2, 1)", "spark_regexp_extract_all($1, $2, $3)"), "1"),
		regexpPosition(defaults(4, row("regexp_replace(str, regex, rep[, pos])", "string, string, string, int? -> string", "every match replaced; $1 in rep is a group", "spark_regexp_replace($1, $2, $3, 1)", "spark_regexp_replace($1, $2, $3, $4)"), "1")),
		row("regexp_count(str, regex)", "string, string -> int", "number of matches", "spark_regexp_count($1, $2)"),
		defaults(3, row("regexp_instr(str, regex[, group])", "string, string, int? -> int", "place of the first match, from 1; 0 if there is none", "spark_regexp_instr($1, $2)", "CASE WHEN $3 IS NOT NULL THEN spark_regexp_instr($1, $2) END"), "0"),
		row("regexp_substr(str, regex)", "string, string -> string?", "the first match, or NULL", "spark_regexp_substr($1, $2)"),
		rlikeNames(also(row("rlike(str, regexp)", "string, string -> boolean", "true if a part of str matches the regular expression", ""), "regexp", "regexp_like")),
		ruled("format_number(x, d)", "x with commas and d decimals, rounded half even; or by a pattern like '#,###.00'", formatNumberRule, printFormatNumber),
		also(ruled("format_string(format, arg, …)", "printf with Java's format", formatStringRule, printFormatString), "printf"),
		printed("base64(bin)", "blob -> string", "bytes in base 64", func(c *expr.Call, a []string) string { return "to_base64(" + asBlob(c.Args[0], a[0]) + ")" }),
		row("unbase64(str)", "string -> binary", "bytes out of base 64", "spark_unbase64($1)"),
		printed("hex(expr)", "hexable -> string", "a number, text or bytes in hex", func(c *expr.Call, a []string) string {
			if c.Args[0].Type().IsIntegral() {
				return "to_hex(CAST(" + a[0] + " AS BIGINT))"
			}
			return "hex(" + asBlob(c.Args[0], a[0]) + ")"
		}),
		row("unhex(str)", "string -> binary?", "bytes out of hex", "(CASE WHEN regexp_full_match($1, '[0-9a-fA-F]*') THEN unhex(CASE WHEN length($1) % 2 = 1 THEN '0' || $1 ELSE $1 END) END)"),
		row("encode(str, charset)", "string, string -> binary?", "the bytes of str", "spark_encode($1, $2)"),
		ruled("decode(bin, charset)", "the text in bytes; or decode(x, search, result, …[, default])", decodeRule, printDecode),
		maskSizes(defaults(5, row("mask(str[, upper[, lower[, digit[, other]]]])", "=string, =string?, =string?, =string?, =string? -> string?", "str with letters and digits hidden",
			"spark_mask($1, 'X', 'x', 'n', NULL)", "spark_mask($1, $2, 'x', 'n', NULL)", "spark_mask($1, $2, $3, 'n', NULL)", "spark_mask($1, $2, $3, $4, NULL)", "spark_mask($1, $2, $3, $4, $5)"), "X", "x", "n", "NULL")),
		row("luhn_check(str)", "string -> boolean?", "true if the digits pass Luhn's check", "spark_luhn($1)"),
		parseURLRow("parse_url", false), known("parse_url", parseURLRow("try_parse_url", true)),
		known("url_decode", row("try_url_decode(str)", "string -> string?", "str out of a URL, or NULL", "spark_url_decode($1)")),
		row("is_valid_utf8(str)", "string -> boolean?", "true: text is always valid here", "CASE WHEN $1 IS NOT NULL THEN true END"),
		row("make_valid_utf8(str)", "string -> string?", "str as it is: text is always valid here", "$1"), row("validate_utf8(str)", "string -> string?", "str as it is: text is always valid here", "$1"),
		row("try_validate_utf8(str)", "string -> string?", "str as it is: text is always valid here", "$1"),
		row("collation(str)", "=string -> string!", "the collation of str: binary, the only one here", "'SYSTEM.BUILTIN.UTF8_BINARY'"),
		sentencesRow(),
	)
	for _, f := range []struct{ name, kind string }{{"like", "LIKE"}, {"ilike", "ILIKE"}} {
		g := Lookup(sql.Spark, f.name)
		g.Signature, g.Doc = f.name+"(str, pattern[, escape])", "true if str matches: % is any text, _ any character"
	}
	vectorised()
	Lookup(sql.Spark, "rlike").Duck = func(c *expr.Call, a []string) string {
		if p, ok := constantString(c.Args[1]); ok {
			if _, err := regexp.Compile(p); err == nil && !strings.Contains(p, "(?<") {
				return "regexp_matches(" + join(a) + ")"
			}
		}
		name := strings.ToLower(c.Name)
		if name == "" {
			name = "rlike"
		}
		return "spark_rlike(" + join(a) + ", " + quote(name) + ")"
	}
	spark(missing("collations other than UTF8_BINARY are not built", "collate", "collations")...)
}

func lengthRow(signature string, alias string) *expr.Func {
	return also(printed(signature, "bytes -> int", "number of characters, or of bytes", func(c *expr.Call, a []string) string {
		if c.Args[0].Type().Kind == types.Binary {
			return "CAST(octet_length(" + a[0] + ") AS INTEGER)"
		}
		return "CAST(length(" + a[0] + ") AS INTEGER)"
	}), alias)
}

// asBlob gives text its bytes.
func asBlob(x expr.Expr, s string) string {
	if x.Type().Kind == types.Binary {
		return s
	}
	return "encode(" + textOf(x.Type(), s) + ")"
}

// trimRow is trim and kin. With two arguments the characters come first.
func trimRow(name, kind, where string) *expr.Func {
	f := row(name+"([chars, ]str)", "string, string? -> string", "str without spaces, or chars, at "+where, name+"($1, ' ')", name+"($2, $1)")
	f.Pretty = func(_ *expr.Call, a []string) string {
		if len(a) == 2 {
			return "TRIM(" + kind + " " + a[0] + " FROM " + a[1] + ")"
		}
		return name + "(" + a[0] + ")"
	}
	return f
}

// padRow is lpad and rpad, of text with spaces by default, of bytes with zeros.
func padRow(name, side string) *expr.Func {
	f := ruled(name+"(str, len[, pad])", "str padded on the "+side+" to len characters, or cut", func(c *expr.Call) error {
		if n := len(c.Args); n < 2 || n > 3 {
			return errclass.WrongNumArgs(name, "[2, 3]", n)
		}
		binary := c.Args[0].Type().Kind == types.Binary && (len(c.Args) == 2 || c.Args[2].Type().Kind == types.Binary)
		if binary {
			return parseRule("binary, int, binary? -> binary").resolve(c)
		}
		return parseRule("string, int, string? -> string").resolve(c)
	}, func(c *expr.Call, a []string) string {
		binary := c.T.Kind == types.Binary
		fill := "' '"
		switch {
		case len(a) == 3:
			fill = a[2]
		case binary:
			fill = "'\\x00'::BLOB"
		}
		if binary {
			return "spark_padbytes(" + a[0] + ", " + a[1] + ", " + fill + ", " + quote(side) + ")"
		}
		return letAll([]string{a[0], a[1], fill}, []int{1, 2}, func(a []string) string {
			return "(CASE WHEN " + a[1] + " <= 0 THEN CASE WHEN " + a[0] + " IS NOT NULL AND " + a[2] + " IS NOT NULL THEN '' END WHEN " + a[2] + " = '' THEN left(" + a[0] + ", " + a[1] + ") ELSE " + name + "(" + join(a) + ") END)"
		})
	})
	f.Pretty = func(c *expr.Call, a []string) string {
		n := strings.ToLower(c.Name)
		if len(a) == 2 {
			if c.Args[0].Type().Kind == types.Binary {
				return n + "(" + join(a) + ", X'00')"
			}
			a = append(a[:2:2], " ")
		}
		return n + "(" + join(a) + ")"
	}
	return f
}

// caseOf is upper or lower: DuckDB knows letters one by one, Java also ß as SS and the last Σ of a word as ς.
func caseOf(name string) string {
	return "(CASE WHEN strlen($1) = length($1) THEN " + name + "($1) ELSE spark_" + name + "($1) END)"
}

// notBelowZero is a number, or 0 in place of a negative one; NULL stays.
func notBelowZero(n string) string {
	return "(CASE WHEN " + n + " < 0 THEN 0 ELSE " + n + " END)"
}

// binarySearch prints a test for a part of a text, or of bytes if both are bytes.
func binarySearch(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		l, r := c.Args[0].Type().Kind == types.Binary, c.Args[1].Type().Kind == types.Binary
		switch {
		case l && r:
			// In hex, a byte is two digits: a part must begin at an even place.
			x, y := "hex("+a[0]+")", "hex("+a[1]+")"
			if name == "contains" {
				return "spark_has_bytes(" + join(a) + ")"
			}
			return name + "(" + x + ", " + y + ")"
		case l:
			a = []string{textOf(types.Of(types.Binary), a[0]), a[1]}
		case r:
			a = []string{a[0], textOf(types.Of(types.Binary), a[1])}
		}
		return name + "(" + join(a) + ")"
	}
}

// parseURLRow is parse_url, and the form that gives NULL for what is no URL.
func parseURLRow(name string, try bool) *expr.Func {
	f := printed(name+"(url, part[, key])", "=string, =string, =string? -> string?", "part of a URL: HOST, PATH, QUERY, REF, PROTOCOL, FILE, AUTHORITY, USERINFO", func(_ *expr.Call, a []string) string {
		if len(a) == 2 {
			return "spark_parse_url(" + join(a) + ", NULL, false, " + strconv.FormatBool(try) + ")"
		}
		return "spark_parse_url(" + join(a) + ", true, " + strconv.FormatBool(try) + ")"
	})
	resolve := f.Resolve
	f.Resolve = func(c *expr.Call) error {
		if n := len(c.Args); n < 2 || n > 3 {
			return errclass.WrongNumArgs("parse_url", "[2, 3]", n).Nowhere()
		}
		return resolve(c)
	}
	return f
}

// placeless is a call whose run-time errors Spark reports without their place.
func placeless(c *expr.Call) *expr.Call {
	d := *c
	d.At = token.Span{}
	return &d
}

// textOrBytes says what the other side has to be once one of two is known to be text or bytes.
func textOrBytes(f *expr.Func) *expr.Func {
	resolve := f.Resolve
	f.Resolve = func(c *expr.Call) error {
		if len(c.Args) == 2 {
			for i, a := range c.Args {
				t, other := a.Type(), c.Args[1-i].Type()
				if (other.Kind == types.String || other.Kind == types.Binary) && (t.Elem != nil || t.Kind == types.Map || t.Kind == types.Struct) {
					return errclass.UnexpectedInputType(f.Name, i+1, t, other)
				}
			}
		}
		err := resolve(c)
		if len(c.Args) == 2 && c.Args[0].Type().Kind == types.Binary && c.Args[1].Type().Kind == types.Binary {
			c.Null = true // Spark calls another function then
		}
		return err
	}
	return f
}

// sameText refuses text beside bytes.
func sameText(f *expr.Func) *expr.Func {
	resolve := f.Resolve
	f.Resolve = func(c *expr.Call) error {
		if len(c.Args) > 2 {
			a, b := c.Args[0].Type(), c.Args[1].Type()
			bad := false // a type that the other parameters do not take comes first
			for _, x := range c.Args[2:] {
				_, ok := coerceArg(c, x, types.Of(types.Int))
				bad = bad || !ok
			}
			if !bad && (a.Kind == types.Binary) != (b.Kind == types.Binary) && a.Kind != types.Null && b.Kind != types.Null && a.Kind < types.Array && b.Kind < types.Array {
				for _, t := range []*types.Type{&a, &b} {
					if t.Kind != types.Binary {
						*t = types.Of(types.String) // anything else counts as its text
					}
				}
				return errclass.DataDiffTypes(f.Name, []types.Type{a, b})
			}
		}
		return resolve(c)
	}
	return f
}

// regexpPosition refuses a constant place below 1.
func regexpPosition(f *expr.Func) *expr.Func {
	resolve := f.Resolve
	f.Resolve = func(c *expr.Call) error {
		if err := resolve(c); err != nil || len(c.Args) < 4 {
			return err
		}
		if n, ok := constantInt(c.Args[3]); ok && n < 1 {
			return errclass.ValueOutOfRange("position", "(0, 2147483647]", itoa(n))
		}
		return nil
	}
	return f
}

// maskSizes refuses constants of mask() that are no single character.
func maskSizes(f *expr.Func) *expr.Func {
	resolve := f.Resolve
	f.Resolve = func(c *expr.Call) error {
		if len(c.Args) == 0 {
			return errclass.RequiredParameter("mask", "str", 0)
		}
		if err := resolve(c); err != nil {
			return err
		}
		for i, name := range []string{"upperChar", "lowerChar", "digitChar", "otherChar"} {
			if i+1 < len(c.Args) {
				if l, ok := c.Args[i+1].(*expr.Lit); ok && l.T.Kind == types.String && l.Value != nil {
					if s, _ := l.Value.(string); utf8.RuneCountInString(s) != 1 {
						return errclass.InputSize(name)
					}
				}
			}
		}
		return nil
	}
	return f
}

// sentencesRow splits text into sentences of words. The language is computed, but makes no difference.
func sentencesRow() *expr.Func {
	f := defaults(3, ruled("sentences(str[, language[, country]])", "array of sentences, each an array of words", func(c *expr.Call) error {
		err := parseRule("string, string?, string? -> string").resolve(c)
		c.T, c.Null = types.ArrayOf(types.ArrayOf(types.Of(types.String), false), false), true
		return err
	}, func(_ *expr.Call, a []string) string {
		text := a[0]
		if len(a) > 1 {
			text += " || left(concat(" + join(a[1:]) + "), 0)"
		}
		return "list_transform(spark_sentences(" + text + "), lambda _s: string_split(_s, chr(31)))"
	}), "", "")
	return f
}

// printSubstring follows Spark: position 0 counts as 1, and a start before the text eats into the length.
func printSubstring(c *expr.Call, a []string) string {
	if c.T.Kind == types.Binary {
		if len(a) == 2 {
			a = append(a, "2147483647")
		}
		return "spark_subbytes(" + join(a) + ")"
	}
	p, known := constantInt(c.Args[1])
	if known && p >= 0 {
		p = max(p, 1)
		if len(a) == 2 {
			return "substring(" + a[0] + ", " + itoa(p) + ")"
		}
		return "substring(" + a[0] + ", " + itoa(p) + ", " + notBelowZero(a[2]) + ")"
	}
	n := "2147483647"
	if len(a) == 3 {
		n = a[2]
	}
	return letAll([]string{a[0], a[1], n}, []int{0, 1, 2}, func(a []string) string {
		start := "(CASE WHEN " + a[1] + " > 0 THEN " + a[1] + "::BIGINT WHEN " + a[1] + " < 0 THEN length(" + a[0] + ") + " + a[1] + " + 1 ELSE 1 END)"
		return "CASE WHEN " + a[1] + " IS NOT NULL AND " + a[2] + " IS NOT NULL THEN substring(" + a[0] + ", greatest(" + start + ", 1), greatest(0, " + a[2] + "::BIGINT + least(" + start + " - 1, 0))) END"
	})
}

func printOverlay(c *expr.Call, a []string) string {
	n := "-1"
	if len(a) == 4 {
		n = a[3]
	}
	if c.T.Kind == types.Binary {
		return "spark_overlay_bytes(" + a[0] + ", " + asBlob(c.Args[1], a[1]) + ", " + a[2] + ", " + n + ")"
	}
	return letAll([]string{a[0], a[1], a[2], n}, []int{0, 1, 2, 3}, func(a []string) string {
		size := "(CASE WHEN " + a[3] + " >= 0 THEN " + a[3] + " ELSE length(" + a[1] + ") END)"
		behind := "(" + a[2] + "::BIGINT + " + size + ")" // a place in front of the text counts from its end
		return "(CASE WHEN " + a[2] + " IS NOT NULL AND " + a[3] + " IS NOT NULL THEN left(" + a[0] + ", greatest(" + a[2] + " - 1, 0)) || " + a[1] + " || (CASE WHEN " + behind + " < 0 THEN " + a[0] + "[greatest(length(" + a[0] + ") + " + behind + " + 1, 1):] ELSE " + a[0] + "[greatest(" + behind + ", 1):] END) END)"
	})
}

func concatWS(c *expr.Call) error {
	if len(c.Args) == 0 {
		return errclass.WrongNumArgs("concat_ws", "> 0", 0)
	}
	for i, a := range c.Args {
		want := types.Of(types.String)
		if i > 0 && a.Type().Kind == types.Array {
			if a.Type().Elem.Kind == types.String {
				continue
			}
			want = types.ArrayOf(want, a.Type().ElemNull)
		}
		x, ok := coerceArg(c, a, want)
		if !ok && i == 0 {
			return errclass.UnexpectedInputType("concat_ws", 1, a.Type(), types.Of(types.String))
		}
		if !ok {
			return errclass.UnexpectedInputTypes("concat_ws", i+1, a.Type(), `("ARRAY<STRING>" or "STRING")`)
		}
		c.Args[i] = x
	}
	c.T, c.Null = types.Of(types.String), c.Args[0].Nullable()
	return nil
}

func printConcatWS(c *expr.Call, a []string) string {
	if len(a) == 1 {
		return "CASE WHEN " + a[0] + " IS NOT NULL THEN '' END"
	}
	arrays := false
	for _, x := range c.Args[1:] {
		arrays = arrays || x.Type().Kind == types.Array
	}
	if !arrays {
		return "concat_ws(" + join(a) + ")"
	}
	parts := make([]string, len(a)-1)
	for i, x := range c.Args[1:] {
		parts[i] = "[" + a[i+1] + "]"
		if x.Type().Kind == types.Array {
			parts[i] = "coalesce(" + a[i+1] + ", [])"
		}
	}
	// Without any value left, the result is empty, not NULL.
	list := "list_concat(" + join(append(parts, "[]")) + ")"
	if s, ok := constantString(c.Args[0]); !ok || s == "" {
		return "spark_join(" + list + ", " + a[0] + ")" // DuckDB wants a constant there
	}
	return let(a[0], func(sep string) string {
		return "(CASE WHEN " + sep + " IS NOT NULL THEN coalesce(array_to_string(list_filter(list_concat(" + join(append(parts, "[]")) + "), lambda _e: _e IS NOT NULL), " + sep + "), '') END)"
	})
}

func eltRule(c *expr.Call) error {
	if len(c.Args) < 2 {
		return errclass.WrongNumArgs("elt", "> 1", len(c.Args))
	}
	out := types.Of(types.Binary)
	for _, a := range c.Args[1:] {
		if a.Type().Kind != types.Binary {
			out = types.Of(types.String)
		}
	}
	for i, a := range c.Args {
		to := out
		if i == 0 {
			to = types.Of(types.Int)
		}
		x, ok := coerceArg(c, a, to)
		if !ok && i > 0 {
			var names, kinds []string
			for _, b := range c.Args[1:] {
				names, kinds = append(names, Name(b)), append(kinds, b.Type().SQL())
			}
			return errclass.EltTypes(names, kinds)
		}
		if !ok {
			return errclass.UnexpectedInputType("elt", i+1, a.Type(), to)
		}
		c.Args[i] = x
	}
	c.T, c.Null = out, true
	return nil
}

func printElt(c *expr.Call, a []string) string {
	return letAll(a, []int{0}, func(a []string) string {
		n := a[0]
		s := "(CASE " + n
		for i, x := range a[1:] {
			s += " WHEN " + itoa(i+1) + " THEN " + x
		}
		return s + " ELSE CASE WHEN " + n + " IS NOT NULL THEN " + Fail(c, "INVALID_ARRAY_INDEX", "CAST("+n+" AS VARCHAR)", quote(itoa(len(a)-1))) + " END END)"
	})
}

func formatNumberRule(c *expr.Call) error {
	r := parseRule("number, int -> string?")
	if len(c.Args) == 2 {
		if t := c.Args[0].Type(); t.Kind == types.String {
			return errclass.UnexpectedInputTypes("format_number", 1, t, `"NUMERIC"`)
		}
		switch k := c.Args[1].Type().Kind; {
		case k == types.String:
			r = parseRule("number, string -> string?")
		case k != types.Null && k != types.Int:
			return errclass.UnexpectedInputTypes("format_number", 2, c.Args[1].Type(), `("INT" or "STRING")`)
		}
	}
	return r.resolve(c)
}

func printFormatNumber(c *expr.Call, a []string) string {
	t := c.Args[0].Type()
	text := "CAST(" + a[0] + " AS VARCHAR)"
	if t.Kind != types.Decimal && c.Args[1].Type().Kind != types.String { // DecimalFormat knows more digits of a BigDecimal only
		a[1] = "CASE WHEN " + a[1] + " > 340 THEN 340 ELSE " + a[1] + " END"
	}
	if floating(t) {
		text = "spark_plain_number(CAST(" + a[0] + " AS DOUBLE))"
	}
	if c.Args[1].Type().Kind == types.String {
		return "spark_format_pattern(" + text + ", " + a[1] + ")"
	}
	return "spark_format_number(" + text + ", " + a[1] + ")"
}

func formatStringRule(c *expr.Call) error {
	if len(c.Args) == 0 {
		return errclass.WrongNumArgs("format_string", "> 0", 0)
	}
	x, ok := coerceArg(c, c.Args[0], types.Of(types.String))
	if !ok {
		return errclass.UnexpectedInputType("format_string", 1, c.Args[0].Type(), types.Of(types.String))
	}
	c.Args[0] = x
	c.T, c.Null = types.Of(types.String), c.Args[0].Nullable()
	return nil
}

// printFormatString hands the arguments over as text, each behind a letter for its type.
func printFormatString(c *expr.Call, a []string) string {
	parts := make([]string, 0, len(a))
	for i, x := range c.Args[1:] {
		t := x.Type()
		// Dates, times and intervals are numbers inside Spark, and Java formats what is inside.
		tag, text := "s", ""
		switch t.Kind {
		case types.Byte:
			tag = "y"
		case types.Short:
			tag = "h"
		case types.Int:
			tag = "i"
		case types.Long:
			tag = "l"
		case types.Double:
			tag = "f"
		case types.Float:
			tag = "r"
		case types.Decimal:
			tag = "D"
		case types.Boolean:
			tag = "b"
		case types.Date:
			tag, text = "i", "CAST("+a[i+1]+" - DATE '1970-01-01' AS VARCHAR)"
		case types.Timestamp, types.TimestampNTZ:
			tag, text = "l", "CAST(epoch_us("+a[i+1]+") AS VARCHAR)"
		case types.YearMonthInterval:
			tag, text = "i", "CAST("+a[i+1]+" AS VARCHAR)"
		case types.DayTimeInterval:
			tag, text = "l", "CAST("+a[i+1]+" AS VARCHAR)"
		case types.CalendarInterval:
			tag = "c"
		case types.Array:
			tag, text = "a", "replace("+textOf(t, a[i+1])+", ', ', ',')"
		case types.Map:
			tag = "m"
		case types.Struct:
			tag = "t"
		}
		if k, ok := x.(*expr.Call); ok && k.Func == javaTime {
			tag = "j"
		}
		if text == "" {
			text = textOf(t, a[i+1])
		}
		parts = append(parts, "coalesce('"+tag+"' || "+text+", 'n')")
	}
	return "spark_printf(" + a[0] + ", CAST([" + join(parts) + "] AS VARCHAR[]))"
}

// decodeRule is both decode functions: bytes to text, and the search in pairs that Oracle has.
func decodeRule(c *expr.Call) error {
	if len(c.Args) == 2 {
		return parseRule("binary, string -> string?").resolve(c)
	}
	if len(c.Args) < 3 {
		return errclass.WrongNumArgs("decode", "2", len(c.Args))
	}
	var keys, results []expr.Expr
	keys = append(keys, c.Args[0])
	for i := 1; i < len(c.Args); i += 2 {
		if i+1 == len(c.Args) {
			results = append(results, c.Args[i])
			break
		}
		keys, results = append(keys, c.Args[i]), append(results, c.Args[i+1])
	}
	kt, ok1 := commonOf(c.Func.Dialect, keys)
	rt, ok2 := commonOf(c.Func.Dialect, results)
	if !ok1 || !ok2 {
		return errclass.DataDiffTypes("decode", argTypes(c))
	}
	for i := range c.Args {
		to := kt
		if i > 0 && (i%2 == 0 || i == len(c.Args)-1) {
			to = rt
		}
		c.Args[i], _ = Coerce(c.Args[i], to)
	}
	c.T, c.Null = rt, len(c.Args)%2 == 1 || nullable(results)
	return nil
}

func printDecode(c *expr.Call, a []string) string {
	if len(a) == 2 {
		return "spark_decode(" + join(a) + ")"
	}
	return letAll(a, []int{0}, func(a []string) string {
		s := "(CASE"
		for i := 1; i < len(a); i += 2 {
			if i+1 == len(a) {
				return s + " ELSE " + a[i] + " END)"
			}
			s += " WHEN " + a[0] + " IS NOT DISTINCT FROM " + a[i] + " THEN " + a[i+1]
		}
		return s + " END)"
	})
}

func concatRule(c *expr.Call) error {
	c.Null = nullable(c.Args)
	if c.Func.Dialect == sql.Spark {
		for i, a := range c.Args {
			if t := a.Type(); t.Kind == types.Map || t.Kind == types.Struct {
				return errclass.UnexpectedInputTypes("concat", i+1, t, `("STRING" or "BINARY" or "ARRAY")`)
			}
		}
	}
	if len(c.Args) > 0 && c.Args[0].Type().Kind == types.Array {
		for _, a := range c.Args {
			if a.Type().Kind != types.Array {
				ts := argTypes(c)
				for i := range ts {
					if ts[i].Kind == types.Null {
						ts[i] = types.Of(types.String) // what Spark has made of it by then
					}
				}
				return errclass.DataDiffTypes("concat", ts)
			}
		}
		to, ok := CommonType(c.Func.Dialect, argTypes(c)...)
		if !ok {
			return errclass.DataDiffTypes("concat", argTypes(c))
		}
		coerceAll(c, to)
		c.T = to
		return nil
	}
	if c.Func.Dialect == sql.Spark {
		for _, a := range c.Args {
			if a.Type().Kind == types.Array {
				return errclass.DataDiffTypes("concat", argTypes(c))
			}
		}
	}
	allBinary := len(c.Args) > 0
	for _, a := range c.Args {
		allBinary = allBinary && a.Type().Kind == types.Binary
	}
	if allBinary {
		c.T = types.Of(types.Binary)
		return nil
	}
	for i, a := range c.Args {
		x, ok := coerceArg(c, a, types.Of(types.String))
		if !ok || c.Func.Dialect == sql.Trino && a.Type().Kind != types.String && a.Type().Kind != types.Null {
			return errclass.UnexpectedInputTypes("concat", i+1, a.Type(), `("STRING" or "BINARY" or "ARRAY")`)
		}
		c.Args[i] = x
	}
	c.T = types.Of(types.String)
	return nil
}

func printConcat(c *expr.Call, a []string) string {
	if len(a) == 0 {
		return "''"
	}
	if c.T.Kind == types.Array {
		s := a[0]
		for _, x := range a[1:] {
			s = "CASE WHEN " + x + " IS NOT NULL AND " + s + " IS NOT NULL THEN list_concat(" + s + ", " + x + ") END"
		}
		return "(" + s + ")"
	}
	s := "(" + strings.Join(a, " || ") + ")"
	if slices.ContainsFunc(c.Args, IsNull) {
		return typedAs(c.T, s) // DuckDB makes it a NULL without a type
	}
	return s
}

// vectorised lets DuckDB's own regular expressions do what they do alike: when the pattern is a constant that RE2 reads, too, and
// does not match the empty text, where the two differ.
func vectorised() {
	plain := func(x expr.Expr) (groups int, ok bool) {
		p, ok := constantString(x)
		if !ok {
			return 0, false
		}
		re, err := regexp.Compile(p)
		if err != nil || re.MatchString("") || strings.Contains(p, "(?<") {
			return 0, false
		}
		return re.NumSubexp(), true
	}
	wrap := func(name string, fast func(c *expr.Call, a []string) (string, bool)) {
		f := Lookup(sql.Spark, name)
		slow := f.Duck
		f.Duck = func(c *expr.Call, a []string) string {
			if s, ok := fast(c, a); ok {
				return s
			}
			return slow(c, a)
		}
	}
	wrap("split", func(c *expr.Call, a []string) (string, bool) {
		_, ok := plain(c.Args[1])
		return "string_split_regex(" + join(a) + ")", ok && len(a) == 2
	})
	wrap("regexp_extract", func(c *expr.Call, a []string) (string, bool) {
		groups, ok := plain(c.Args[1])
		g, known := 1, true
		if len(a) == 3 {
			g, known = constantInt(c.Args[2])
		}
		return "regexp_extract(" + a[0] + ", " + a[1] + ", " + itoa(g) + ")", ok && known && g >= 0 && g <= groups
	})
	wrap("regexp_replace", func(c *expr.Call, a []string) (string, bool) {
		_, ok := plain(c.Args[1])
		rep, known := constantString(c.Args[2])
		return "regexp_replace(" + join(a) + ", 'g')", ok && known && len(a) == 3 && !strings.ContainsAny(rep, `$\`)
	})
}

func rlikeNames(f *expr.Func) *expr.Func {
	f.Pretty = func(c *expr.Call, a []string) string { return upperASCII(c.Name) + "(" + join(a) + ")" }
	return f
}

// placed is locate's nullability: a place that is NULL counts as none.
func placed(f *expr.Func) *expr.Func {
	resolve := f.Resolve
	f.Resolve = func(c *expr.Call) error {
		err := resolve(c)
		if err == nil {
			c.Null = nullable(c.Args[:2])
		}
		return err
	}
	return f
}
