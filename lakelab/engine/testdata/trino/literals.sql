-- Literals and their types.
SELECT <<1 ;; 2147483647 ;; 2147483648 ;; 9223372036854775807 ;; 9223372036854775808 ;; 0 ;; -1 ;; -2147483648 ;; 1.5 ;; .5 ;; 5. ;; 0.10 ;; 00.5 ;; 123456789012345678901234567890.12345678 ;; 1e0 ;; 1.5E10 ;; 1e-5 ;; 1E400>>
SELECT <<'' ;; 'abc' ;; 'it''s' ;; 'Привет' ;; U&'\0041\00e9' ;; X'CAFE' ;; X'' ;; x'0a 0b' ;; NULL ;; true ;; FALSE>>
SELECT DATE <<'2024-02-29' ;; '1969-12-31' ;; '0001-01-01' ;; '9999-12-31' ;; '2024-1-5' ;; '2023-02-29' ;; 'x'>>
SELECT TIMESTAMP <<'2024-01-01 10:00:00' ;; '2024-01-01 10:00:00.1' ;; '2024-01-01 10:00:00.123456' ;; '2024-01-01' ;; '2024-01-01 10:00' ;; '1969-12-31 23:59:59.999' ;; '2024-01-01 10:00:00 UTC' ;; '2024-01-01 10:00:00.5 Europe/Moscow' ;; '2024-01-01 10:00:00 +03:00' ;; '2024-13-01 00:00:00' ;; '2024-01-01T10:00:00'>>
SELECT TIME <<'10:11:12' ;; '10:11:12.123456' ;; '00:00' ;; '23:59:59.999' ;; '25:00:00' ;; '10:11:12 UTC' ;; '10:11:12Z' ;; '10:11:12+02:00'>>
SELECT INTERVAL <<'1' DAY ;; '2' YEAR ;; '-3' MONTH ;; '1-6' YEAR TO MONTH ;; '2 03:04:05.678' DAY TO SECOND ;; '90' MINUTE ;; '1.5' SECOND ;; '36' HOUR ;; '1:30' HOUR TO MINUTE ;; 'x' DAY>>
SELECT INTERVAL -'3' DAY
SELECT <<DECIMAL '12.50' ;; DECIMAL '-0.001' ;; DECIMAL '99999999999999999999999999999999999999' ;; DECIMAL '100000000000000000000000000000000000000' ;; DECIMAL 'x'>>
SELECT <<TINYINT '127' ;; TINYINT '128' ;; SMALLINT '-5' ;; INTEGER '7' ;; BIGINT '8' ;; REAL '1.5' ;; DOUBLE '2.5' ;; VARCHAR 'abc' ;; CHAR 'ab' ;; BOOLEAN 'true' ;; JSON '{"a": 1}' ;; UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' ;; IPADDRESS '10.0.0.1' ;; NOSUCH 'x' ;; BIGINT 'x'>>
SELECT ARRAY<<[1, 2, 3] ;; [] ;; [NULL] ;; ['a', 'bcd'] ;; [1, 2.5] ;; [1, 1e0] ;; [ARRAY[1], ARRAY[]] ;; [1, 'a']>>
SELECT MAP(<<ARRAY['k'], ARRAY[1] ;; ARRAY[], ARRAY[] ;; ARRAY[1, 2], ARRAY['x', NULL] ;; ARRAY[1, 1], ARRAY[1, 2] ;; ARRAY[1], ARRAY[1, 2] ;; ARRAY[NULL], ARRAY[1]>>)
SELECT ROW<<(1, 'a') ;; (1) ;; (NULL, true) ;; (ROW(1, 2), ARRAY[3])>>
SELECT (1, 'a')
SELECT 1 AS a, 2 AS "Big Name", 3 "x""y"
SELECT 1 a, 'x' b, NULL c
VALUES <<1 ;; (1, 'a') ;; 1, 2, NULL ;; (1, 'a'), (2, 'bcd') ;; (1, NULL), (2.5, DATE '2024-01-01') ;; (1), ('a')>>
SELECT typeof(<<1 ;; 1.5 ;; 'abc' ;; '' ;; NULL ;; true ;; 1e0 ;; ARRAY[1, 2.5] ;; MAP(ARRAY['a'], ARRAY[1]) ;; ROW(1, 'a') ;; CAST(ROW(1, 'a') AS ROW(x integer, y varchar)) ;; DATE '2024-01-01' ;; TIMESTAMP '2024-01-01 00:00:00.123' ;; TIMESTAMP '2024-01-01 00:00:00 UTC' ;; INTERVAL '1' DAY ;; X'00' ;; current_date ;; now() ;; current_timestamp(6) ;; localtimestamp ;; current_time>>)
