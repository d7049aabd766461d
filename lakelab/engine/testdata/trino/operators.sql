-- Arithmetic, comparison and logic.
SELECT <<7 ;; -7 ;; 7.0 ;; 7e0 ;; TINYINT '7' ;; BIGINT '7' ;; REAL '7'>> <<+ ;; - ;; * ;; / ;; %>> <<2 ;; -2 ;; 2.5 ;; 2e0>>
SELECT <<1 ;; 1.0 ;; 1e0 ;; 0e0>> <</ ;; %>> <<0 ;; 0.0 ;; 0e0>>
SELECT <<2147483647 + 1 ;; 2147483647 * 2 ;; -2147483648 - 1 ;; 9223372036854775807 + 1 ;; BIGINT '9223372036854775807' * 2 ;; TINYINT '127' + TINYINT '1' ;; SMALLINT '32767' + SMALLINT '1' ;; -(-9223372036854775807 - 1) ;; abs(-9223372036854775807 - 1)>>
SELECT 99999999999999999999999999999999999999. + 1
SELECT DECIMAL '1.10' <<+ ;; - ;; * ;; / ;; %>> DECIMAL '3.333'
SELECT 10.00 / 3, 1.0 / 3.00, 2.0 * 3.00, 5 / 2, 5 % 3, -5 % 3, 5.5 % 2
SELECT <<1 + NULL ;; NULL + NULL ;; NULL = NULL ;; NULL OR true ;; NULL AND false ;; NOT NULL ;; NULL || 'a' ;; 1 IN (2, NULL) ;; 1 IN (1, NULL) ;; NULL IN (1) ;; 1 NOT IN (2, NULL) ;; NULL IS NULL ;; 1 IS DISTINCT FROM NULL ;; NULL IS NOT DISTINCT FROM NULL>>
SELECT <<1 = 1.0 ;; 1 < 2e0 ;; 'a' < 'b' ;; 'a' = 'A' ;; 'a ' = 'a' ;; CAST('a' AS char(3)) = 'a' ;; DATE '2024-01-01' < TIMESTAMP '2024-01-01 00:00:01' ;; true > false ;; nan() = nan() ;; ROW(1, 2) = ROW(1, 2) ;; ROW(1, 2) < ROW(1, 3) ;; ARRAY[1, 2] = ARRAY[1, 2] ;; ARRAY[1] < ARRAY[2] ;; X'01' < X'02' ;; 1 <> 2 ;; 1 != 1>>
SELECT <<1 = 'a' ;; 'a' + 1 ;; true + 1 ;; DATE '2024-01-01' + 1 ;; 'a' || 1 ;; -'a' ;; NOT 1 ;; 1 AND true ;; ARRAY[1] = 1 ;; DATE '2024-01-01' = 'x' ;; 1 BETWEEN 'a' AND 'b' ;; 'a' LIKE 1>>
SELECT <<5 BETWEEN 1 AND 5 ;; 5 NOT BETWEEN 1 AND 4 ;; NULL BETWEEN 1 AND 2 ;; 'b' BETWEEN 'a' AND 'c'>>
SELECT 'abc' LIKE <<'a%' ;; '_b_' ;; 'A%' ;; 'a' ;; '%' ;; ''>>
SELECT <<'a%c' LIKE 'a\%c' ESCAPE '\' ;; 'a_c' LIKE 'a#_c' ESCAPE '#' ;; 'abc' NOT LIKE 'x%' ;; 'a' LIKE 'a' ESCAPE 'ab' ;; NULL LIKE 'a' ;; 'a\b' LIKE 'a\b'>>
SELECT <<CASE WHEN 1 > 2 THEN 'a' ELSE 'bcd' END ;; CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END ;; CASE WHEN NULL THEN 1 END ;; CASE WHEN true THEN 1 ELSE 2.5 END ;; CASE WHEN true THEN 1 ELSE 'a' END ;; CASE 1 WHEN 'a' THEN 1 END ;; CASE WHEN 1 THEN 2 END>>
SELECT <<if(true, 1, 2) ;; if(false, 1) ;; if(NULL, 'a', 'bc') ;; if(true, 1, 'a')>>
SELECT <<coalesce(NULL, 1, 2) ;; coalesce(NULL, NULL) ;; coalesce(NULL, 'a', 'bcd') ;; coalesce(1, 'a') ;; coalesce(1) ;; coalesce(1, 2.5)>>
SELECT <<nullif(1, 1) ;; nullif(1, 2) ;; nullif('a', 'b') ;; nullif(1, 'a') ;; nullif(NULL, 1)>>
SELECT <<'a' || 'bc' ;; CAST('a' AS varchar) || 'b' ;; X'01' || X'02' ;; ARRAY[1] || ARRAY[2, 3] ;; ARRAY[1] || 2 ;; 0 || ARRAY[1] ;; CAST('a' AS char(2)) || 'b'>>
SELECT DATE '2024-01-31' <<+ INTERVAL '1' MONTH ;; - INTERVAL '1' DAY ;; + INTERVAL '2' HOUR ;; + INTERVAL '1' YEAR ;; - DATE '2024-01-01' ;; + INTERVAL '1-1' YEAR TO MONTH>>
SELECT TIMESTAMP '2024-01-31 10:00:00' <<+ INTERVAL '1' MONTH ;; - INTERVAL '90' MINUTE ;; + INTERVAL '1.5' SECOND ;; - TIMESTAMP '2024-01-01 00:00:00' ;; + INTERVAL '1' DAY>>
SELECT TIMESTAMP '2024-03-31 00:30:00 Europe/Berlin' <<+ INTERVAL '2' HOUR ;; + INTERVAL '1' DAY ;; - TIMESTAMP '2024-03-30 00:00:00 UTC'>>
SELECT TIME '23:00:00' + INTERVAL '2' HOUR
SELECT INTERVAL '1' DAY <<+ INTERVAL '2' HOUR ;; * 2 ;; / 2 ;; - INTERVAL '36' HOUR ;; = INTERVAL '24' HOUR ;; * 1.5e0>>
SELECT INTERVAL '1' YEAR <<+ INTERVAL '2' MONTH ;; * 3 ;; < INTERVAL '13' MONTH ;; + INTERVAL '1' DAY>>
SELECT <<TIMESTAMP '2024-01-01 10:00:00 UTC' ;; TIMESTAMP '2024-01-01 10:00:00'>> AT TIME ZONE <<'Europe/Moscow' ;; 'America/New_York' ;; '+05:30' ;; 'nosuch'>>
SELECT TIMESTAMP '2024-01-01 10:00:00.123 UTC' AT TIME ZONE INTERVAL '3' HOUR
SELECT TIMESTAMP '2024-01-01 10:00:00 Europe/Moscow' = TIMESTAMP '2024-01-01 07:00:00 UTC'
SELECT ARRAY[10, 20, 30][<<1 ;; 3 ;; 4 ;; 0 ;; -1 ;; NULL>>]
SELECT MAP(ARRAY['a', 'b'], ARRAY[1, 2])[<<'a' ;; 'z' ;; NULL>>]
SELECT MAP(ARRAY[1, 2], ARRAY['x', 'y'])[<<2 ;; 3>>]
SELECT ROW(10, 'x')[<<1 ;; 2 ;; 3 ;; 0>>]
SELECT 1 + 2 * 3 - 4 / 2 % 3, (1 + 2) * 3, -2 * -3, - - 1, +5
SELECT 1 < 2 AND NOT 2 < 1 OR false
SELECT 3 > ALL (VALUES 1, 2), 3 = ANY (VALUES 1, 2), 1 = SOME (VALUES 1, 2), 1 <> ALL (VALUES 2, NULL)
SELECT greatest(<<1, 2.5 ;; 'a', 'bc' ;; 1, NULL ;; DATE '2024-01-01', DATE '2025-01-01' ;; 1, 'a' ;; 1e0, nan()>>)
SELECT least(<<1, 2.5 ;; 'a', 'bc' ;; 1, NULL ;; 3, 2, 1>>)
