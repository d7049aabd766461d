#!/usr/bin/env python3
"""Records what real Spark answers to the expressions in expressions.txt, as expressions.jsonl; the time zone is UTC.

Usage: record_expressions.py [IN.txt OUT.jsonl], with PySpark. A line of IN is an expression, or a whole query that begins with SELECT.
A line of OUT holds the names, types and nullability of the columns and the texts of the rows, or the error with its full text.
"""
import json, sys
from pathlib import Path
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

here = Path(__file__).parent


def answer(spark, text):
    try:
        df = spark.sql(text if text.startswith("SELECT ") else "SELECT " + text)
        fields = df.schema.fields
        shown = df._jdf.showString(100, 0, False).split("\n")[3:-2]
        rows = [line[1:-1].split("|") if len(fields) > 1 else [line[1:-1]] for line in shown if line.startswith("|")]
        return {"names": [f.name for f in fields], "types": [f.dataType.simpleString() for f in fields], "nullable": [f.nullable for f in fields],
                "rows": [[cell.rstrip(" ") for cell in row] for row in rows]}
    except PySparkException as e:
        return {"error": {"class": e.getCondition(), "state": e.getSqlState(), "exception": type(e).__name__, "message": str(e).split("\n\nJVM")[0]}}


def main(source=here / "expressions.txt", target=here / "expressions.jsonl"):
    spark = SparkSession.builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    lines = [line for line in Path(source).read_text().splitlines() if line]
    with open(target, "w") as out:
        for line in lines:
            out.write(json.dumps({"expr": line, **answer(spark, line)}, ensure_ascii=False) + "\n")
    spark.stop()


main(*sys.argv[1:])
