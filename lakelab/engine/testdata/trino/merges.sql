-- MERGE whose source has several rows for a row of the target, and the order in which its clauses apply.
CREATE TABLE t (id bigint, v varchar, n integer)
INSERT INTO t VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30)
MERGE INTO t USING (VALUES (1), (1)) s(id) ON t.id = s.id WHEN MATCHED THEN <<DELETE ;; UPDATE SET v = 'x'>>
MERGE INTO t USING (VALUES (1, 'x'), (1, 'y')) s(id, w) ON t.id = s.id WHEN MATCHED AND w = 'x' THEN UPDATE SET v = w WHEN MATCHED THEN DELETE
MERGE INTO t USING (VALUES (1, 'x'), (1, 'y')) s(id, w) ON t.id = s.id WHEN MATCHED AND w = 'x' THEN DELETE WHEN MATCHED AND w = 'y' THEN UPDATE SET v = w
MERGE INTO t USING (VALUES (1, 'x'), (1, 'y')) s(id, w) ON t.id = s.id WHEN MATCHED AND w = 'q' THEN DELETE
MERGE INTO t USING (VALUES (1, 'x'), (1, 'y')) s(id, w) ON t.id = s.id WHEN MATCHED AND w = 'q' THEN UPDATE SET v = w
SELECT * FROM t ORDER BY id
MERGE INTO t USING (VALUES (1, 'x'), (1, 'y')) s(id, w) ON t.id = s.id WHEN MATCHED AND w = 'x' THEN <<UPDATE SET v = w ;; DELETE>>
SELECT * FROM t ORDER BY id
MERGE INTO t USING (VALUES (1, 'x'), (2, 'y')) s(id, w) ON t.id <= s.id WHEN MATCHED THEN <<DELETE ;; UPDATE SET v = w>>
MERGE INTO t USING (VALUES (9, 'x'), (9, 'y')) s(id, w) ON t.id = s.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.w, 0)
SELECT * FROM t ORDER BY id, v
MERGE INTO t USING (VALUES (9, 'x'), (2, 'y'), (2, 'z')) s(id, w) ON t.id = s.id AND s.w <> 'z' WHEN MATCHED THEN DELETE WHEN NOT MATCHED AND s.w = 'z' THEN INSERT (id, v) VALUES (s.id, s.w)
SELECT * FROM t ORDER BY id, v
MERGE INTO t USING (SELECT NULL x) s ON t.id = s.x WHEN MATCHED THEN DELETE
MERGE INTO t USING (VALUES 1) s(id) ON NULL WHEN MATCHED THEN DELETE
MERGE INTO t USING (VALUES 1) s(id) ON 1 WHEN MATCHED THEN DELETE
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN MATCHED AND 1 THEN DELETE
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = 'a', v = 'b'
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET nosuch = 'a'
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = <<1 ;; ARRAY['a'] ;; NULL ;; nosuch>>
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, id) VALUES (1, 2)
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, nosuch) VALUES (1, 2)
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (1, 2)
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN NOT MATCHED THEN INSERT VALUES (1)
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN NOT MATCHED THEN INSERT VALUES ('a', 'b', 'c')
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (t.id)
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN NOT MATCHED THEN UPDATE SET v = 'x'
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN MATCHED THEN INSERT VALUES (1, 'x', 1)
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id WHEN NOT MATCHED BY SOURCE THEN DELETE
MERGE INTO t USING (VALUES 1) s(id) ON t.id = s.id
MERGE INTO t USING nosuch s ON t.id = s.id WHEN MATCHED THEN DELETE
MERGE INTO t x USING t y ON x.id = y.id WHEN MATCHED AND x.id = 3 THEN UPDATE SET v = y.v || '!', n = x.n + y.n
MERGE INTO t x USING t y ON x.id = y.id WHEN MATCHED THEN UPDATE SET x.v = 'q'
MERGE INTO t AS x USING (VALUES 3) s(id) ON t.id = s.id WHEN MATCHED THEN DELETE
MERGE INTO t USING t ON t.id = t.id WHEN MATCHED THEN DELETE
MERGE INTO t USING (VALUES (3, 'w')) s(id, v) ON t.id = s.id WHEN MATCHED AND t.v = 'zz' THEN DELETE WHEN MATCHED AND (SELECT count(*) FROM t) > 0 THEN UPDATE SET n = (SELECT max(n) FROM t) + 1 WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.v, 1)
SELECT * FROM t ORDER BY id, v
UPDATE t SET v = 'a', v = 'b'
UPDATE t SET v = 'a', n = 1, V = 'b' WHERE id = 1
UPDATE t SET nosuch = 1, nosuch = 2
UPDATE t SET n = (SELECT x FROM (VALUES 1, 2) q(x))
UPDATE t SET n = (SELECT 1, 2)
UPDATE t SET n = count(*)
UPDATE t SET n = rank() OVER ()
UPDATE t SET v = n
UPDATE t SET n = 'x', v = 1
UPDATE t x SET n = 1
UPDATE t SET n = n + 1 WHERE 1
UPDATE t SET n = DEFAULT
DELETE FROM t WHERE <<1 ;; NULL ;; nosuch = 1 ;; count(*) > 1 ;; id = (SELECT x FROM (VALUES 1, 2) q(x)) ;; id IN (SELECT id FROM t WHERE id = 9)>>
DELETE FROM t AS x WHERE x.id = 1
SELECT count(*) FROM t
MERGE INTO t USING (VALUES 2, 2) s(id) ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)
MERGE INTO t USING (VALUES 2, 2, 5) s(id) ON t.id = s.id WHEN NOT MATCHED AND s.id = 5 THEN INSERT (id) VALUES (s.id)
MERGE INTO t USING (VALUES 2, 5, 5) s(id) ON t.id = s.id WHEN NOT MATCHED AND s.id = 5 THEN INSERT (id, v) VALUES (s.id, CAST(t.id AS varchar))
SELECT * FROM t ORDER BY id, v
MERGE INTO t USING (VALUES (2, 'p'), (2, 'q'), (2, 'r')) s(id, w) ON t.id = s.id WHEN MATCHED AND w = 'p' THEN UPDATE SET v = w WHEN MATCHED AND w = 'q' THEN UPDATE SET v = w WHEN MATCHED THEN DELETE
SELECT * FROM t ORDER BY id, v
