-- A table's columns go by its name as FROM has it.
CREATE TABLE q AS SELECT 1 AS id, CAST(ROW(2) AS row(f integer)) AS r
CREATE VIEW v AS SELECT id FROM q
SELECT <<id ;; q.id ;; suite.q.id ;; lakehouse.suite.q.id ;; suite.q.r.f ;; q.r.f ;; q.* ;; suite.q.* ;; lakehouse.suite.q.* ;; other.q.id>> FROM <<q ;; suite.q ;; lakehouse.suite.q ;; q AS x ;; suite.q q>>
SELECT <<v.id ;; suite.v.id ;; suite.v.*>> FROM <<v ;; suite.v ;; lakehouse.suite.v>>
SELECT count(*) FROM q WHERE EXISTS (SELECT 1 FROM suite.q WHERE <<suite.q.id = q.id ;; lakehouse.suite.q.id = 1>>)
SELECT suite.q.id FROM q, suite.q
UPDATE q SET id = 2 WHERE suite.q.id = 5
UPDATE suite.q SET id = 2 WHERE suite.q.id = 5
DELETE FROM q WHERE suite.q.id = 5
DELETE FROM suite.q WHERE suite.q.id = 5
MERGE INTO q USING v ON <<suite.q.id = v.id ;; q.id = v.id ;; q.id = suite.v.id>> WHEN MATCHED THEN UPDATE SET id = 1
MERGE INTO suite.q USING suite.v ON suite.q.id = suite.v.id WHEN MATCHED THEN UPDATE SET id = 1
SELECT "q$snapshots".operation FROM "q$snapshots"
SELECT suite."q$snapshots".operation FROM "q$snapshots"
SELECT suite."q$snapshots".operation FROM suite."q$snapshots"
