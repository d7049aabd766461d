"""Records how pandas prints the tables below: `python record.py > tables.json` (pandas 2.3.3).

A row holds what a Trino client gets from the wire; it becomes here what Python's trino client makes of it, and then a DataFrame.
"""
import base64
import datetime
import decimal
import json

import pandas as pd


def split(args):
    """The parts of `a, b(c, d)` at the commas outside parentheses."""
    parts, depth = [""], 0
    for ch in args:
        depth += {"(": 1, ")": -1}.get(ch, 0)
        if ch == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += ch
    return [p.strip() for p in parts]


def convert(typ, v):
    if v is None:
        return None
    if typ.startswith("array("):
        return [convert(typ[6:-1], x) for x in v]
    if typ.startswith("map("):
        k, e = split(typ[4:-1])
        return {convert(k, a): convert(e, b) for a, b in v.items()}
    if typ.startswith("row("):
        return tuple(convert(f.split(" ", 1)[1], x) for f, x in zip(split(typ[4:-1]), v))
    if typ.startswith("decimal"):
        return decimal.Decimal(v)
    if typ == "varbinary":
        return base64.b64decode(v)
    if typ == "date":
        return datetime.date.fromisoformat(v)
    if typ.startswith("timestamp"):
        if v.endswith(" UTC"):
            return datetime.datetime.fromisoformat(v[:-4]).replace(tzinfo=datetime.timezone.utc)
        return datetime.datetime.fromisoformat(v)
    if typ.startswith("time"):
        return datetime.time.fromisoformat(v)
    if typ == "double" and isinstance(v, str):
        return float(v)
    return v


