"""Records what PySpark says about each statement of spark_errors.sql.txt (one a line, \\n for a line break).

Run it with a Spark 4.0.1 + Iceberg 1.10.1 session's environment:  python record_errors.py > spark_errors.jsonl
Each line of the result: the statement, and either the error's class and full text (str of the exception) or null for one
that parses. Only the parser runs: nothing is read or written.
"""
import json
import os
import sys

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

here = os.path.dirname(os.path.abspath(__file__))
spark = SparkSession.builder.getOrCreate()
parser = spark._jsparkSession.sessionState().sqlParser()
with open(os.path.join(here, "spark_errors.sql.txt"), encoding="utf-8") as f:
    for line in f:
        sql = line.rstrip("\n").replace("\\n", "\n")
        record = {"sql": sql, "class": None, "text": None}
        try:
            parser.parsePlan(sql)
        except PySparkException as e:
            record["class"] = e.getCondition() or ""
            record["text"] = str(e)
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
