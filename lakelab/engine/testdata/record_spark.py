#!/usr/bin/env python3
"""Records what real Spark answers to the scenarios in suite/*.steps.json, as suite/*.spark.json.

Usage: record_spark.py [--hive] [--into FOLDER] [SCENARIO …], with a PySpark that has an Iceberg catalog `lakehouse` (empty: the scenarios create and drop
tables in it) and, for scenarios that read taxi data, LAKELAB_DATA naming the folder that `lakelab data` made. With --into the answers go to that folder, where `make conformance-spark` compares them with the recorded.

A scenario is a list of steps: {"sql": …, "n": 20, "truncate": 20} for a statement whose result is shown, {"schema": table} for
printSchema. "mask" names columns of numbers that only their writer knows, such as sizes of files. "save" keeps values of the first row for ${name} in later statements: {"name": column}. "pause" waits a moment, so
that two commits do not fall on one millisecond. "case" names the bug report that a step is about.

The scenarios hive_… are of spark_catalog: --hive records them, with Hive's metastore in Derby, and nothing else. They have steps of other
kinds, too: {"write": folder, "query": …} for DataFrame.write.save, {"saveAsTable": table, …} and {"insertInto": table, …} with mode,
format, partitionBy and options; {"files": folder} for the folders below that hold data files, with their numbers; {"remove": path},
{"mkdir": path} and {"touch": path}; {"sql": …, "view": name} makes a temporary view. ${dir} is a folder of the scenario's own,
${warehouse} where managed tables are. What a scenario made is removed behind it.

The answer holds columns with types, the text that show() prints, or the error.
"""
import json, os, re, shutil, sys, tempfile, threading, time, io, contextlib
from pathlib import Path
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

here = Path(__file__).parent / "suite"


def started(builder, seconds=300):
    """The session; Spark hangs at its start now and then, which ends this program with a word about it."""
    def late():
        print(f"real Spark has not started within {seconds} seconds: run this again", file=sys.stderr, flush=True)
        os._exit(1)
    watch = threading.Timer(seconds, late)
    watch.daemon = True
    watch.start()
    spark = builder.getOrCreate()
    spark.sql("SELECT 1").collect()
    watch.cancel()
    return spark


def answer(spark, step, saved):
    fill = lambda s: re.sub(r"\$\{(\w+)\}", lambda m: str(saved.get(m[1], m[0])), s)  # others are settings
    out = io.StringIO()
    try:
        if "schema" in step:
            with contextlib.redirect_stdout(out):
                spark.table(fill(step["schema"])).printSchema()
            return {"text": out.getvalue()}
        if "query" in step:
            write(spark, step, fill)
            return {"text": ""}
        if "sql" not in step:
            return {"text": files(step, fill)}
        df = spark.sql(fill(step["sql"]))
        if "view" in step:
            df.createOrReplaceTempView(step["view"])
            return {"text": ""}
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


def write(spark, step, fill):
    w = spark.sql(fill(step["query"])).write
    if "mode" in step:
        w = w.mode(step["mode"])
    if "format" in step:
        w = w.format(step["format"])
    if "partitionBy" in step:
        w = w.partitionBy(*step["partitionBy"])
    for k, v in step.get("options", {}).items():
        w = w.option(k, fill(v))
    if "write" in step:
        w.save(fill(step["write"]))
    elif "saveAsTable" in step:
        w.saveAsTable(step["saveAsTable"])
    else:
        w.insertInto(step["insertInto"], overwrite=True if step.get("mode") == "overwrite" else None)


def files(step, fill):
    (kind, path), = ((k, v) for k, v in step.items() if k in ("files", "remove", "mkdir", "touch"))
    path = Path(fill(path))
    if kind == "remove":
        shutil.rmtree(path)
    elif kind == "mkdir":
        path.mkdir(parents=True, exist_ok=True)
    elif kind == "touch":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    else:
        lines = []
        for dir, _, found in os.walk(path):
            rel = os.path.relpath(dir, path)
            n = sum(not f.startswith((".", "_")) for f in found)
            if not any(p.startswith((".", "_")) for p in rel.split("/") if p != "."):
                lines.append(f"{rel}: {'files' if n else 'empty'}")
        return "\n".join(sorted(lines)) + "\n"
    return ""


def hive(spark, dir):
    """Removes what a scenario made."""
    spark.sql("USE spark_catalog.default")
    for (name,) in spark.sql("SHOW DATABASES").collect():
        if name != "default":
            spark.sql(f"DROP DATABASE `{name}` CASCADE")
    for t in spark.sql("SHOW TABLES").collect():
        spark.sql(f"DROP TABLE `{t.tableName}`" if not t.isTemporary else f"DROP VIEW `{t.tableName}`")
    for folder in (dir, Path(spark.conf.get("spark.sql.warehouse.dir").removeprefix("file:"))):
        shutil.rmtree(folder, ignore_errors=True)
        Path(folder).mkdir(parents=True)


def main(names):
    with_hive = "--hive" in names
    names = [n for n in names if n != "--hive"]
    into = here
    if names[:1] == ["--into"]:
        into, names = Path(names[1]), names[2:]
    builder = SparkSession.builder.appName("record")
    dir = Path(tempfile.gettempdir()) / "record-hive"
    if with_hive:
        shutil.rmtree(dir, ignore_errors=True)
        home = "jdbc:derby:;databaseName=%s;create=true" % (dir / "metastore_db")
        builder = builder.enableHiveSupport().config("spark.sql.warehouse.dir", str(dir / "spark-warehouse"))
        builder = builder.config("spark.hadoop.javax.jdo.option.ConnectionURL", home)
        builder = builder.config("spark.driver.extraJavaOptions", "-Dderby.stream.error.file=/dev/null")
    spark = started(builder)
    spark.sparkContext.setLogLevel("OFF")
    data = os.environ.get("LAKELAB_DATA", "")
    for path in sorted(here.glob("*.steps.json")):
        name = path.name.removesuffix(".steps.json")
        if names and name not in names or name.startswith("hive_") != with_hive:
            continue
        saved, answers = {"data": data, "dir": tempfile.mkdtemp()}, []
        if with_hive:
            saved |= {"dir": str(dir / "data"), "warehouse": str(dir / "spark-warehouse")}
            hive(spark, dir / "data")
        else:
            spark.sql("CREATE NAMESPACE IF NOT EXISTS lakehouse.default")
            spark.sql("USE lakehouse.default")
        for step in json.loads(path.read_text()):
            if step.get("pause"):
                time.sleep(0.05)
            answers.append(answer(spark, step, saved))
        text = json.dumps(answers, ensure_ascii=False, indent=1)
        if data:
            text = text.replace(data, "${data}")
        if with_hive:
            for k in ("dir", "warehouse"):
                text = text.replace(saved[k], "${%s}" % k)
        else:
            text = text.replace(saved["dir"], "${dir}")
            text = text.replace(spark.conf.get("spark.sql.catalog.lakehouse.warehouse"), "${warehouse}")
        (into / f"{name}.spark.json").write_text(text + "\n")
        print(f"{name}: {len(answers)} steps, {sum('error' in a for a in answers)} errors")
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
