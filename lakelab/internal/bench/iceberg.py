"""The steps of iceberg.go on another engine: iceberg.py pyiceberg|spark DIR STEPS. Prints {name: seconds or MiB} as JSON.

STEPS is JSON: {"trips": Parquet file, "commits": n, "merge": [into, from], "plans": {number of files: metadata file of a table}}. Spark
comes with a catalog `lakehouse` in its configuration; PyIceberg gets a SQLite catalog in DIR.
"""
import json, sys, time


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


class Growth:
    """By how many MiB a process's resident memory rises at most."""

    def __init__(self, pid):
        self.status = f"/proc/{pid}/status"
        with open(f"/proc/{pid}/clear_refs", "w") as f:
            f.write("5")
        self.before = self.read("VmRSS")

    def read(self, key):
        return next(int(line.split()[1]) for line in open(self.status) if line.startswith(key)) / 1024

    def peak(self):
        return self.read("VmHWM") - self.before


def planning(timer, files, pid, query):
    """The first query of a table, with its memory, and the best of three further ones."""
    name = f"planning, {files} files"
    growth = Growth(pid)
    timer.take(name + ", first", query)
    timer.seconds[name + ", MiB"] = growth.peak()
    timer.take(name, query, 3)


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
    from pyiceberg.table import StaticTable

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
    for files, metadata in steps["plans"].items():
        planning(timer, files, "self", lambda: pc.sum(StaticTable.from_metadata(metadata).scan(row_filter="p = 7", selected_fields=("id",)).to_arrow()["id"]))


def spark(folder, steps, timer):
    from pyspark.sql import SparkSession

    session = SparkSession.builder.appName("bench").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    sql = session.sql
    sql("CREATE NAMESPACE IF NOT EXISTS lakehouse.bench")
    for t in ["trips", "events", "target"]:
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
    pid = session._jvm.java.lang.ProcessHandle.current().pid()
    for files, metadata in steps["plans"].items():
        session._jvm.java.lang.System.gc()
        planning(timer, files, pid, lambda: session.read.format("iceberg").load(metadata).where("p = 7").selectExpr("sum(id)").collect())
    session.stop()


kind, folder, steps = sys.argv[1:]
timer = Timer()
try:
    {"pyiceberg": pyiceberg, "spark": spark}[kind](folder, json.loads(steps), timer)
finally:
    print(json.dumps(timer.seconds), flush=True)
