#!/usr/bin/env python3
"""Records how real Spark lays out tables and schemas, and how it writes values, as show.json. Usage: record_show.py, with PySpark; UTC.

tables: show() of rows of text with a number of rows, a truncation and perhaps vertical; schemas: printSchema of a DDL with a depth
(0: all of it); values: show() of an expression.
"""
import json
from pathlib import Path
from pyspark.sql import SparkSession

tables = [
    dict(columns=["a", "long name"], rows=[["1", "x"], ["22", "yy"]], n=20, truncate=20, vertical=False),
    dict(columns=["a", "long name"], rows=[["1", "x"], ["22", "yy"]], n=20, truncate=0, vertical=False),
    dict(columns=["a"], rows=[["abcdefghijklmnopqrstuvwxyz"], ["é" * 25]], n=20, truncate=20, vertical=False),
    dict(columns=["a"], rows=[["abcdef"]], n=20, truncate=3, vertical=False),
    dict(columns=["a"], rows=[["abcdef"]], n=20, truncate=5, vertical=False),
    dict(columns=["a", "b"], rows=[["表", "ж"], ["한국어", "ｆｕｌｌ"]], n=20, truncate=20, vertical=False),
    dict(columns=["a", "b"], rows=[["表", "ж"], ["한국어", "ｆｕｌｌ"]], n=20, truncate=0, vertical=False),
    dict(columns=["a"], rows=[["1"], ["2"], ["3"]], n=2, truncate=20, vertical=False),
    dict(columns=["a"], rows=[["1"], ["2"], ["3"]], n=1, truncate=20, vertical=False),
    dict(columns=["a"], rows=[["x\ny\tz\\"]], n=20, truncate=20, vertical=False),
    dict(columns=["a", "b"], rows=[], n=20, truncate=20, vertical=False),
    dict(columns=["a", "long name"], rows=[["1", "x"], ["22", "表"]], n=20, truncate=20, vertical=True),
    dict(columns=["a"], rows=[["1"], ["2"]], n=1, truncate=0, vertical=True),
    dict(columns=["a"], rows=[["abcdefghijklmnopqrstuvwxyz"]], n=20, truncate=20, vertical=True),
    dict(columns=["a"], rows=[], n=20, truncate=20, vertical=True),
    dict(columns=["a very long column name indeed"], rows=[["1"]], n=20, truncate=20, vertical=False),
]
schemas = [
    ("a INT, b STRING NOT NULL", 0),
    ("a ARRAY<STRUCT<x: INT, y: MAP<STRING, ARRAY<DOUBLE>>>>, b DECIMAL(10,2), c TIMESTAMP_NTZ, d INTERVAL DAY TO SECOND", 0),
    ("a ARRAY<STRUCT<x: INT, y: MAP<STRING, ARRAY<DOUBLE>>>>, b DECIMAL(10,2)", 1),
    ("a ARRAY<STRUCT<x: INT, y: MAP<STRING, ARRAY<DOUBLE>>>>, b DECIMAL(10,2)", 2),
    ("a BIGINT, b SMALLINT, c TINYINT, d FLOAT, e BINARY, f BOOLEAN, g DATE, h TIMESTAMP", 0),
]
values = """1.0E-3D; 9.99E-4D; 9999999.0D; 1.0E7D; -0.0D; 1.0E20D; 1.7976931348623157E308D; 4.9E-324D; 0.1D + 0.2D; 1.1F; CAST(16777216 AS FLOAT); CAST(1.0E10 AS FLOAT); CAST('NaN' AS DOUBLE); CAST('-Infinity' AS FLOAT)
2.50; CAST(0 AS DECIMAL(20,10)); CAST(0.0000001 AS DECIMAL(20,10)); CAST(-0.00000012 AS DECIMAL(38,18)); 12345678901234567890.12
DATE'0001-01-01'; DATE'0999-12-31'; DATE'9999-12-31'; DATE'+10000-01-01'; TIMESTAMP'0099-01-05 00:00:00'; TIMESTAMP'2024-01-05 06:07:08.100'; TIMESTAMP'2024-01-05 06:07:08.000001'; TIMESTAMP_NTZ'2024-01-05 06:07:08'
INTERVAL '1' DAY; INTERVAL '-3' HOUR; INTERVAL '1-2' YEAR TO MONTH; INTERVAL '-1-2' YEAR TO MONTH; INTERVAL '5' YEAR; INTERVAL '7' MONTH; INTERVAL '1 02:03:04.5' DAY TO SECOND; INTERVAL '-1 02' DAY TO HOUR; INTERVAL '61' MINUTE; INTERVAL '1.5' SECOND; INTERVAL '10:20' HOUR TO MINUTE
make_interval(1, 2, 0, 3, 4, 5, 6.7); make_interval(); make_interval(0, -1, 0, -3, 0, 0, -0.5)
array(1, NULL); array(); array('a', NULL); map('k', 1); map(1, NULL); named_struct('a', 1, 'b', 'x', 'c', NULL); array(named_struct('a', 1.5D)); map('k', array(1, 2)); X'1F2A00'; array(X'1F'); true; NULL"""

spark = SparkSession.builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
out = {"tables": [], "schemas": [], "values": []}
for t in tables:
    ddl = ", ".join(f"`{c}` STRING" for c in t["columns"])
    df = spark.createDataFrame([tuple(r) for r in t["rows"]], ddl)
    out["tables"].append({**t, "text": df._jdf.showString(t["n"], t["truncate"], t["vertical"])})
for ddl, level in schemas:
    schema = spark.createDataFrame([], ddl)._jdf.schema()
    out["schemas"].append({"ddl": ddl, "level": level, "text": schema.treeString() if level == 0 else schema.treeString(level)})
for line in values.splitlines():
    for x in line.split("; "):
        df = spark.sql(f"SELECT {x} AS v")
        out["values"].append({"expr": x, "type": df.dtypes[0][1], "text": df._jdf.showString(1, 0, False).split("\n")[3][1:-1].rstrip(" ")})
Path(__file__).with_name("show.json").write_text(json.dumps(out, ensure_ascii=False, indent=1) + "\n")
spark.stop()
