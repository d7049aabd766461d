"""Makes bronze and silver in the reference Spark's own lakehouse from the folder that `lakelab data` filled: prepare_pyspark.py DATA."""
import sys
from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.sparkContext.setLogLevel("OFF")
spark.sql(f"CREATE OR REPLACE TABLE lakehouse.bronze.nyc_taxi_yellow USING iceberg AS SELECT * FROM parquet.`{data}/yellow_tripdata.parquet`")
spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW zones USING csv OPTIONS (path '{data}/taxi_zone_lookup.csv', header 'true', inferSchema 'true')")
spark.sql("""CREATE OR REPLACE TABLE lakehouse.silver.nyc_taxi_yellow USING iceberg AS
SELECT t.*, p.Borough AS pickup_borough, p.Zone AS pickup_zone, d.Borough AS dropoff_borough, d.Zone AS dropoff_zone
FROM lakehouse.bronze.nyc_taxi_yellow t
LEFT JOIN zones p ON t.PULocationID = p.LocationID LEFT JOIN zones d ON t.DOLocationID = d.LocationID
WHERE t.fare_amount > 0""")
spark.stop()
