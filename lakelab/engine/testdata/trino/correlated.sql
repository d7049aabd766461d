-- Queries inside of queries that name the outer one's columns: those that Trino runs and those that it refuses.
SELECT a, (SELECT <<b ;; max(b) ;; count(*) ;; sum(b) ;; b + a>> FROM (VALUES (1, 10), (2, 20)) u(k, b) WHERE <<k = a ;; k < a ;; k = a LIMIT 1 ;; k = a ORDER BY b LIMIT 1 ;; k < a LIMIT 1 ;; k = a ORDER BY b ;; k = a LIMIT 0 ;; k = a OFFSET 1 ;; k = a FETCH FIRST ROW ONLY ;; k = a FETCH FIRST ROW WITH TIES ;; k = a AND b > 5 ;; k = a GROUP BY k ;; k = a GROUP BY b ;; k = a OR a = 1 ;; k IN (SELECT a)>>) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a FROM (VALUES 1, 2) t(a) WHERE <<EXISTS ;; NOT EXISTS>> (SELECT 1 FROM (VALUES (1, 10), (2, 20)) u(k, b) WHERE <<k = a ;; k < a ;; k = a LIMIT 1 ;; k = a ORDER BY b LIMIT 1 ;; k < a LIMIT 1 ;; k = a OFFSET 1 ;; k = a GROUP BY k ;; k = a GROUP BY k HAVING count(*) > 1 ;; k <> a ;; k = a UNION ALL SELECT 1 WHERE a = 2 ;; k = a LIMIT 0>>) ORDER BY a
SELECT a FROM (VALUES 1, 2) t(a) WHERE a <<IN ;; NOT IN ;; = ANY ;; > ALL ;; = ALL ;; < SOME>> (SELECT k FROM (VALUES (1, 10), (2, 20)) u(k, b) WHERE <<k = a ;; k < a ;; k = a LIMIT 1 ;; b > a * 5 ;; k = a ORDER BY b LIMIT 1 ;; k = a GROUP BY k ;; k < a UNION SELECT a>>) ORDER BY a
SELECT a, (SELECT DISTINCT b FROM (VALUES (1, 10), (2, 20)) u(k, b) WHERE k = a) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a, (SELECT row_number() OVER () FROM (VALUES (1, 10), (2, 20)) u(k, b) WHERE k = a) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a, (SELECT <<a ;; a + 1 ;; max(a) ;; sum(a) ;; count(a) ;; t.a ;; a LIMIT 1 ;; a WHERE a = 1 ;; a UNION SELECT 1 ;; a UNION ALL SELECT a>>) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a, (SELECT b FROM (VALUES 1, 2) u(b)) FROM (VALUES 1) t(a)
SELECT a, (SELECT b, 1 FROM (VALUES 1) u(b)) FROM (VALUES 1) t(a)
SELECT a, (SELECT b FROM (VALUES 1) u(b) WHERE false) FROM (VALUES 1) t(a)
SELECT a, (SELECT max(x) FROM UNNEST(ARRAY[a, 5]) v(x)) FROM (VALUES 1, 9) t(a) ORDER BY a
SELECT a, (SELECT x FROM UNNEST(ARRAY[a]) v(x)) FROM (VALUES 1, 9) t(a) ORDER BY a
SELECT a, (SELECT x FROM UNNEST(ARRAY[a, 5]) v(x) LIMIT 1) FROM (VALUES 1, 9) t(a) ORDER BY a
SELECT a, (SELECT count(*) FROM (SELECT * FROM (VALUES 1, 2) u(b) WHERE b <= a LIMIT 5)) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a, x FROM (VALUES 1, 2) t(a) CROSS JOIN LATERAL (SELECT <<b ;; max(b) ;; count(*) ;; a + 1>> x FROM (VALUES 1, 2, 3) u(b) WHERE <<b = a ;; b > a ;; b > a LIMIT 1 ;; b >= a ORDER BY b LIMIT 1 ;; b = a GROUP BY b ;; b > a OFFSET 1>>) ORDER BY 1, 2
SELECT a, x FROM (VALUES 1, 2) t(a) <<LEFT ;; RIGHT ;; FULL ;; INNER>> JOIN LATERAL (SELECT a + 1 x) ON <<true ;; a = 1 ;; x > 2 ;; false>> ORDER BY 1, 2
SELECT a, x FROM (VALUES 1, 2) t(a) <<LEFT ;; RIGHT ;; FULL ;; INNER>> JOIN UNNEST(ARRAY[a, 9]) u(x) ON <<true ;; a = 1 ;; x > 2>> ORDER BY 1, 2
SELECT a FROM (VALUES 1, 2) t(a) WHERE (SELECT max(b) FROM (VALUES (1, 10)) u(k, b) WHERE k = a) > 5
SELECT a FROM (VALUES 1, 2) t(a) WHERE (SELECT b FROM (VALUES (1, 10), (2, 20)) u(k, b) WHERE k = a ORDER BY b LIMIT 1) > 15
SELECT a, (SELECT (SELECT max(b) FROM (VALUES (1, 10)) u(k, b) WHERE k = a)) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a, (SELECT max(b) FROM (VALUES (1, 10)) u(k, b) WHERE k = a HAVING max(b) > 5) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT sum((SELECT max(b) FROM (VALUES (1, 10), (2, 5)) u(k, b) WHERE k = a)) FROM (VALUES 1, 2) t(a)
SELECT count(*) FROM (VALUES 1, 2) t(a) GROUP BY (SELECT max(b) FROM (VALUES (1, 10), (2, 5)) u(k, b) WHERE k = a)
SELECT a FROM (VALUES 1, 2) t(a) ORDER BY (SELECT -b FROM (VALUES (1, 10), (2, 20)) u(k, b) WHERE k = a)
SELECT a, sum(a) OVER (ORDER BY (SELECT max(b) FROM (VALUES (1, 10), (2, 20)) u(k, b) WHERE k = a)) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a FROM (VALUES 1, 2) t(a) JOIN (VALUES 1) u(b) ON a = (SELECT max(c) FROM (VALUES 1, 2) v(c) WHERE c = a)
SELECT transform(ARRAY[1, 2], x -> (SELECT max(b) FROM (VALUES 1, 2) u(b) WHERE b = x))
SELECT transform(ARRAY[1, 2], x -> (SELECT 1))
SELECT transform(ARRAY[1, 2], x -> sum(x))
SELECT a, transform(ARRAY[1], x -> x + a) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT (SELECT a FROM (VALUES 1) u(b) WHERE z = 1) FROM (VALUES 1) t(a)
SELECT name, (SELECT name FROM tpch.tiny.region r WHERE r.regionkey = n.regionkey) FROM tpch.tiny.nation n ORDER BY 1 LIMIT 3
SELECT name, (SELECT o.orderkey FROM tpch.tiny.orders o WHERE o.custkey = c.custkey ORDER BY o.totalprice DESC LIMIT 1) FROM tpch.tiny.customer c ORDER BY custkey LIMIT 3
