"""Times MSCK REPAIR TABLE and pruned queries on an external table of many partitions: hive_pyspark.py DIR."""
import json, sys, tempfile, time
from pyspark.sql import SparkSession

dir, home = sys.argv[1], tempfile.mkdtemp()
spark = (SparkSession.builder.enableHiveSupport().config("spark.sql.warehouse.dir", home + "/wh")
         .config("spark.hadoop.javax.jdo.option.ConnectionURL", f"jdbc:derby:;databaseName={home}/metastore;create=true").getOrCreate())
spark.sparkContext.setLogLevel("OFF")
spark.sql("USE spark_catalog.default")
times = {}
for name, statement in {
    "Made": f"CREATE TABLE t (a BIGINT, b DOUBLE, p INT) USING parquet PARTITIONED BY (p) LOCATION '{dir}'",
    "Repair": "MSCK REPAIR TABLE t",
    "Pruned": "SELECT count(*), sum(a) FROM t WHERE p = 4711",
    "PrunedAgain": "SELECT count(*), sum(a) FROM t WHERE p = 4712",
    "Range": "SELECT count(*), sum(a) FROM t WHERE p BETWEEN 100 AND 199",
}.items():
    start = time.perf_counter()
    spark.sql(statement).collect()
    times[name] = time.perf_counter() - start
print(json.dumps(times))
spark.stop()
