#!/usr/bin/env python3
"""Records what real Spark answers to statements, as FILE.jsonl for each FILE.txt and FILE.calls here; the time zone is UTC.

Usage: record_expressions.py [--only-new] [--into FOLDER] [FILE …], with PySpark. In FILE.txt every line is a statement (basics.txt: what a first lesson uses;
fuzz.txt: what `make fuzz` found, over its tables); functions.calls and the
combinations in combinations.py are laid out into statements. A statement is an expression, or a query that begins with SELECT; one
that begins with ~name( has other values each time, so only its schema is kept. A line of FILE.jsonl holds the names, types and
nullability of the columns and the texts of the rows, or the error with its full text. --only-new keeps what is recorded already. With
--into the answers go to that folder, where `make conformance-spark` compares them with the recorded.
"""
import json, logging, re, sys, zlib
from pathlib import Path

import combinations

here = Path(__file__).parent
# What stands for an argument of another type.
OTHERS = ["array(1, 2)", "map('a', 1)", "named_struct('x', 1)", "DATE'2024-01-05'", "true", "X'4142'", "INTERVAL '1' DAY", "INTERVAL '2' MONTH", "1.50BD", "2.5D", "7", "'abc'",
          "TIMESTAMP'2024-01-05 06:07:08'", "TIMESTAMP_NTZ'2024-01-05 06:07:08'", "3000000000", "3Y", "'12'"]
UNSTABLE = {"uuid", "rand", "random", "randn", "shuffle", "curdate", "current_date", "current_timestamp", "now", "localtimestamp", "randstr", "uniform", "monotonically_increasing_id",
            "current_catalog", "current_database", "current_schema", "input_file_name"}


def parts(text, mark):
    """Splits at a mark that stands outside of quotes and brackets."""
    out, depth, quote, start, i = [], 0, None, 0, 0
    while i < len(text):
        c = text[i]
        if quote:
            if c == "\\":
                i += 1
            elif c == quote:
                quote = None
        elif c in "'\"":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == mark and depth == 0 and text[i - 1:i + 2] not in ("'||", "||'") and not (mark == "|" and "||" in (text[i:i + 2], text[i - 1:i + 1])):
            out.append(text[start:i].strip())
            start = i + 1
        i += 1
    return out + [text[start:].strip()]


def variants(name, args):
    """The first call of a function with other arguments."""
    for i in range(len(args)):
        change = lambda x: args[:i] + [x] + args[i + 1:]
        yield change("NULL")
        start = zlib.crc32(f"{name} {i}".encode())
        for k in range(3):
            yield change(OTHERS[(start + 5 * k) % len(OTHERS)])
    if args:
        yield args[:-1]
    yield args + ["1"]


def calls(text):
    """Lays out a .calls file."""
    section, behind = "", ""
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section, _, behind = line.partition("]")
            continue
        name, _, rest = line.partition(":")
        plain = name.startswith("=")
        name = name.lstrip("=")
        for i, call in enumerate(parts(rest, "|")):
            args = parts(call, ",") if call else []
            for a in [args] + (list(variants(name, args)) if i == 0 and not plain else []):
                s = f"{name}({', '.join(a)}){behind}"
                if name in UNSTABLE:
                    yield "~" + s
                else:
                    yield "SELECT " + s if behind else s


def statements(path):
    text = path.read_text()
    found = calls(text) if path.suffix == ".calls" else (line for line in text.splitlines() if line)
    if path.suffix == ".py":
        found = combinations.statements()
    return list(dict.fromkeys(found))


def answer(spark, text):
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    try:
        schema_only = re.match(r"~[a-z_]+\(", text)
        if schema_only:
            text = text[1:]
        df = spark.sql(text if text.startswith("SELECT ") else "SELECT " + text)
        fields = df.schema.fields
        out = {"names": [f.name for f in fields], "types": [f.dataType.simpleString() for f in fields], "nullable": [f.nullable for f in fields]}
        if schema_only:
            return out
        shown = df._jdf.showString(100, 0, False).split("\n")[3:-2]
        rows = [line[1:-1].split("|") if len(fields) > 1 else [line[1:-1]] for line in shown if line.startswith("|")]
        return {**out, "rows": [[cell.rstrip(" ") for cell in row] for row in rows]}
    except PySparkException as e:
        # The plan behind the message has numbers that change.
        message = re.sub(r";\n['!+A-Z][\s\S]*$", "", str(e).split("\n\nJVM")[0])
        return {"error": {"class": e.getCondition(), "state": e.getSqlState(), "exception": type(e).__name__, "message": message}}
    except Py4JError:
        return None  # Spark itself breaks on it


def main(*args):
    from pyspark.sql import SparkSession
    args = list(args)
    into = None
    if "--into" in args:
        at = args.index("--into")
        into = Path(args[at + 1])
        del args[at:at + 2]
    fresh = "--only-new" in args
    files = [Path(a) for a in args if not a.startswith("--")] or [here / "basics.txt", here / "expressions.txt", here / "fuzz.txt", here / "functions.calls", here / "combinations.py"]
    sys.path.insert(0, str(here.parents[1] / "testdata"))
    from record_spark import started
    spark = started(SparkSession.builder.config("spark.sql.session.timeZone", "UTC"))
    spark.sparkContext.setLogLevel("OFF")
    logging.disable()
    for statement in (here.parents[2] / "internal" / "fuzz" / "tables.sql").read_text().strip().removesuffix(";").split(";\n"):
        spark.sql(statement)
    for path in files:
        target = (into / path.name if into else path).with_suffix(".jsonl")
        known = {}
        if fresh and target.exists():
            known = {json.loads(line)["expr"]: line for line in target.read_text().splitlines()}
        with open(str(target) + ".part", "w") as out:
            for s in statements(path):
                if s in known:
                    out.write(known[s] + "\n")
                elif a := answer(spark, s):
                    out.write(json.dumps({"expr": s, **a}, ensure_ascii=False) + "\n")
        Path(str(target) + ".part").rename(target)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
