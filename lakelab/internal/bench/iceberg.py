"""The steps of iceberg.go on another engine: iceberg.py pyiceberg|spark DIR STEPS. Prints {name: seconds} as JSON.

STEPS is JSON: {"trips": Parquet file, "commits": n, "merge": [into, from], "plans": [folder with p=… below, …]}. Spark comes with a
catalog `lakehouse` in its configuration; PyIceberg gets a SQLite catalog in DIR.
"""
import glob, json, sys, time


class Timer:
    def __init__(self):
        self.seconds = {}

    def take(self, name, f, rounds=1):
        best = None
        for _ in range(rounds):
            begun = time.perf_counter()
            f()
            took = time.perf_counter() - begun
            best = took if best is None else min(best, took)
        self.seconds[name] = best


def commits(timer, n, one):
    took = []
    for i in range(n):
        begun = time.perf_counter()
        one(i)
        took.append(time.perf_counter() - begun)
    tenth = max(1, n // 10)
    timer.seconds["commits"] = sum(took)
    timer.seconds["first commits"] = sum(took[:tenth]) / tenth
    timer.seconds["last commits"] = sum(took[-tenth:]) / tenth


def pyiceberg(folder, steps, timer):
    import pyarrow as pa, pyarrow.compute as pc, pyarrow.parquet as pq
    from pyiceberg.catalog.sql import SqlCatalog

    catalog = SqlCatalog("bench", uri=f"sqlite:///{folder}/pyiceberg.db", warehouse=f"file://{folder}/pyiceberg")
    catalog.create_namespace("bench")
    made = []

    def ctas():
        rows = pq.read_table(steps["trips"])
        made.append(catalog.create_table(f"bench.trips{len(made)}", rows.schema))
        made[-1].append(rows)

    timer.take("ctas", ctas, 3)
    timer.take("scan", lambda: pc.sum(made[-1].scan(selected_fields=("fare", "distance", "zone")).to_arrow()["fare"]), 3)
    one = pa.schema([("id", pa.int64()), ("v", pa.string())])
    events = catalog.create_table("bench.events", one)
    commits(timer, steps["commits"], lambda i: events.append(pa.table({"id": [i], "v": ["x"]}, schema=one)))


def spark(folder, steps, timer):
    from pyspark.sql import SparkSession

    session = SparkSession.builder.appName("bench").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    sql = session.sql
    sql("CREATE NAMESPACE IF NOT EXISTS lakehouse.bench")
    for t in ["trips", "events", "target"] + [f"plan{i}" for i in range(len(steps["plans"]))]:
        sql(f"DROP TABLE IF EXISTS lakehouse.bench.{t} PURGE")
    timer.take("ctas", lambda: sql(f"CREATE OR REPLACE TABLE lakehouse.bench.trips USING iceberg AS SELECT * FROM parquet.`{steps['trips']}`"), 3)
    timer.take("scan", lambda: sql("SELECT sum(fare), avg(distance), max(zone) FROM lakehouse.bench.trips").collect(), 3)
    sql("CREATE TABLE lakehouse.bench.events (id BIGINT, v STRING) USING iceberg")
    commits(timer, steps["commits"], lambda i: sql(f"INSERT INTO lakehouse.bench.events VALUES ({i}, 'x')"))
    timer.take("compaction", lambda: sql("CALL lakehouse.system.rewrite_data_files('bench.events')").collect())
    into, source = steps["merge"]
    for mode in ["copy-on-write", "merge-on-read"]:
        sql(f"CREATE OR REPLACE TABLE lakehouse.bench.target USING iceberg TBLPROPERTIES ('write.merge.mode' = '{mode}') AS SELECT id, concat('v', id) AS v FROM range({into})")
        timer.take("merge, " + mode, lambda: sql(f"MERGE INTO lakehouse.bench.target AS t USING (SELECT id + {into} - {source} / 2 AS id, 'new' AS v FROM range({source})) AS s "
            "ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *").collect())
    for i, path in enumerate(steps["plans"]):
        sql(f"CREATE OR REPLACE TABLE lakehouse.bench.plan{i} (id BIGINT, p INT) USING iceberg PARTITIONED BY (p)")
        sql(f"CALL lakehouse.system.add_files(table => 'bench.plan{i}', source_table => '`parquet`.`{path}`')").collect()
        files = len(glob.glob(path + "/*/*.parquet"))
        timer.take(f"planning, {files} files", lambda: sql(f"SELECT sum(id) FROM lakehouse.bench.plan{i} WHERE p = 17").collect(), 3)
    session.stop()


kind, folder, steps = sys.argv[1:]
timer = Timer()
{"pyiceberg": pyiceberg, "spark": spark}[kind](folder, json.loads(steps), timer)
print(json.dumps(timer.seconds))
