"""Writes the notebook that module 7 is measured against: cell for cell the statements and checks of the lesson's solution through
PySpark, without the Trino cells.

Usage: pyspark_module7.py OUT.ipynb. It finds the tables that prepare_pyspark.py made.
"""
import sys
import nbformat
from nbformat.v4 import new_code_cell, new_notebook

CELLS = r'''
from pyspark.sql import SparkSession, functions as F
S, D = "lakehouse.silver.nyc_taxi_yellow", "lakehouse.default.taxi_changes_demo"
COLS = "VendorID, tpep_pickup_datetime, tpep_dropoff_datetime, passenger_count, trip_distance, fare_amount, total_amount, pickup_borough, pickup_zone"
spark = SparkSession.builder.appName("module-07").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
#
assert spark.catalog.tableExists(S)
assert spark.table(S).count() > 0
#
spark.sql(f"SELECT snapshot_id, committed_at, operation, summary['added-records'] AS added, summary['total-records'] AS total FROM {S}.snapshots ORDER BY committed_at").show(truncate=False)
#
last = spark.sql(f"SELECT snapshot_id, committed_at, operation, summary FROM {S}.snapshots ORDER BY committed_at DESC").first()
assert last["summary"]["total-records"] == str(spark.table(S).count())
#
spark.sql(f"SELECT * FROM {S}.history").show(truncate=False)
assert spark.table(S + ".snapshots").count() >= 1
#
before = spark.table(S + ".snapshots").count()
try:
    spark.sql(f"ALTER TABLE {S} ADD COLUMNS (loaded_at TIMESTAMP)")
except Exception as e:
    assert "FIELD_ALREADY_EXISTS" in str(e)
assert spark.table(S + ".snapshots").count() == before
assert "loaded_at" in spark.table(S).columns
#
spark.table(S).printSchema()
#
spark.sql(f"SELECT VendorID, loaded_at FROM {S} LIMIT 5").show()
assert spark.sql(f"SELECT count(loaded_at) AS filled FROM {S}").first()["filled"] == 0
#
def must_fail(f, because):
    try:
        f()
    except Exception as e:
        assert because in str(e), e
    else:
        raise AssertionError(because)
must_fail(lambda: spark.sql(f"ALTER TABLE {S} ALTER COLUMN passenger_count TYPE INT"), "NOT_SUPPORTED_CHANGE_COLUMN")
#
spark.sql(f"DROP TABLE IF EXISTS {D}")
spark.sql(f"CREATE OR REPLACE TABLE {D} USING iceberg AS SELECT {COLS} FROM {S} LIMIT 1000")
assert spark.table(D).count() == 1000
#
def snapshots(t):
    return spark.sql(f"SELECT snapshot_id, committed_at FROM {t}.snapshots ORDER BY committed_at ASC").collect()
rows = snapshots(D)
assert len(rows) == 1
snapshot_1, committed_1 = rows[0]
#
spark.sql(f"INSERT INTO {D} SELECT {COLS} FROM {S} WHERE pickup_borough = 'Manhattan' LIMIT 500")
assert spark.table(D).count() == 1500
#
rows = snapshots(D)
assert len(rows) == 2
snapshot_2 = rows[1][0]
#
def draw_history(t):
    rows = spark.sql(f"SELECT snapshot_id, parent_id, operation, summary['total-records'] AS total FROM {t}.snapshots ORDER BY committed_at").collect()
    current = spark.sql(f"SELECT snapshot_id FROM {t}.history ORDER BY made_current_at DESC").first()[0]
    for r in rows:
        print(*r, "current" if r[0] == current else "")
draw_history(D)
#
then = spark.sql(f"SELECT count(*) AS row_count FROM {D} VERSION AS OF {snapshot_1}")
then.show()
assert then.first()[0] == 1000
#
now = spark.sql(f"SELECT count(*) AS row_count FROM {D}")
now.show()
assert now.first()[0] == 1500
#
then = spark.sql(f"SELECT count(*) AS row_count FROM {D} TIMESTAMP AS OF '{committed_1}'")
then.show()
assert then.first()[0] == 1000
#
must_fail(lambda: spark.sql(f"SELECT count(*) FROM {D} TIMESTAMP AS OF '2000-01-01 00:00:00'").show(), "Cannot find a snapshot older than")
#
spark.sql(f"INSERT INTO {D} SELECT VendorID, tpep_pickup_datetime, tpep_dropoff_datetime, passenger_count, trip_distance, -99.99 AS fare_amount, -99.99 AS total_amount, 'ERROR' AS pickup_borough, 'BAD_DATA' AS pickup_zone FROM {S} LIMIT 200")
bad = spark.sql(f"SELECT count(*) AS bad_rows FROM {D} WHERE fare_amount < 0")
bad.show()
assert spark.table(D).count() == 1700
assert bad.first()[0] == 200
#
spark.sql(f"SELECT snapshot_id, operation FROM {D}.snapshots").show(truncate=False)
rows = snapshots(D)
assert len(rows) == 3
snapshot_3 = rows[2][0]
#
spark.sql(f"CALL lakehouse.system.rollback_to_snapshot(table => 'default.taxi_changes_demo', snapshot_id => {snapshot_2})").show(truncate=False)
#
assert spark.table(D).filter(F.col("fare_amount") < 0).count() == 0
assert spark.table(D).count() == 1500
#
spark.sql(f"SELECT snapshot_id, operation FROM {D}.snapshots").show(truncate=False)
assert len(snapshots(D)) == 3
#
history = spark.sql(f"SELECT * FROM {D}.history")
history.show(truncate=False)
assert [r["is_current_ancestor"] for r in history.collect()] == [True, True, False, True]
#
draw_history(D)
#
zones = spark.sql(f"SELECT pickup_zone, count(*) AS row_count FROM {D} VERSION AS OF {snapshot_3} WHERE fare_amount < 0 GROUP BY pickup_zone")
zones.show()
assert zones.first()["row_count"] == 200
#
must_fail(lambda: spark.sql(f"CALL lakehouse.system.rollback_to_snapshot('default.taxi_changes_demo', {snapshot_3})"), "not an ancestor of the current state")
#
spark.sql(f"ALTER TABLE {D} RENAME COLUMN pickup_borough TO borough")
#
spark.table(D).printSchema()
assert "borough" in spark.table(D).columns
#
must_fail(lambda: spark.sql(f"SELECT pickup_borough FROM {D} LIMIT 3").show(), "UNRESOLVED_COLUMN")
#
spark.sql(f"SELECT pickup_borough, pickup_zone FROM {D} VERSION AS OF {snapshot_1} LIMIT 3").show()
#
spark.sql(f"CREATE OR REPLACE TABLE {D} USING iceberg AS SELECT {COLS} FROM {S} LIMIT 1000")
spark.sql(f"SELECT snapshot_id, parent_id, operation FROM {D}.snapshots ORDER BY committed_at").show(truncate=False)
assert len(snapshots(D)) == 4
#
draw_history(D)
spark.sql(f"SELECT * FROM {D}.history").show(truncate=False)
#
old = spark.sql(f"SELECT count(*) AS row_count FROM {D} VERSION AS OF {snapshot_2}")
old.show()
assert old.first()[0] == 1500
must_fail(lambda: spark.sql(f"CALL lakehouse.system.rollback_to_snapshot('default.taxi_changes_demo', {snapshot_2})"), "not an ancestor of the current state")
#
spark.sql(f"DROP TABLE IF EXISTS {D}")
spark.sql(f"CREATE OR REPLACE TABLE {D} USING iceberg AS SELECT {COLS} FROM {S} LIMIT 1000")
assert spark.table(D).count() == 1000
assert len(snapshots(D)) == 1
#
brooklyn = spark.table(S).filter("pickup_borough = 'Brooklyn'").count()
assert brooklyn >= 300
#
pass
#
spark.sql(f"ALTER TABLE {D} ADD COLUMNS (quality_flag STRING)")
#
added = [f.name for f in spark.table(D).schema.fields if f.name not in COLS]
assert added == ["quality_flag"]
assert spark.table(D).filter("quality_flag IS NOT NULL").count() == 0
#
spark.sql(f"INSERT INTO {D} SELECT {COLS}, NULL FROM {S} WHERE pickup_borough = 'Brooklyn' LIMIT 300")
spark.sql(f"SELECT snapshot_id, parent_id, operation FROM {D}.snapshots ORDER BY committed_at").show(truncate=False)
#
taken = snapshots(D)
second = spark.sql(f"SELECT * FROM {D} VERSION AS OF {taken[1][0]}")
assert second.count() - 1000 == 300
here = "pickup_borough = 'Brooklyn'"
before = spark.sql(f"SELECT * FROM {D} VERSION AS OF {taken[0][0]}").filter(here).count()
assert second.filter(here).count() - before == 300
#
spark.sql(f"SELECT committed_at, snapshot_id, parent_id, operation FROM {D}.snapshots ORDER BY committed_at").show(truncate=False)
#
first = snapshots(D)[0][0]
then = spark.sql(f"SELECT count(*) AS before FROM {D} VERSION AS OF {first}")
then.show()
spark.sql(f"SELECT count(*) AS now FROM {D}").show()
rows_before = then.first()["before"]
#
assert rows_before == 1000
#
spark.sql(f"INSERT INTO {D} SELECT VendorID, tpep_pickup_datetime, tpep_dropoff_datetime, passenger_count, trip_distance, -1 AS fare_amount, total_amount, pickup_borough, 'STUDENT_ERROR' AS pickup_zone, NULL FROM {S} LIMIT 100")
spark.sql(f"SELECT count(*) AS bad FROM {D} WHERE pickup_zone = 'STUDENT_ERROR'").show()
#
second = snapshots(D)[1][0]
spark.sql(f"CALL lakehouse.system.rollback_to_snapshot(table => 'default.taxi_changes_demo', snapshot_id => {second})").show(truncate=False)
#
spark.sql(f"SELECT count(*) AS n, count_if(pickup_zone = 'STUDENT_ERROR') AS bad FROM {D}").show()
draw_history(D)
#
taken = snapshots(D)
wrong = "fare_amount = -1 AND pickup_zone = 'STUDENT_ERROR'"
assert spark.sql(f"SELECT * FROM {D} VERSION AS OF {taken[2][0]} WHERE {wrong}").count() == 100
log = spark.sql(f"SELECT snapshot_id FROM {D}.history ORDER BY made_current_at").collect()
assert log[-1][0] == taken[1][0]
assert spark.table(D).filter(wrong).count() == 0
#
spark.sql(f"SELECT committed_at, snapshot_id, parent_id, operation FROM {S}.snapshots").show(truncate=False)
#
spark.sql(f"DROP TABLE IF EXISTS {D}")
assert not spark.catalog.tableExists(D)
assert spark.table(S).count() > 0
#
spark.stop()
'''

cells = [c.strip("\n") for c in CELLS.split("\n#\n")]
nb = new_notebook(
    cells=[new_code_cell(c) for c in cells],
    metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
)
nbformat.write(nb, sys.argv[1])
