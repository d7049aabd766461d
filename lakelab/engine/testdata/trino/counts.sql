-- What DELETE, UPDATE, MERGE and TRUNCATE count in a table that has delete files, and what its snapshots say.
CREATE TABLE c (id integer, v varchar)
DELETE FROM c
INSERT INTO c VALUES (1, 'a'), (2, 'b'), (3, 'c')
DELETE FROM c WHERE id = 1
DELETE FROM c
SELECT count(*) FROM c
DELETE FROM c
SELECT operation, map_filter(summary, (k, v) -> k LIKE '%record%' OR k LIKE '%delete%') FROM "c$snapshots" ORDER BY committed_at
CREATE TABLE d (id integer, v varchar)
INSERT INTO d VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')
DELETE FROM d WHERE id IN (1, 2)
UPDATE d SET v = 'x' WHERE id >= 1
UPDATE d SET v = 'y'
UPDATE d SET v = 'z' WHERE id = 1
DELETE FROM d WHERE true
SELECT operation, map_filter(summary, (k, v) -> k LIKE '%record%' OR k LIKE '%delete%') FROM "d$snapshots" ORDER BY committed_at
CREATE TABLE p (id integer, part integer) WITH (partitioning = ARRAY['part'])
INSERT INTO p VALUES (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3)
DELETE FROM p WHERE id IN (1, 2, 4)
DELETE FROM p WHERE part = 1
DELETE FROM p WHERE part = 1
DELETE FROM p WHERE part IN (1, 2)
SELECT * FROM p ORDER BY id
INSERT INTO p VALUES (1, 1), (2, 1), (3, 2)
DELETE FROM p WHERE id = 1
MERGE INTO p USING (VALUES (2, 1), (3, 2), (7, 4)) s(id, part) ON p.id = s.id WHEN MATCHED AND s.id = 2 THEN DELETE WHEN MATCHED THEN UPDATE SET part = 9 WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.part)
SELECT * FROM p ORDER BY id
DELETE FROM p WHERE part >= 3
SELECT operation, map_filter(summary, (k, v) -> k LIKE '%record%' OR k LIKE '%delete%') FROM "p$snapshots" ORDER BY committed_at
CREATE TABLE t (id integer)
INSERT INTO t VALUES 1, 2, 3
DELETE FROM t WHERE id = 2
TRUNCATE TABLE t
SELECT count(*) FROM t
TRUNCATE TABLE t
SELECT operation, map_filter(summary, (k, v) -> k LIKE '%record%' OR k LIKE '%delete%') FROM "t$snapshots" ORDER BY committed_at
INSERT INTO t VALUES 1, 2, 3
MERGE INTO t USING (VALUES 1, 2) s(id) ON t.id = s.id WHEN MATCHED THEN DELETE
MERGE INTO t USING (VALUES 1, 2) s(id) ON t.id = s.id WHEN MATCHED THEN DELETE
DELETE FROM t
