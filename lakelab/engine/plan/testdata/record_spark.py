#!/usr/bin/env python3
"""Records what real Spark's analyzer makes of queries.sql over the (empty) tables of tables.sql, as spark.jsonl.

Usage: record_spark.py, with a PySpark that has an Iceberg catalog `lakehouse`; the tables are made in lakehouse.default, which
should be empty. A line of queries.sql is a query; -- begins a comment. A line of spark.jsonl holds the columns with types and
nullability, or the error: exception, condition, SQLSTATE, message parameters, message and the place (1-based, inclusive).
"""
import json, re
from pathlib import Path
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

here = Path(__file__).parent


def schema(df):
    return [[f.name, f.dataType.simpleString(), f.nullable] for f in df.schema.fields]


def answer(spark, sql):
    try:
        return {"sql": sql, "columns": schema(spark.sql(sql))}
    except PySparkException as e:
        context = e.getQueryContext()
        place = [context[0].startIndex() + 1, context[0].stopIndex() + 1] if context else None
        return {"sql": sql, "error": {
            "exception": type(e).__name__, "class": e.getCondition(), "sqlState": e.getSqlState(),
            "params": dict(e.getMessageParameters() or {}), "message": e.getMessage(), "place": place,
        }}


def main():
    spark = SparkSession.builder.appName("record").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lakehouse.default")
    spark.sql("USE lakehouse.default")
    for ddl in (here / "tables.sql").read_text().split(";"):
        spark.sql("DROP TABLE IF EXISTS " + re.search(r"TABLE (\w+)", ddl)[1])
        spark.sql(ddl)
    lines = [l for l in (here / "queries.sql").read_text().splitlines() if l.strip() and not l.startswith("--")]
    answers = [answer(spark, l) for l in lines]
    (here / "spark.jsonl").write_text("".join(json.dumps(a, ensure_ascii=False) + "\n" for a in answers))
    print(len(answers), "queries,", sum("error" in a for a in answers), "errors")
    spark.stop()


main()
