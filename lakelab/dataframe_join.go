package lakelab

import "strings"

// joinKinds maps PySpark's spellings, without "_", to those of package wire.
var joinKinds = map[string]string{
	"inner": "INNER", "cross": "CROSS", "outer": "FULL", "full": "FULL", "fullouter": "FULL", "left": "LEFT",
	"leftouter": "LEFT", "right": "RIGHT", "rightouter": "RIGHT", "semi": "SEMI", "leftsemi": "SEMI", "anti": "ANTI", "leftanti": "ANTI",
}

// Join joins two DataFrames (join). on is a name or a []string of columns that both have (they come out once), a
// condition as a Column or []Column, or nil for none. how is "inner" (default), "cross", "left", "right", "full"
// ("outer"), "semi", "anti" or another of PySpark's spellings.
func (df *DataFrame) Join(other *DataFrame, on any, how ...string) *DataFrame {
	rel := node{"n": "join", "left": df.rel, "right": other.rel, "kind": "INNER"}
	if len(how) > 0 {
		kind, known := joinKinds[strings.ReplaceAll(strings.ToLower(how[0]), "_", "")]
		if !known {
			raiseClass("AnalysisException", "UNSUPPORTED_JOIN_TYPE", "0A000", "Unsupported join type '%s'. Supported join types include: 'inner', 'outer', 'full', 'fullouter', 'full_outer', 'leftouter', 'left', 'left_outer', 'rightouter', 'right', 'right_outer', 'leftsemi', 'left_semi', 'semi', 'leftanti', 'left_anti', 'anti', 'cross'.", how[0])
		}
		rel["kind"] = kind
	}
	switch on := on.(type) {
	case nil:
	case string:
		rel["using"] = []string{on}
	case []string:
		rel["using"] = on
	case Column:
		rel["on"] = on.Node()
	case []Column:
		if len(on) > 0 {
			all := on[0]
			for _, c := range on[1:] {
				all = all.And(c)
			}
			rel["on"] = all.Node()
		}
	default:
		raise("TypeError", "", "Join: условие — имя колонки, []string или колонка-условие, получено %T", on)
	}
	return analyze(rel)
}

// CrossJoin pairs every row with every other (crossJoin).
func (df *DataFrame) CrossJoin(other *DataFrame) *DataFrame { return df.Join(other, nil, "cross") }

func (df *DataFrame) set(op string, all bool, other *DataFrame) *DataFrame {
	return analyze(node{"n": "set", "op": op, "all": all, "left": df.rel, "right": other.rel})
}

// UnionAll is Union (unionAll).
func (df *DataFrame) UnionAll(other *DataFrame) *DataFrame { return df.Union(other) }

// Union puts the other's rows below, by position, duplicates kept (union).
func (df *DataFrame) Union(other *DataFrame) *DataFrame { return df.set("UNION", true, other) }

// UnionByName is Union by column name; with allowMissing, columns that one side lacks are NULL there (unionByName).
func (df *DataFrame) UnionByName(other *DataFrame, allowMissing ...bool) *DataFrame {
	return analyze(node{"n": "set", "op": "UNION", "all": true, "byName": true,
		"allowMissing": len(allowMissing) > 0 && allowMissing[0], "left": df.rel, "right": other.rel})
}

// Intersect keeps rows that both have, each once (intersect).
func (df *DataFrame) Intersect(other *DataFrame) *DataFrame { return df.set("INTERSECT", false, other) }

// IntersectAll keeps rows that both have, with duplicates (intersectAll).
func (df *DataFrame) IntersectAll(other *DataFrame) *DataFrame {
	return df.set("INTERSECT", true, other)
}

// Subtract keeps rows that the other lacks, each once: EXCEPT in SQL (subtract).
func (df *DataFrame) Subtract(other *DataFrame) *DataFrame { return df.set("EXCEPT", false, other) }

// ExceptAll is Subtract with duplicates: each of the other's rows takes one away (exceptAll).
func (df *DataFrame) ExceptAll(other *DataFrame) *DataFrame { return df.set("EXCEPT", true, other) }
