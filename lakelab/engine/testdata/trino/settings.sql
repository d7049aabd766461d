-- SET PATH and the depth of recursion.
SELECT current_path
SET PATH lakehouse.suite
SET PATH suite, lakehouse.other
SET PATH Suite
SELECT current_path, CURRENT_PATH
SET PATH lakehouse.suite,suite
SELECT current_path
SET PATH nosuch.x
SET PATH lakehouse.suite, nosuch.x
SET PATH "Ünï"."x y"
SET PATH a.b.c
SET PATH
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 20) SELECT count(*) FROM t
SET SESSION max_recursion_depth = 25
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 20) SELECT count(*) FROM t
SET SESSION max_recursion_depth = 0
SET SESSION max_recursion_depth = -5
SET SESSION max_recursion_depth = BIGINT '5'
SET SESSION max_recursion_depth = NULL
SET SESSION max_recursion_depth = 1 + 2
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT count(*) FROM t
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 4) SELECT count(*) FROM t
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT count(*) FROM t
RESET SESSION max_recursion_depth
SET SESSION spill_enabled = NULL
SET SESSION query_max_run_time = ''
SET SESSION query_max_run_time = 'abc'
SET SESSION query_max_run_time = NULL
SET SESSION nosuch = 1
SET SESSION a.b.c = 1
SET SESSION nosuch.x = 1
