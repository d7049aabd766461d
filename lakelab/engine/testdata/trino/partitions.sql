-- optimize WHERE on partition transforms, and the hidden columns of files in statements that write.
CREATE TABLE p (id bigint, d date, ts timestamp(6), tz timestamp(6) with time zone, s varchar, n integer, c decimal(10, 2)) WITH (partitioning = ARRAY['month(d)', 'day(ts)', 'bucket(s, 4)', 'truncate(n, 10)'])
INSERT INTO p VALUES (1, DATE '2024-01-15', TIMESTAMP '2024-01-15 10:00:00', TIMESTAMP '2024-01-15 10:00:00 UTC', 'a', 5, 1.5), (2, DATE '2024-02-15', TIMESTAMP '2024-02-15 10:00:00', TIMESTAMP '2024-02-15 10:00:00 UTC', 'b', 15, 2.5)
INSERT INTO p VALUES (3, DATE '2024-01-16', TIMESTAMP '2024-01-15 11:00:00', TIMESTAMP '2024-01-15 10:00:00 UTC', 'a', 6, 1.5), (4, DATE '2024-02-16', TIMESTAMP '2024-02-15 11:00:00', TIMESTAMP '2024-02-15 10:00:00 UTC', 'b', 16, NULL), (5, NULL, NULL, NULL, NULL, NULL, NULL)
ALTER TABLE p EXECUTE optimize WHERE d <<= DATE '2024-01-01' ;; >= DATE '2024-01-01' ;; > DATE '2024-01-01' ;; < DATE '2024-02-01' ;; <= DATE '2024-01-31' ;; <= DATE '2024-01-30' ;; BETWEEN DATE '2024-01-01' AND DATE '2024-01-31' ;; >= DATE '2024-02-01' AND d < DATE '2024-03-01' ;; IS NULL ;; IS NOT NULL ;; IN (DATE '2024-01-01') ;; <> DATE '2024-01-01' ;; >= DATE '2024-01-15'>>
ALTER TABLE p EXECUTE optimize WHERE <<year(d) = 2024 ;; month(d) = 1 ;; date_trunc('month', d) = DATE '2024-01-01' ;; date_trunc('year', d) = DATE '2024-01-01' ;; date_trunc('day', d) = DATE '2024-01-01' ;; d >= DATE '2024-01-01' OR d IS NULL ;; d < DATE '2024-02-01' OR d >= DATE '2025-01-01' ;; NOT d < DATE '2024-01-01' ;; DATE '2024-01-01' <= d ;; CAST(d AS timestamp(6)) >= TIMESTAMP '2024-01-01 00:00:00' ;; d >= TIMESTAMP '2024-01-01 00:00:00' ;; d >= DATE '2024-01-01' AND ts >= TIMESTAMP '2024-01-01 00:00:00' ;; d >= DATE '2024-01-01' OR ts >= TIMESTAMP '2024-01-01 00:00:00' ;; d >= DATE '2024-01-01' AND id = 1 ;; d IS NOT NULL AND true ;; true ;; false ;; NULL ;; d = NULL>>
ALTER TABLE p EXECUTE optimize WHERE ts <<= TIMESTAMP '2024-01-15 00:00:00' ;; >= TIMESTAMP '2024-01-15 00:00:00' ;; < TIMESTAMP '2024-01-16 00:00:00' ;; >= TIMESTAMP '2024-01-15 10:00:00' ;; >= DATE '2024-01-15' ;; IS NULL ;; BETWEEN TIMESTAMP '2024-01-15 00:00:00' AND TIMESTAMP '2024-01-15 23:59:59.999999'>>
ALTER TABLE p EXECUTE optimize WHERE <<CAST(ts AS date) = DATE '2024-01-15' ;; CAST(ts AS date) >= DATE '2024-01-15' ;; date(ts) = DATE '2024-01-15' ;; date_trunc('day', ts) = TIMESTAMP '2024-01-15 00:00:00' ;; date_trunc('month', ts) = TIMESTAMP '2024-01-01 00:00:00' ;; date_trunc('hour', ts) = TIMESTAMP '2024-01-15 10:00:00' ;; year(ts) = 2024>>
ALTER TABLE p EXECUTE optimize WHERE s <<= 'a' ;; > 'a' ;; IS NULL ;; IS NOT NULL ;; IN ('a', 'b') ;; LIKE 'a%'>>
ALTER TABLE p EXECUTE optimize WHERE n <<= 5 ;; >= 10 ;; < 10 ;; > 9 ;; <= 9 ;; >= 5 ;; BETWEEN 0 AND 9 ;; BETWEEN 10 AND 19 ;; IS NULL ;; IN (1, 2) ;; + 1 = 6 ;; >= BIGINT '10' ;; = 1.5 ;; >= 9.5>>
ALTER TABLE p EXECUTE optimize WHERE <<id = 1 ;; tz > TIMESTAMP '2024-01-01 00:00:00 UTC' ;; "$path" = 'x' ;; "$path" LIKE '%.parquet' ;; "$file_modified_time" > TIMESTAMP '2001-01-01 00:00:00 UTC' ;; "$file_modified_time" < TIMESTAMP '2001-01-01 00:00:00 UTC' ;; "$partition" = 'x' ;; "$path" <> 'x' ;; "$path" IS NOT NULL ;; "$nosuch" = 1 ;; n = (SELECT 5) ;; id IN (SELECT 1)>>
SELECT id, d, n FROM p ORDER BY id
SELECT count(DISTINCT "$path") FROM p
SELECT typeof("$partition"), "$partition" FROM p ORDER BY id
CREATE TABLE h (id integer, ts timestamp(6), tz timestamp(6) with time zone, v varchar, c decimal(10, 2), l bigint) WITH (partitioning = ARRAY['hour(ts)', 'year(tz)', 'truncate(v, 2)', 'truncate(c, 10)', 'truncate(l, 100)'])
INSERT INTO h VALUES (1, TIMESTAMP '2024-01-15 10:20:00', TIMESTAMP '2024-01-15 10:00:00 UTC', 'abc', 1.5, 150)
INSERT INTO h VALUES (2, TIMESTAMP '2024-01-15 10:30:00', TIMESTAMP '2024-01-15 10:00:00 UTC', 'abd', 1.55, 160)
ALTER TABLE h EXECUTE optimize WHERE <<ts >= TIMESTAMP '2024-01-15 10:00:00' ;; ts < TIMESTAMP '2024-01-15 10:30:00' ;; ts < TIMESTAMP '2024-01-15 11:00:00' ;; tz >= TIMESTAMP '2024-01-01 00:00:00 UTC' ;; tz >= TIMESTAMP '2024-01-01 00:00:00 Europe/Oslo' ;; tz >= TIMESTAMP '2024-02-01 00:00:00 UTC' ;; CAST(tz AS date) = DATE '2024-01-01' ;; year(tz) = 2024 ;; date_trunc('year', tz) = TIMESTAMP '2024-01-01 00:00:00 UTC' ;; v = 'ab' ;; v >= 'ab' ;; v LIKE 'ab%' ;; v = 'abc' ;; v IS NULL ;; c >= 1.50 ;; c < 1.60 ;; c >= 1.55 ;; l >= 100 ;; l < 200 ;; l > 150 ;; l BETWEEN 100 AND 199 ;; l <> 100>>
CREATE TABLE i (id bigint, d date, s varchar) WITH (partitioning = ARRAY['d', 's'])
INSERT INTO i VALUES (1, DATE '2024-01-01', 'a'), (2, DATE '2024-01-02', 'b'), (3, NULL, NULL)
INSERT INTO i VALUES (4, DATE '2024-01-01', 'a'), (5, DATE '2024-01-02', 'b')
ALTER TABLE i EXECUTE optimize WHERE <<d = DATE '2024-01-01' AND s = 'a' ;; d = DATE '2024-01-01' OR s = 'a' ;; s LIKE 'a%' ;; s LIKE 'a' ;; length(s) = 1 ;; s || 'x' = 'ax' ;; d > DATE '2023-01-01' + INTERVAL '1' DAY ;; s > d ;; upper(s) = 'A' ;; s IN ('a', 'b') ;; s IS DISTINCT FROM 'a' ;; d IS NOT DISTINCT FROM NULL ;; NOT (s = 'a') ;; s BETWEEN 'a' AND 'b' ;; (d, s) = (DATE '2024-01-01', 'a') ;; (d, s) IN ((DATE '2024-01-01', 'a')) ;; coalesce(s, 'x') = 'a' ;; s = s ;; d = CAST('2024-01-01' AS date) ;; day(d) = 1>>
SELECT count(DISTINCT "$path"), count(*) FROM i
ALTER TABLE i SET PROPERTIES partitioning = ARRAY['month(d)', 's']
INSERT INTO i VALUES (6, DATE '2024-02-01', 'a')
ALTER TABLE i EXECUTE optimize WHERE <<d = DATE '2024-01-01' ;; d >= DATE '2024-01-01' ;; s = 'a'>>
ALTER TABLE i SET PROPERTIES partitioning = ARRAY['s']
ALTER TABLE i EXECUTE optimize WHERE <<d = DATE '2024-01-01' ;; d >= DATE '2024-01-01' ;; s = 'a'>>
CREATE TABLE plain (id integer, v varchar)
INSERT INTO plain VALUES (1, 'a'), (2, 'b')
INSERT INTO plain VALUES (3, 'c')
ALTER TABLE plain EXECUTE optimize WHERE <<id = 1 ;; "$path" = 'x' ;; "$file_modified_time" > TIMESTAMP '2001-01-01 00:00:00 UTC' ;; "$path" LIKE '%x'>>
DELETE FROM plain WHERE "$path" = 'x'
DELETE FROM plain WHERE "$file_modified_time" < TIMESTAMP '2001-01-01 00:00:00 UTC'
DELETE FROM plain WHERE "$partition" = 'x'
SELECT * FROM plain ORDER BY id
INSERT INTO plain VALUES (3, 'c')
UPDATE plain SET v = substr("$path", 1, 0) || 'y' WHERE id = 1
UPDATE plain SET v = 'z' WHERE "$file_modified_time" > TIMESTAMP '2001-01-01 00:00:00 UTC' AND id = 2
UPDATE plain SET v = "$partition" WHERE id = 2
SELECT * FROM plain ORDER BY id
MERGE INTO plain USING (VALUES 1) s(id) ON plain.id = s.id WHEN MATCHED AND plain."$path" LIKE '%.parquet' THEN UPDATE SET v = 'm'
MERGE INTO plain USING plain s ON plain."$path" = s."$path" AND plain.id = s.id WHEN MATCHED THEN DELETE
SELECT * FROM plain ORDER BY id
INSERT INTO plain VALUES (1, 'a'), (2, 'b')
INSERT INTO plain SELECT id + 10, substr("$path", 1, 0) FROM plain
DELETE FROM plain WHERE "$path" LIKE '%.parquet' AND "$file_modified_time" <= current_timestamp + INTERVAL '1' DAY AND id = 11
DELETE FROM i WHERE "$partition" LIKE '%s=a%'
SELECT id, "$partition" FROM i ORDER BY id
UPDATE i SET s = 'u' WHERE "$partition" = 's=b'
SELECT id, s, "$partition" FROM i ORDER BY id
SELECT "$partition", count(*) FROM i GROUP BY 1 ORDER BY 1
SELECT "$partition" FROM plain
SELECT t."$partition", t."$path" IS NULL FROM i t WHERE t."$partition" IS NULL
CREATE TABLE "x$y" (a integer)
CREATE TABLE hid ("$path" varchar)
UPDATE plain SET "$partition" = 'x'
UPDATE plain SET "$file_modified_time" = current_timestamp
