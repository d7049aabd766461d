#!/usr/bin/env python3
"""Records what real Spark answers to the scenarios in suite/*.steps.json, as suite/*.spark.json.

Usage: record_spark.py [--into FOLDER] [SCENARIO …], with a PySpark that has an Iceberg catalog `lakehouse` (empty: the scenarios create and drop
tables in it) and, for scenarios that read taxi data, LAKELAB_DATA naming the folder that `lakelab data` made. With --into the answers go to that folder, where `make conformance-spark` compares them with the recorded.

A scenario is a list of steps: {"sql": …, "n": 20, "truncate": 20} for a statement whose result is shown, {"schema": table} for
printSchema. "mask" names columns of numbers that only their writer knows, such as sizes of files. "save" keeps values of the first row for ${name} in later statements: {"name": column}. "pause" waits a moment, so
that two commits do not fall on one millisecond. The answer holds columns with types, the text that show() prints, or the error.
"""
import json, os, re, sys, time, io, contextlib
from pathlib import Path
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

here = Path(__file__).parent / "suite"


def answer(spark, step, saved):
    fill = lambda s: re.sub(r"\$\{(\w+)\}", lambda m: str(saved[m[1]]), s)
    out = io.StringIO()
    try:
        if "schema" in step:
            with contextlib.redirect_stdout(out):
                spark.table(fill(step["schema"])).printSchema()
            return {"text": out.getvalue()}
        df = spark.sql(fill(step["sql"]))
        if "save" in step:
            row = df.collect()[step.get("row", 0)]
            for name, column in step["save"].items():
                saved[name] = row[column]
        with contextlib.redirect_stdout(out):
            df.show(step.get("n", 20), truncate=step.get("truncate", 20) or False)
        return {"columns": df.dtypes, "text": out.getvalue()}
    except PySparkException as e:
        try:
            message = e.getMessage() or str(e)
        except Exception:  # PySpark itself fails where Spark's error has no class
            message = str(e)
        return {"error": {"exception": type(e).__name__, "class": e.getCondition(), "message": message}}
    except Exception as e:
        text = str(e)
        m = re.search(r"^: ([\w.$]+): (.*)$", text, re.M)
        name, message = (m[1].split(".")[-1], m[2]) if m else (type(e).__name__, text.split("\n")[0])
        return {"error": {"exception": name, "class": None, "message": message}}


def main(names):
    into = here
    if names[:1] == ["--into"]:
        into, names = Path(names[1]), names[2:]
    spark = SparkSession.builder.appName("record").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    data = os.environ.get("LAKELAB_DATA", "")
    for path in sorted(here.glob("*.steps.json")):
        name = path.name.removesuffix(".steps.json")
        if names and name not in names:
            continue
        spark.sql("CREATE NAMESPACE IF NOT EXISTS lakehouse.default")
        spark.sql("USE lakehouse.default")
        saved, answers = {"data": data}, []
        for step in json.loads(path.read_text()):
            if step.get("pause"):
                time.sleep(0.05)
            answers.append(answer(spark, step, saved))
        text = json.dumps(answers, ensure_ascii=False, indent=1)
        if data:
            text = text.replace(data, "${data}")
        text = text.replace(spark.conf.get("spark.sql.catalog.lakehouse.warehouse"), "${warehouse}")
        (into / f"{name}.spark.json").write_text(text + "\n")
        print(f"{name}: {len(answers)} steps, {sum('error' in a for a in answers)} errors")
    spark.stop()


main(sys.argv[1:])
