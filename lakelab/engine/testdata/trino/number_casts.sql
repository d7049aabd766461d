-- Numbers out of a type's range, NaN and the infinities, in casts between all types of numbers.
SELECT CAST(<<1e300 ;; -1e300 ;; 3.5e38 ;; 3.4028235e38 ;; nan() ;; infinity() ;; -infinity() ;; 1e-320 ;; -0e0 ;; 9.3e18 ;; 9.223372036854775e18 ;; 2147483647.5e0 ;; 2147483648e0 ;; 32767.4e0 ;; 32767.5e0 ;; -128.5e0 ;; -129e0 ;; 127.5e0 ;; 0.5e0 ;; -1.5e0 ;; 2.5e0>> AS <<tinyint ;; smallint ;; integer ;; bigint ;; real ;; double ;; decimal(10,2) ;; decimal(38,0) ;; varchar ;; varchar(4) ;; boolean>>)
SELECT CAST(<<REAL '3.4e38' ;; REAL 'NaN' ;; REAL '-Infinity' ;; REAL '1e-45' ;; REAL '9.3e18' ;; REAL '2147483648' ;; REAL '40000' ;; REAL '127.5' ;; REAL '-0' ;; REAL '1.1'>> AS <<tinyint ;; smallint ;; integer ;; bigint ;; double ;; decimal(10,2) ;; decimal(38,0) ;; varchar ;; varchar(2) ;; boolean>>)
SELECT CAST(<<DECIMAL '127.5' ;; DECIMAL '-128.5' ;; DECIMAL '32768' ;; DECIMAL '2147483647.5' ;; DECIMAL '9223372036854775807.5' ;; DECIMAL '99999999999999999999999999999999999999' ;; DECIMAL '0.00000000000000000000000000000000000001' ;; DECIMAL '999.995'>> AS <<tinyint ;; smallint ;; integer ;; bigint ;; real ;; double ;; decimal(5,2) ;; decimal(38,38) ;; varchar ;; varchar(3) ;; boolean>>)
SELECT CAST(<<'1e300' ;; '1e39' ;; '-1e39' ;; '1e400' ;; 'NaN' ;; 'nan' ;; 'Infinity' ;; '+Infinity' ;; '-Infinity' ;; 'inf' ;; '128' ;; '-129' ;; '32768' ;; '2147483648' ;; '9223372036854775808' ;; '1.5' ;; ' 1 ' ;; '+1' ;; '1_000' ;; '0x10' ;; '1e2' ;; '' ;; '.5' ;; '5.' ;; '1d' ;; '1f' ;; '0x1p3' ;; 'abc' ;; '1,5' ;; '--1' ;; '1e'>> AS <<tinyint ;; smallint ;; integer ;; bigint ;; real ;; double ;; decimal(10,2) ;; decimal(38,0) ;; boolean>>)
SELECT CAST(<<SMALLINT '300' ;; INTEGER '40000' ;; BIGINT '9223372036854775807' ;; BIGINT '-9223372036854775808' ;; TINYINT '-128'>> AS <<tinyint ;; smallint ;; integer ;; bigint ;; real ;; double ;; decimal(3,1) ;; decimal(38,10) ;; varchar(3) ;; varchar ;; char(3) ;; boolean>>)
SELECT <<TRY_CAST(1e300 AS integer) ;; TRY_CAST('1e39' AS real) ;; TRY_CAST(nan() AS bigint) ;; TRY_CAST(nan() AS decimal(3,1)) ;; TRY_CAST('abc' AS real) ;; TRY(CAST(1e300 AS bigint)) ;; TRY_CAST(1e300 AS real)>>
SELECT <<REAL '1e39' ;; REAL '-1e39' ;; REAL '1e-50' ;; REAL 'abc' ;; REAL '' ;; DOUBLE '1e400' ;; DOUBLE 'x' ;; DOUBLE '' ;; TINYINT '128' ;; SMALLINT '32768' ;; INTEGER '2147483648' ;; BIGINT '9223372036854775808' ;; TINYINT '1.5' ;; BIGINT '1e3' ;; DECIMAL '1e3' ;; DECIMAL '' ;; DECIMAL 'x' ;; DECIMAL '123456789012345678901234567890123456789' ;; 123456789012345678901234567890123456789 ;; 9223372036854775808 ;; 1e400 ;; 1e-400>>
SELECT <<x ;; -x ;; x + x ;; x * x ;; CAST(x AS double)>> FROM (VALUES REAL '3e38') t(x)
SELECT CAST(x AS real) FROM (VALUES 1e300, -1e300, 1e0, nan(), 1e-300, NULL) t(x)
SELECT CAST(x AS real) FROM (VALUES '1e300', '-1e39', '1', 'NaN', NULL) t(x)
SELECT CAST(x AS integer) FROM (VALUES 1e0, 1e300) t(x)
SELECT sum(x), avg(x) FROM (VALUES REAL '3e38', REAL '3e38') t(x)
CREATE TABLE reals (r real, d double, i integer, n decimal(5,2))
INSERT INTO reals (r) VALUES (1e300), (-1e300), (nan()), (1.1)
INSERT INTO reals (r) VALUES <<(DECIMAL '99999999999999999999999999999999999999') ;; (1e39)>>
INSERT INTO reals (<<i ;; n>>) VALUES <<(1e300) ;; (nan()) ;; (infinity()) ;; (99999999999)>>
UPDATE reals SET r = 1e300 WHERE r = REAL '1.1'
SELECT r, d, i, n FROM reals ORDER BY r
SELECT approx_percentile(r, 0.5), min(r), max(r), count(DISTINCT r) FROM reals
DROP TABLE reals
