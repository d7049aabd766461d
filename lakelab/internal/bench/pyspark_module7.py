"""Writes the notebook that module 7 is measured against: the same statements through PySpark, without the Trino cells.

Usage: pyspark_module7.py OUT.ipynb. It finds the tables that prepare_pyspark.py made.
"""
import sys
import nbformat
from nbformat.v4 import new_code_cell, new_notebook

S, D = "lakehouse.silver.nyc_taxi_yellow", "lakehouse.default.taxi_changes_demo"
COLS = "VendorID, tpep_pickup_datetime, tpep_dropoff_datetime, passenger_count, trip_distance, fare_amount, total_amount, pickup_borough, pickup_zone"
fresh = f'spark.sql("CREATE OR REPLACE TABLE {D} USING iceberg AS SELECT {COLS} FROM {S} LIMIT 1000")\nprint(spark.table("{D}").count())'
ids = f'[r["snapshot_id"] for r in spark.sql("SELECT snapshot_id, committed_at FROM {D}.snapshots ORDER BY committed_at").collect()]'
cells = [
    'from pyspark.sql import SparkSession\nspark = SparkSession.builder.appName("module-07").getOrCreate()\nspark.sparkContext.setLogLevel("ERROR")',
    f'assert spark.catalog.tableExists("{S}")\nprint(spark.table("{S}").count())',
    f'spark.sql("SELECT snapshot_id, committed_at, operation, summary FROM {S}.snapshots").show(truncate=False)',
    f'spark.sql("SELECT * FROM {S}.history").show(truncate=False)',
    f'try:\n    spark.sql("ALTER TABLE {S} ADD COLUMNS (loaded_at TIMESTAMP)")\nexcept Exception as e:\n    assert "already exists" in str(e)',
    f'spark.table("{S}").printSchema()',
    f'spark.sql("SELECT VendorID, loaded_at FROM {S} LIMIT 5").show()',
    f'spark.sql("DROP TABLE IF EXISTS {D}")\n' + fresh,
    f'snapshot_1 = {ids}[0]\ncommitted_1 = spark.sql("SELECT min(committed_at) c FROM {D}.snapshots").collect()[0]["c"]',
    f'spark.sql("INSERT INTO {D} SELECT {COLS} FROM {S} WHERE pickup_borough = \'Manhattan\' LIMIT 500")\nprint(spark.table("{D}").count())',
    f'snapshot_2 = {ids}[1]',
    f'spark.sql(f"SELECT count(*) AS row_count FROM {D} VERSION AS OF {{snapshot_1}}").show()',
    f'spark.sql("SELECT count(*) AS row_count FROM {D}").show()',
    f'spark.sql(f"SELECT count(*) AS row_count FROM {D} TIMESTAMP AS OF \'{{committed_1}}\'").show()',
    f'spark.sql("INSERT INTO {D} SELECT VendorID, tpep_pickup_datetime, tpep_dropoff_datetime, passenger_count, trip_distance, -99.99, -99.99, \'ERROR\', \'BAD_DATA\' FROM {S} LIMIT 200")\nspark.sql("SELECT count(*) AS bad_rows FROM {D} WHERE fare_amount < 0").show()\nprint(spark.table("{D}").count())',
    f'spark.sql("SELECT snapshot_id, operation FROM {D}.snapshots").show(truncate=False)',
    f'spark.sql(f"CALL lakehouse.system.rollback_to_snapshot(table => \'default.taxi_changes_demo\', snapshot_id => {{snapshot_2}})")',
    f'print(spark.sql("SELECT count(*) AS bad_rows FROM {D} WHERE fare_amount < 0").collect()[0]["bad_rows"], spark.table("{D}").count())',
    f'spark.sql("SELECT snapshot_id, operation FROM {D}.snapshots").show(truncate=False)',
    f'spark.sql("ALTER TABLE {D} RENAME COLUMN pickup_borough TO borough")',
    f'spark.table("{D}").printSchema()',
    f'spark.sql("DROP TABLE IF EXISTS {D}")\n' + fresh,
    f'spark.sql("ALTER TABLE {D} ADD COLUMNS (quality_flag STRING)")',
    f'spark.sql("SELECT * FROM {D} LIMIT 10").show()',
    f'spark.sql("INSERT INTO {D} SELECT {COLS}, NULL FROM {S} WHERE pickup_borough = \'Brooklyn\' LIMIT 300")',
    f'spark.sql("SELECT * FROM {D}.snapshots").show(truncate=False)\ns = {ids}',
    f'spark.sql(f"SELECT count(*) AS before FROM {D} VERSION AS OF {{s[0]}}").show()',
    f'spark.sql("INSERT INTO {D} SELECT VendorID, tpep_pickup_datetime, tpep_dropoff_datetime, passenger_count, trip_distance, -1, total_amount, pickup_borough, \'STUDENT_ERROR\', NULL FROM {S} LIMIT 100")',
    f'spark.sql(f"CALL lakehouse.system.rollback_to_snapshot(table => \'default.taxi_changes_demo\', snapshot_id => {{s[1]}})").show()',
    f'spark.sql("SELECT count(*) AS n FROM {D}").show()',
    f'spark.sql("DROP TABLE IF EXISTS {D}")',
    "spark.stop()",
]
nb = new_notebook(cells=[new_code_cell(c) for c in cells], metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}})
nbformat.write(nb, sys.argv[1])
