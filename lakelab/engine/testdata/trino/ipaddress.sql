-- Addresses are ordered and compared by their 16 bytes.
SELECT x FROM (VALUES IPADDRESS '10.0.0.1', IPADDRESS '9.0.0.1', IPADDRESS '192.168.0.1', IPADDRESS '::', IPADDRESS '2001:db8::10', IPADDRESS '2001:db8::9', IPADDRESS '::1', IPADDRESS 'fe80::1', IPADDRESS '::ffff:9.0.0.2', NULL) t(x) ORDER BY x <<ASC ;; DESC ;; DESC NULLS FIRST>>
SELECT IPADDRESS '9.0.0.1' <<= ;; <> ;; <= ;; > ;; IS DISTINCT FROM>> IPADDRESS '<<10.0.0.1 ;; 9.0.0.1 ;; ::ffff:9.0.0.1 ;; ::9.0.0.1 ;; 2001:db8::1>>'
SELECT IPADDRESS '9.0.0.1' BETWEEN IPADDRESS '2.0.0.0' AND IPADDRESS '10.0.0.0', IPADDRESS '9.0.0.1' IN (IPADDRESS '::ffff:0900:0001'), greatest(IPADDRESS '9.0.0.1', IPADDRESS '10.0.0.1'), least(IPADDRESS '9.0.0.1', IPADDRESS '10.0.0.1')
SELECT max(x), min(x), max(x, 2), min_by(n, x), count(DISTINCT x), array_agg(x ORDER BY x DESC) FROM (VALUES (IPADDRESS '10.0.0.2', 1), (IPADDRESS '9.0.0.1', 2), (IPADDRESS '2001:db8::1', 3), (IPADDRESS '::ffff:9.0.0.1', 4)) t(x, n)
SELECT x, count(*) FROM (VALUES IPADDRESS '9.0.0.1', IPADDRESS '::ffff:9.0.0.1', IPADDRESS '10.0.0.1') t(x) GROUP BY x ORDER BY x
SELECT x, rank() OVER (ORDER BY x) FROM (VALUES IPADDRESS '100.0.0.1', IPADDRESS '20.0.0.1', IPADDRESS '3.0.0.1') t(x) ORDER BY 2
SELECT array_sort(ARRAY[IPADDRESS '10.0.0.1', IPADDRESS '9.0.0.1']), array_max(ARRAY[IPADDRESS '10.0.0.1', IPADDRESS '9.0.0.1']), MAP(ARRAY[IPADDRESS '9.0.0.1'], ARRAY[1])[IPADDRESS '9.0.0.1'], ROW(IPADDRESS '9.0.0.1') < ROW(IPADDRESS '10.0.0.1')
SELECT CAST(<<IPADDRESS '10.0.0.1' ;; IPADDRESS '2001:db8::1' ;; IPADDRESS '::1'>> AS <<varbinary ;; varchar ;; ipaddress ;; varchar(8) ;; json ;; uuid>>)
SELECT CAST(<<X'0A000001' ;; X'20010DB8000000000000000000000001' ;; X'00000000000000000000FFFF09000001' ;; X'0A' ;; X'' ;; '10.0.0.1' ;; '2001:DB8:0:0::1' ;; '1.2.3' ;; '::ffff:1.2.3.4' ;; '1.2.3.4/8' ;; CAST(NULL AS varbinary)>> AS ipaddress)
SELECT TRY_CAST(X'0A' AS ipaddress), TRY_CAST('x' AS ipaddress), typeof(IPADDRESS '::'), format('%s', IPADDRESS '10.0.0.1')
SELECT contains('<<10.0.0.0/8 ;; 10.0.0.1/32 ;; 0.0.0.0/0 ;; 2001:db8::/32 ;; ::/0 ;; 10.0.0.0 ;; 10.0.0.0/33 ;; x/8>>', IPADDRESS '<<10.0.0.1 ;; 2001:db8::1>>')
SELECT a.x FROM (VALUES IPADDRESS '9.0.0.1') a(x) JOIN (VALUES IPADDRESS '::ffff:9.0.0.1') b(y) ON a.x = b.y
