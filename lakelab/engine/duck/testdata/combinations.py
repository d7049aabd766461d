"""Statements that combine types: casts of every type to every other, operators on every pair of types, edges of every type's range."""

# Values of each type; the first is the plain one.
VALUES = {
    "BOOLEAN": ["true", "false"],
    "TINYINT": ["3Y", "-128Y", "127Y"],
    "SMALLINT": ["300S", "-32768S", "5S"],
    "INT": ["70000", "-2147483648", "5", "0", "-1"],
    "BIGINT": ["3000000000", "9223372036854775807", "-9223372036854775808", "5L"],
    "FLOAT": ["CAST(1.5 AS FLOAT)", "CAST('NaN' AS FLOAT)", "CAST(3.4e38 AS FLOAT)", "CAST(0.1 AS FLOAT)"],
    "DOUBLE": ["2.5D", "-0.0D", "1e20D", "CAST('NaN' AS DOUBLE)", "CAST('-Infinity' AS DOUBLE)", "1.7976931348623157E308D", "4.9E-324D", "0.001D", "1234567.125D", "12345678.9D"],
    "DECIMAL(5,2)": ["123.45BD", "-0.50BD", "0.00BD"],
    "DECIMAL(38,0)": ["99999999999999999999999999999999999999BD", "-12345678901234567890BD"],
    "DECIMAL(20,10)": ["1234567890.0123456789BD", "0.0000000001BD"],
    "STRING": ["'abc'", "'12'", "' 12 '", "'1.9'", "'-1e3'", "'2024-01-05'", "'2024-01-05 06:07:08'", "'true'", "''", "'NaN'", "'128'", "'3000000000'", "'1 day'", "'1-2'", "'0x1F'", "'1.5d'", "'infinity'", "'+5'", "'.5'", "'5.'", "'99999999999999999999'"],
    "BINARY": ["X'3132'", "X''", "X'FF'"],
    "DATE": ["DATE'2024-01-05'", "DATE'0001-01-01'", "DATE'9999-12-31'", "DATE'-0044-03-15'", "DATE'+12345-01-01'"],
    "TIMESTAMP": ["TIMESTAMP'2024-01-05 06:07:08.123456'", "TIMESTAMP'1969-12-31 23:59:59.5'", "TIMESTAMP'0001-01-01 00:00:00'", "TIMESTAMP'9999-12-31 23:59:59.999999'"],
    "TIMESTAMP_NTZ": ["TIMESTAMP_NTZ'2024-01-05 06:07:08.123456'", "TIMESTAMP_NTZ'1582-10-10 00:00:00'"],
    "INTERVAL DAY TO SECOND": ["INTERVAL '1 02:03:04.5' DAY TO SECOND", "INTERVAL '-1 02:03:04.5' DAY TO SECOND", "INTERVAL '0' SECOND", "INTERVAL '106751991 04:00:54.775807' DAY TO SECOND"],
    "INTERVAL HOUR TO MINUTE": ["INTERVAL '25:30' HOUR TO MINUTE"],
    "INTERVAL DAY": ["INTERVAL '3' DAY"],
    "INTERVAL SECOND": ["INTERVAL '90.25' SECOND"],
    "INTERVAL YEAR TO MONTH": ["INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '-1-2' YEAR TO MONTH"],
    "INTERVAL MONTH": ["INTERVAL '14' MONTH"],
    "INTERVAL YEAR": ["INTERVAL '2' YEAR"],
    "INTERVAL": ["make_interval(1, 2, 0, 3, 4, 5, 6.5)"],
    "ARRAY<INT>": ["array(1, 2, NULL)", "array(300)"],
    "MAP<STRING, INT>": ["map('a', 1)", "map('1', NULL)"],
    "STRUCT<a: INT, b: STRING>": ["named_struct('a', 1, 'b', 'x')", "named_struct('a', NULL, 'b', '7')"],
    "VOID": ["NULL"],
}
NUMBERS = ["TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(5,2)", "DECIMAL(38,0)", "DECIMAL(20,10)"]
# One type of each family, for what combines all with all.
FAMILIES = ["BOOLEAN", "INT", "BIGINT", "DOUBLE", "DECIMAL(5,2)", "STRING", "BINARY", "DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "INTERVAL DAY TO SECOND", "INTERVAL YEAR TO MONTH", "INTERVAL", "ARRAY<INT>", "MAP<STRING, INT>", "STRUCT<a: INT, b: STRING>", "VOID"]
NESTED = ["ARRAY<STRING>", "ARRAY<DOUBLE>", "ARRAY<TINYINT>", "ARRAY<ARRAY<INT>>", "MAP<STRING, DOUBLE>", "MAP<INT, STRING>", "STRUCT<x: BIGINT, y: STRING>", "STRUCT<a: STRING>", "STRUCT<a: INT, b: INT>"]


def casts():
    for source, values in VALUES.items():
        for target in list(VALUES) + NESTED:
            if target == "VOID":
                continue
            nested = target[0] in "AM" or target.startswith("ST") and target != "STRING"
            if target not in FAMILIES + NUMBERS + NESTED and source.split()[0] != "INTERVAL":
                continue
            close = source == "STRING" or source in NUMBERS and target in NUMBERS or target == "STRING"
            for v in values if close and not nested else values[:1] if nested else values[:2]:
                yield f"CAST({v} AS {target})"
            if not nested and (close or source in FAMILIES):
                yield f"TRY_CAST({values[min(1, len(values) - 1)]} AS {target})"
    for source in ("ARRAY<INT>", "MAP<STRING, INT>", "STRUCT<a: INT, b: STRING>"):
        for target in NESTED:
            for v in VALUES[source][1:]:
                yield f"CAST({v} AS {target})"


def arithmetic():
    for op in ("+", "-", "*", "/", "%"):
        for l in NUMBERS:
            for r in NUMBERS:
                yield f"{VALUES[l][0]} {op} {VALUES[r][0]}"
    for op in ("+", "-", "*"):
        for l in ("TINYINT", "SMALLINT", "INT", "BIGINT", "DECIMAL(38,0)"):
            for v in VALUES[l][1:3]:
                for w in ("5Y", "-1", "2L", v):
                    yield f"{v} {op} {w}"
    for op in ("/", "%", "div"):
        for v in ("5Y", "5", "5L", "5.5D", "5.5BD", "CAST(5 AS FLOAT)", "NULL", "'5'"):
            for w in ("0", "0L", "0.0D", "0.0BD", "'0'", "NULL", "2", "'2.5'", "-2"):
                yield f"{v} {op} {w}"
    for l in ("DECIMAL(5,2)", "DECIMAL(20,10)", "DECIMAL(38,0)", "INT", "BIGINT", "DOUBLE"):
        for r in ("DECIMAL(5,2)", "DECIMAL(20,10)", "BIGINT"):
            yield f"{VALUES[l][0]} div {VALUES[r][-1]}"
    # Precision and scale.
    for l in ((38, 18), (38, 38), (38, 6), (10, 0), (3, 3), (1, 0), (19, 4)):
        for r in ((38, 18), (38, 0), (10, 5), (2, 2), (20, 20)):
            for op in "+-*/%":
                yield f"CAST(0.5 AS DECIMAL({l[0]},{l[1]})) {op} CAST(0.3 AS DECIMAL({r[0]},{r[1]}))"
    for v in ("-128Y", "-32768S", "-2147483648", "(-9223372036854775807L - 1L)", "1.5BD", "'1.5'", "NULL", "true", "INTERVAL '1' DAY", "DATE'2024-01-05'", "array(1)"):
        yield f"-({v})"
        yield f"+({v})"
        yield f"~({v})"
        yield f"NOT ({v})"
    for op in ("&", "|", "^", "<<", ">>", ">>>"):
        for l in ("5Y", "300S", "70000", "3000000000", "1.5D", "'5'", "true", "NULL"):
            for r in ("3", "2L", "1Y"):
                yield f"{l} {op} {r}"


def pairs():
    """Operators and comparisons of a value of every type with one of every other."""
    for l in FAMILIES:
        for r in FAMILIES:
            a, b = VALUES[l], VALUES[r]
            numbers = l in NUMBERS and r in NUMBERS
            for op in ("=", "<") if not numbers else ("=", "<=>"):
                yield f"{a[0]} {op} {b[0]}"
            if not numbers:
                for op in ("+", "-") if "INTERVAL" not in l + r else ("+", "-", "*", "/"):
                    yield f"{a[0]} {op} {b[0]}"
            if l < r:
                yield f"coalesce({a[0]}, {b[0]})"
                yield f"{a[0]} IN ({b[0]}, NULL)"
                yield f"array({a[0]}, {b[0]})"


def times():
    dates = ["DATE'2024-01-31'", "TIMESTAMP'2024-01-31 12:30:00'", "TIMESTAMP_NTZ'2024-01-31 12:30:00'", "'2024-01-31'"]
    steps = ["INTERVAL '1' MONTH", "INTERVAL '-1' MONTH", "INTERVAL '1-1' YEAR TO MONTH", "INTERVAL '1' DAY", "INTERVAL '36' HOUR", "INTERVAL '1 02:03:04.567' DAY TO SECOND", "INTERVAL 1 MONTH 3 DAYS",
             "INTERVAL 1 DAY 2 HOURS", "INTERVAL '90' SECOND", "make_interval(0, 1, 0, 1)", "1", "1Y", "5L", "1.5D", "'1'"]
    for d in dates:
        for s in steps:
            yield f"{d} + {s}"
            yield f"{d} - {s}"
            yield f"{s} + {d}"
        for e in dates:
            yield f"{d} - {e}"
    for a in steps[:10]:
        for b in ("2", "0", "1.5D", "2.5BD", "'2'", "NULL", "CAST(2 AS BIGINT)"):
            yield f"{a} * {b}"
            yield f"{a} / {b}"
        yield f"2 * {a}"
        yield f"-{a}"
        yield f"string({a})"
        for b in steps[:10]:
            yield f"{a} + {b}"
            yield f"{a} - {b}"
            yield f"{a} < {b}"
    for f in ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DAYS", "DAYOFWEEK", "DOW", "DAYOFWEEK_ISO", "DOY", "HOUR", "MINUTE", "SECOND", "YEAROFWEEK", "EPOCH", "CENTURY", "MILLISECONDS"):
        for v in ("DATE'2024-12-30'", "TIMESTAMP'2024-12-30 23:59:58.765'", "TIMESTAMP_NTZ'2024-12-30 23:59:58.765'", "INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '1 02:03:04.5' DAY TO SECOND",
                  "INTERVAL '3' YEAR", "INTERVAL '5' HOUR", "make_interval(1, 2, 0, 3, 4, 5, 6.5)", "'2024-12-30 23:59:58'", "5", "NULL"):
            yield f"EXTRACT({f} FROM {v})"
    for f in ("year", "month", "day", "hour", "minute", "second", "quarter", "weekofyear", "dayofweek"):
        for v in ("INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '1 02:03:04.5' DAY TO SECOND", "make_interval(1, 2, 0, 3, 4, 5, 6.5)", "INTERVAL '-1 02:03:04.5' DAY TO SECOND", "INTERVAL '7' DAY"):
            yield f"{f}({v})"
    units = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"]
    texts = {0: "1", 1: "1-2", 2: "3", 3: "3 04", 4: "3 04:05", 5: "3 04:05:06.789"}
    for i, a in enumerate(units):
        yield f"INTERVAL '5' {a}"
        yield f"INTERVAL '-5' {a}"
        yield f"INTERVAL -'5' {a}"
        yield f"INTERVAL 5 {a}S"
        yield f"INTERVAL '70' {a}"
        yield f"INTERVAL '1.5' {a}"
        yield f"INTERVAL 'x' {a}"
        yield f"INTERVAL '2147483648' {a}"
        for b in units[i + 1:]:
            j = units.index(b)
            whole = ["1", "2"] if j < 2 else ["3", "04", "05", "06.789"]
            n = j - i + 1
            seps = {1: "-", 3: " ", 4: ":", 5: ":"}
            text = "".join((seps[i + k] if k else "") + ("1" if k == 0 else "02" if i + k != 5 else "03.5") for k in range(n)) if all(i + k in seps for k in range(1, n)) else "1 2"
            yield f"INTERVAL '{text}' {a} TO {b}"
            yield f"INTERVAL '{'-' + text}' {a} TO {b}"
    for text in ("1 day", "3 days 2 hours", "1 year 2 months", "1 month 1 day", "-1 day", "1.5 seconds", "1 day 25 hours", "2 weeks", "1 millisecond", "1 fortnight", "", "1", "day", "1 days -2 hours", "1 second 1 second",
                 "100 microseconds"):
        yield f"INTERVAL '{text}'"
    for many in ("1 YEAR 2 MONTHS", "1 DAY 2 HOURS 3 MINUTES", "1 WEEK", "1 MONTH 1 DAY", "-3 HOURS", "1.5 SECONDS", "'1' YEAR '2' MONTH", "1 MILLISECOND 1 MICROSECOND", "(1 + 1) DAYS", "1 QUARTER", "1 NANOSECOND"):
        yield f"INTERVAL {many}"
    for text in ("2024-01-05", "2024-1-5", "2024", "2024-01", "20240105", "2024-13-01", "2024-02-30", "", "x", "2024-01-05T06", "+2024-01-05", "-0001-01-01", "0000-01-01", "10000-01-01", " 2024-01-05 ", "2024-01-05 abc", "epoch"):
        yield f"DATE'{text}'"
        yield f"CAST('{text}' AS DATE)"
    for text in ("2024-01-05 06:07:08", "2024-01-05 6:7:8", "2024-01-05T06:07", "2024-01-05 06", "2024-01-05 06:07:08.1234567", "2024-01-05 06:07:08Z", "2024-01-05 06:07:08+03:00", "2024-01-05 06:07:08 Europe/Moscow", "2024-01-05 24:00:00",
                 "2024-01-05 06:60:00", "2024-01-05 06:07:08 UTC+3", "2024-01-05 06:07:08 +3", "2024-01-05 06:07:08 GMT", "2024-01-05 06:07:08 Nope", "2024-01-05 06:07:08.", "2024-01-05 06:07:08 -03:30", "1969-12-31 23:59:59.999999"):
        yield f"TIMESTAMP'{text}'"
        yield f"TIMESTAMP_NTZ'{text}'"
        yield f"CAST('{text}' AS TIMESTAMP)"
        yield f"CAST('{text}' AS TIMESTAMP_NTZ)"
        yield f"TRY_CAST('{text}' AS TIMESTAMP)"


def shapes():
    """Texts and names of values, constants, CASE, LIKE and the rest of the expression language."""
    yield from """
1.0 | 1.50 | .5 | 5. | 1e3 | 1E-3 | 1.5e10BD | 123456789012345678901234567890 | 0.1BD | 1.0F | 1D | 1e400D | 99999999999999999999999999999999999999999 | 128Y | 40000S | 1e39F | 0x1F | 1.5Y
'a' 'b' | "it's" | 'it''s' | 'a\\tb' | r'a\\tb' | 'é' | '\\u0041' | '\\%' | '\\_' | '\\0' | 'a\\zb' | X'1' | X'zz' | x'0aF' | TRUE | NULL | 'a' || 1 | 1 || 2 | NULL || 'a'
array(1.5D, NULL) | array('a', NULL) | map('a', array(1)) | named_struct('a', map(1, NULL)) | struct(1, 'a', NULL) | array(X'01') | map(1.5D, DATE'2024-01-05') | array(TIMESTAMP'2024-01-05 06:07:08') | array(INTERVAL '1' DAY) | array(1.50BD)
array(1, 2)[0] | array(1, 2)[5] | array(1, 2)[-1] | array(1, 2)['a'] | map('a', 1)['a'] | map('a', 1)['b'] | map(1, 2)['a'] | named_struct('a', 1).a | named_struct('a', 1).b | array(named_struct('a', 1)).a | array(named_struct('a', 1))[0].a | 1[0] | 'abc'[0] | named_struct('a', 1)['a'] | array(1)[NULL] | map('a', named_struct('b', 2)).a.b | array(1, 2)[1L]
CASE WHEN 1 = 1 THEN 'a' END | CASE 1 WHEN 1 THEN 'a' WHEN 2 THEN 'b' ELSE 'c' END | CASE WHEN NULL THEN 1 ELSE 2 END | CASE WHEN 1 THEN 2 END | CASE 1 WHEN 'a' THEN 1 END | CASE WHEN true THEN 1 ELSE 'a' END | CASE WHEN true THEN 1 ELSE 2.5BD END | CASE NULL WHEN NULL THEN 1 ELSE 2 END | CASE WHEN false THEN 1 END
1 BETWEEN 0 AND 2 | 'b' BETWEEN 'a' AND 'c' | 1 NOT BETWEEN 0 AND 2 | NULL BETWEEN 1 AND 2 | 1 BETWEEN '0' AND 2.5BD | DATE'2024-01-05' BETWEEN '2024-01-01' AND '2024-02-01' | 1 BETWEEN array(1) AND 2
1 IN (1, 2) | 1 IN (2, NULL) | NULL IN (1) | 1 NOT IN (2, 3) | 1 IN ('1', 2) | 'a' IN ('A') | 1 IN (array(1)) | (1, 'a') IN ((1, 'a')) | 1.5BD IN (1.5D) | DATE'2024-01-05' IN ('2024-01-05')
'abc' LIKE 'a%' | 'abc' NOT LIKE 'a_' | 'a%c' LIKE 'a\\%c' | 'abc' LIKE NULL | 1 LIKE '1' | 'abc' LIKE ANY ('a%', 'x') | 'abc' LIKE ALL ('a%', '%c') | 'abc' NOT LIKE ALL ('x%', 'y') | 'abc' LIKE SOME ('x') | 'ABC' ILIKE 'a%' | 'abc' ILIKE ANY ('A%') | 'abc' LIKE 'a' ESCAPE '/' | 'abc' RLIKE '^a' | 'abc' NOT RLIKE 'x' | 'abc' REGEXP 'b' | 'a/c' LIKE 'a//c' ESCAPE '/' | 'abc' LIKE 'ab\\' | 'abc' LIKE 'a/bc' ESCAPE '/'
NULL IS NULL | 1 IS NOT NULL | NULL IS TRUE | true IS NOT FALSE | NULL IS UNKNOWN | 1 IS TRUE | 1 IS DISTINCT FROM NULL | NULL IS NOT DISTINCT FROM NULL | 'a' IS TRUE
true AND NULL | false AND NULL | true OR NULL | NOT NULL | NOT true | 1 AND true | 'true' AND true | true && false | true || false | !true | 1 = 1 = true | true > false | 1 == 1 | 1 != 2 | 1 <> 2 | NULL <=> NULL | 1 <=> NULL | NULL = NULL | 1 !< 2
1 + 2 * 3 | (1 + 2) * 3 | -1 | - 1 | -(-1) | +1 | 2 - -1 | 7 / 2 | 7 div 2 | 7 % -3 | 1 - 1 - 1 | 2 * 3 / 4 | 1 << 2 + 1 | 5 & 3 | 4 ^ 5 | ~5 - 1 | 1 | 2 & 3
CAST(1 AS STRING) | CAST('1' AS INT) + 1 | 1::string | '5'::int + 1 | TRY_CAST('a' AS INT) | CAST(1 AS DECIMAL) | CAST(1 AS DEC(5, 2)) | CAST(1 AS NUMERIC(5)) | CAST('a' AS CHAR(3)) | CAST('abc' AS VARCHAR(2)) | CAST(1 AS DECIMAL(39, 0)) | CAST(1 AS DECIMAL(5, 6)) | CAST(1 AS NOPE) | CAST(1.005 AS DECIMAL(3, 2)) | CAST(NULL AS INT) | CAST(1 AS LONG) | CAST(1 AS BYTE) | CAST(1 AS REAL) | CAST('2024-01-05' AS TIMESTAMP_LTZ) | CAST(1 AS INTEGER) | CAST(1 AS VOID) | CAST(1 AS DOUBLE PRECISION)
EXTRACT(YEAR FROM DATE'2024-01-05') | TRIM(BOTH 'x' FROM 'xax') | TRIM(LEADING FROM '  a') | TRIM(TRAILING 'x' FROM 'axx') | TRIM('x' FROM 'xax') | SUBSTRING('hello' FROM 2 FOR 3) | SUBSTRING('hello' FROM 2) | POSITION('l' IN 'hello') | OVERLAY('hello' PLACING 'XX' FROM 2 FOR 3) | OVERLAY('hello' PLACING 'XX' FROM 2) | TIMESTAMPADD(DAY, 1, DATE'2024-01-05') | DATEDIFF(DAY, DATE'2024-01-05', DATE'2024-01-08') | DATE_ADD(DATE'2024-01-05', 1) | DATE_ADD(DAY, 1, DATE'2024-01-05')
nosuch(1) | abs() | abs(1, 2) | substr('a') | sum(1) + 1 | count(DISTINCT 1) | abs(DISTINCT 1) | upper(lower('A')) | Abs(-1) | UPPER('a') | sum(sum(1)) | row_number() | lag(1) | explode(array(1)) + 1 | length(NULL) | typeof(NULL + 1) | typeof(array()) | typeof(map()) | typeof(1 + 1L) | typeof(1S + 1Y) | typeof(1 / 2) | typeof(1.5BD * 2) | typeof(avg(1.5BD)) | typeof(sum(1.5BD)) | typeof(INTERVAL '1' DAY * 2) | typeof(current_date - DATE'2024-01-05')
""".replace("\n", " | ").strip(" |").split(" | ")


def statements():
    for part in (shapes, casts, arithmetic, times, pairs):
        yield from (s for s in part() if s.strip())