cases = [
    ("ints and text", ["id", "name"], ["bigint", "varchar"], [[1, "a"], [22, "bcd"], [333, None]]),
    ("ints with null", ["n", "k"], ["bigint", "integer"], [[1, 1], [None, 2], [30, 3]]),
    ("all null", ["a"], ["bigint"], [[None], [None]]),
    ("doubles", ["x"], ["double"], [[1.5], [2.25], [None]]),
    ("whole doubles", ["x"], ["double"], [[1.0], [20.0]]),
    ("long doubles", ["x", "y"], ["double", "double"], [[1 / 3, 14.123456789], [2 / 3, 1234567.0]]),
    ("small doubles", ["x"], ["double"], [[0.0000012345], [0.5]]),
    ("tiny doubles", ["x"], ["double"], [[1.5e-10], [2.5e-12]]),
    ("large doubles", ["x"], ["double"], [[1.5e18], [2.0]]),
    ("huge doubles", ["x"], ["double"], [[1.5e300], [-2.0]]),
    ("infinite doubles", ["x"], ["double"], [["NaN"], ["Infinity"], ["-Infinity"], [1.25]]),
    ("negative doubles", ["x"], ["double"], [[-1.5], [2.0], [100.125]]),
    ("million doubles", ["x"], ["double"], [[1234567.891], [0.001]]),
    ("one small double", ["x"], ["double"], [[0.00001]]),
    ("mean fares", ["avg"], ["double"], [[14.230769230769], [9.5], [123456.789]]),
    ("decimals", ["d"], ["decimal(10, 2)"], [["12.50"], ["-3.00"], [None]]),
    ("booleans", ["b"], ["boolean"], [[True], [False]]),
    ("booleans with null", ["b"], ["boolean"], [[True], [None]]),
    ("dates", ["d"], ["date"], [["2024-01-31"], [None]]),
    ("timestamps", ["t"], ["timestamp(6)"], [["2024-01-01 10:00:00.000000"], ["2024-01-02 11:30:15.000000"]]),
    ("timestamps with micros", ["t"], ["timestamp(6)"], [["2024-01-01 10:00:00.123456"], [None]]),
    ("timestamps with micros and whole", ["t"], ["timestamp(6)"], [["2024-01-01 10:00:00.500000"], ["2024-01-01 10:00:00.000000"]]),
    ("timestamps at midnight", ["t"], ["timestamp(6)"], [["2024-01-01 00:00:00.000000"], ["2024-01-02 00:00:00.000000"]]),
    ("timestamps with zone", ["t"], ["timestamp(6) with time zone"], [["2024-01-01 10:00:00.000000 UTC"], [None]]),
    ("timestamps with zone and micros", ["t"], ["timestamp(6) with time zone"], [["2024-01-01 10:00:00.250000 UTC"]]),
    ("times", ["t"], ["time(6)"], [["10:11:12.123456"], ["10:11:12.000000"]]),
    ("lists", ["l", "m"], ["array(varchar)", "array(integer)"], [[["a", "b"], [1, 2]], [[], None]]),
    ("nested list", ["l"], ["array(array(double))"], [[[[1.5, None], []]]]),
    ("long list", ["l"], ["array(integer)"], [[list(range(150))]]),
    ("maps", ["m"], ["map(varchar, integer)"], [[{"k": 1, "z": None}], [{}]]),
    ("empty", ["id", "name"], ["bigint", "varchar"], []),
    ("control characters", ["s"], ["varchar"], [["a\nb\tc"], ["x\rz"], ["back\\slash"]]),
    ("cyrillic", ["город", "n"], ["varchar", "bigint"], [["Осло", 1], ["Санкт-Петербург", 2]]),
    ("long text", ["s", "n"], ["varchar", "bigint"], [["x" * 120, 1]]),
    ("one column one row", ["count"], ["bigint"], [[41]]),
    ("nobody's name", ["_col0", "_col1"], ["bigint", "double"], [[7, 3.5]]),
    ("sixty rows", ["i"], ["bigint"], [[i] for i in range(60)]),
    ("sixty-one rows", ["i", "x", "s"], ["bigint", "double", "varchar"], [[i * 100, i / 8, "s%d" % i] for i in range(61)]),
    ("many rows", ["i"], ["bigint"], [[i] for i in range(1205)]),
    ("short cells cut", ["i", "x"], ["bigint", "double"], [[i % 3, float(i % 2)] for i in range(70)]),
    ("nulls in the cut middle", ["i"], ["bigint"], [[None if i == 30 else i] for i in range(70)]),
    ("long fractions in the cut middle", ["x"], ["double"], [[1 / 3 if i == 30 else i / 2] for i in range(70)]),
    ("long names over short text", ["pickup_borough", "n", "is_open"], ["varchar", "bigint", "boolean"], [["a", 1, True]]),
    ("zone at midnight", ["t"], ["timestamp(6) with time zone"], [["2024-01-01 00:00:00.000000 UTC"]]),
    ("beyond nanoseconds", ["t", "z"], ["timestamp(6)", "timestamp(6) with time zone"], [["9999-12-31 23:59:59.500000", "9999-12-31 00:00:00.000000 UTC"], [None, None]]),
    ("rows", ["r", "s"], ["row(lat double, lon double)", "row(a varchar)"], [[[59.9, 10.75], ["x"]], [None, [None]]]),
    ("nested times", ["a", "r"], ["array(timestamp(6))", "row(d decimal(10, 2), t date)"], [[["2024-01-01 10:00:00.000000", "2024-01-01 10:00:00.250000"], ["1.50", "2024-05-06"]]]),
    ("map of lists", ["m"], ["map(varchar, array(varchar))"], [[{"k": ["a", "b"]}]]),
    ("deep lists", ["l"], ["array(array(array(array(varchar))))"], [[[[[["a", None]]]]]]),
    ("floats in lists", ["l"], ["array(double)"], [[[1e16, 0.0001, 0.00001, 1.0, 123456789012.5]]]),
    ("many columns", ["c%d" % i for i in range(30)], ["bigint"] * 30, [list(range(30))]),
    ("bytes", ["b"], ["varbinary"], [["yv4="], [None], ["YSdcCgAi"], ["YSdi"]]),
    ("success", ["status"], ["varchar"], [["Success"]]),
    ("wide letters", ["名前","😀"], ["varchar","varchar"], [["日本語","a"],["é","👍👍"],[None,"x"]]),
    ("same names", ["a","a"], ["bigint","varchar"], [[1,"x"],[2,None]]),
    ("bigint extremes", ["a"], ["bigint"], [[9223372036854775807],[-9223372036854775808]]),
    ("bigint extremes with null", ["a"], ["bigint"], [[9223372036854775807],[None]]),
    ("ints of 7 digits and null", ["a"], ["bigint"], [[1234567],[None]]),
    ("zero and small", ["x"], ["double"], [[0.0],[1e-7]]),
    ("1e6", ["x"], ["double"], [[1e6],[0.5]]),
    ("inf and small", ["x"], ["double"], [["Infinity"],[1.5e-12]]),
    ("empty texts", ["s"], ["varchar"], [[""],[" "],["a "],[" a"]]),
    ("text None", ["s"], ["varchar"], [["None"],[None],["NaN"]]),
    ("all null of each", ["a","b","c","d","e","f","g"], ["varchar","double","boolean","timestamp(6)","date","decimal(10, 2)","array(integer)"], [[None]*7]),
    ("timestamps(3)", ["t"], ["timestamp(3)"], [["2024-01-01 10:00:00.120"],[None]]),
    ("old timestamps", ["t"], ["timestamp(6)"], [["1500-01-01 10:00:00.000000"],["2024-01-01 00:00:00.000000"]]),
    ("zone fractions", ["t"], ["timestamp(6) with time zone"], [["2024-01-01 10:00:00.250000 UTC"],["2024-01-01 10:00:00.000000 UTC"],["2024-01-01 10:00:00.123456 UTC"]]),
    ("zone(3)", ["t"], ["timestamp(3) with time zone"], [["2024-01-01 10:00:00.250 UTC"]]),
    ("dates and others", ["d","t"], ["date","time(3)"], [["0001-01-01","00:00:00.000"],["9999-12-31","23:59:59.999"]]),
    ("decimal forms", ["d"], ["decimal(38, 10)"], [["0.0000000001"],["12345678901234567890123456.1234567891"],["-0.0000000000"],["0.0000001000"]]),
    ("row texts", ["r"], ["row(a varchar, b array(varchar))"], [[["it's",["x'y",'q"']]]]),
    ("map text", ["m"], ["map(varchar, varchar)"], [[{"k'":"v\n"}]]),
    ("deep map", ["m"], ["map(varchar, map(varchar, map(varchar, array(varchar))))"], [[{"a":{"b":{"c":["d"]}}}]]),
    ("array of bytes", ["a"], ["array(varbinary)"], [[["yv4="]]]),
    ("bytes odd", ["b"], ["varbinary"], [["AAEC"],[""],["J1wi"],["fw=="]]),
    ("tabs in names", ["a\tb","c\nd"], ["bigint","varchar"], [[1,"x"]]),
    ("hundred columns", ["c%d" % i for i in range(100)], ["bigint","varchar"] * 50, [[i if i%2==0 else "t%d"%i for i in range(100)]]),
    ("midnight only at the ends", ["d"], ["timestamp(6)"], [["2024-01-01 %s"%("00:00:00.000000" if i<5 or i>55 else "10:00:00.000000")] for i in range(61)]),
    ("deep texts", ["l"], ["array(array(array(array(varchar))))"], [[[[[["it's", "a\nb", 'q"', "b\\c", "it's\""]]]]]]),
]

# The same table with few rows allowed.
cut = [("cut to %d" % n, ["i"], ["bigint"], [[i] for i in range(12)], n) for n in (4, 5, 11)]
cut.append(("cut of six", ["i"], ["bigint"], [[i] for i in range(6)], 4))

out = []
for name, columns, typs, rows, limit in [c + (60,) for c in cases] + cut:
    data = [[convert(t, v) for t, v in zip(typs, r)] for r in rows]
    df = pd.DataFrame(data, columns=columns)
    text = df.to_string(max_rows=limit, min_rows=10, show_dimensions=len(df) > limit)
    out.append({"name": name, "columns": columns, "types": typs, "rows": rows, "maxRows": limit, "text": text})
print(json.dumps(out, ensure_ascii=False, indent=1))
