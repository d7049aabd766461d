"""Real Spark as a filter: a line of stdin is a JSON array of statements, a line of stdout the array of its answers.

An answer holds names and types of the columns, their tree, and the text of show(), or the error's class, exception and message.
"""
import json, os, sys

out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

# Small statements, one after the other: compiling each of them would take most of the time.
fast = {"spark.master": "local[1]", "spark.sql.shuffle.partitions": "1", "spark.sql.adaptive.enabled": "false", "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN", "spark.sql.session.timeZone": "UTC", "spark.default.parallelism": "1"}
builder = SparkSession.builder
for name, value in fast.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("OFF")


def answer(text):
    try:
        df = spark.sql(text)
        fields = df.schema.fields
        return {"names": [f.name for f in fields], "types": [f.dataType.simpleString() for f in fields], "nullable": [f.nullable for f in fields], "tree": df._jdf.schema().treeString(),
                "text": df._jdf.showString(1000, 0, False)}
    except PySparkException as e:
        return {"error": {"class": e.getCondition() or "", "exception": type(e).__name__, "message": str(e).split("\n\nJVM")[0]}}
    except Exception as e:
        return {"error": {"class": "", "exception": type(e).__name__, "message": str(e)[:500]}}


for line in sys.stdin:
    out.write(json.dumps([answer(t) for t in json.loads(line)]) + "\n")
    out.flush()
