CREATE TABLE trips (trip_id BIGINT NOT NULL, pickup_borough STRING, fare_amount DOUBLE, tip DECIMAL(10,2), passengers INT, pickup_at TIMESTAMP, day DATE NOT NULL);
CREATE TABLE zones (zone_id INT NOT NULL, borough STRING, zone STRING);
CREATE TABLE people (id INT, name STRING, home STRUCT<city: STRING, geo: STRUCT<lat: DOUBLE, lon: DOUBLE>>, tags ARRAY<STRING>, attrs MAP<STRING, INT>, jobs ARRAY<STRUCT<title: STRING, since: INT>>);
CREATE TABLE t1 (a INT, b INT, c STRING);
CREATE TABLE t2 (a BIGINT, b DOUBLE, d STRING)
