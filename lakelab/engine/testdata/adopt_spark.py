"""Writes or reads a lake of plain files with real Spark, for TestAdoptSparkLake: adopt_spark.py (write|read) DIR.

write makes the tables of adopt.json from their queries, each in a folder of its own in DIR; read takes the folders that are there. Both
adopt them by CREATE TABLE and MSCK REPAIR TABLE and print what show() shows of each, as JSON.
"""
import contextlib, io, json, sys, tempfile
from pathlib import Path
from pyspark.sql import SparkSession

mode, dir = sys.argv[1], Path(sys.argv[2])
home = tempfile.mkdtemp()
spark = (SparkSession.builder.enableHiveSupport().config("spark.sql.warehouse.dir", home + "/wh")
         .config("spark.hadoop.javax.jdo.option.ConnectionURL", f"jdbc:derby:;databaseName={home}/metastore;create=true").getOrCreate())
spark.sparkContext.setLogLevel("OFF")
spark.sql("USE spark_catalog.default")
answers = {}
for t in json.loads((Path(__file__).parent / "adopt.json").read_text()):
    columns, keys = t["columns"], t.get("keys", "")
    names = [k.strip().split(" ")[0] for k in keys.replace("(10,2)", "").split(",") if k.strip()]
    if mode == "write":
        for k, v in t.get("conf", {}).items():
            spark.conf.set(k, v)
        spark.sql(t["query"]).write.partitionBy(*names).parquet(str(dir / t["name"]))
        for k in t.get("conf", {}):
            spark.conf.unset(k)
    by = f"PARTITIONED BY ({', '.join(names)})" if names else ""
    spark.sql(f"CREATE TABLE {t['name']} ({', '.join(filter(None, [columns, keys]))}) USING parquet {by} LOCATION '{dir / t['name']}'")
    if names:
        spark.sql(f"MSCK REPAIR TABLE {t['name']}")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        spark.sql(t.get("order", f"SELECT * FROM {t['name']} ORDER BY id")).show(100, truncate=False)
    answers[t["name"]] = out.getvalue()
print(json.dumps(answers))
spark.stop()
