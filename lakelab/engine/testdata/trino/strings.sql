-- String and binary functions.
SELECT length(<<'abc' ;; '' ;; NULL ;; 'Привет' ;; X'CAFE' ;; 1 ;; CAST('ab' AS char(5))>>)
SELECT <<lower ;; upper ;; reverse ;; trim ;; ltrim ;; rtrim>>(<<' aBc ' ;; 'Straße' ;; NULL ;; 'ПРИвет'>>)
SELECT lower(1)
SELECT <<trim(BOTH 'x' FROM 'xxaxx') ;; trim(LEADING FROM '  a ') ;; trim(TRAILING 'b' FROM 'abb') ;; trim('abcba', 'ab') ;; ltrim('xxa', 'x') ;; rtrim('axx', 'x')>>
SELECT substr('abcdef', <<1 ;; 3 ;; 0 ;; -2 ;; 10 ;; 2, 3 ;; -3, 2 ;; 1, 0 ;; 1, -1 ;; NULL ;; 2, 100>>)
SELECT substring('abcdef' FROM <<2 ;; 2 FOR 3 ;; -2>>)
SELECT substring('abcdef', 2)
SELECT substr(CAST('abc  ' AS <<varchar ;; varchar(7) ;; char(7)>>), <<2 ;; 2, 9>>)
SELECT length(substring(CAST('abc' AS varchar) FROM 2)), lpad(CAST('abc' AS <<varchar ;; char(5)>>), 7, 'x')
SELECT position('c' IN 'abc'), strpos('abcabc', 'c'), strpos('abc', 'z'), strpos('abc', ''), strpos('abcabc', 'c', 2), strpos('abcabc', 'c', -1)
SELECT replace('abcabc', <<'b', 'XX' ;; 'b' ;; '', 'x' ;; 'z', 'y' ;; NULL, 'x'>>)
SELECT <<lpad ;; rpad>>('abc', <<5, 'x' ;; 2, 'x' ;; 7, 'xy' ;; 0, 'x' ;; 5, '' ;; -1, 'x'>>)
SELECT concat(<<'a', 'b' ;; 'a', NULL ;; 'a', 'b', 'c' ;; ARRAY[1], ARRAY[2] ;; 'a' ;; X'01', X'02' ;; 'a', 1>>)
SELECT concat_ws(<<',', 'a', 'b' ;; ',', 'a', NULL, 'b' ;; NULL, 'a' ;; ',', ARRAY['a', NULL, 'b']>>)
SELECT split(<<'a,b,c', ',' ;; 'a,b,c', ',', 2 ;; 'abc', ',' ;; '', ',' ;; 'a,,b', ',' ;; 'abc', '' ;; NULL, ','>>)
SELECT split_part(<<'a,b,c', ',', 2 ;; 'a,b,c', ',', 9 ;; 'a,b,c', ',', 0 ;; 'abc', ',', 1>>)
SELECT split_to_map(<<'a=1,b=2', ',', '=' ;; 'a=1,a=2', ',', '=' ;; 'a', ',', '='>>)
SELECT split_to_multimap('a=1,a=2', ',', '=')
SELECT <<starts_with('abc', 'ab') ;; starts_with('abc', '') ;; ends_with('abc', 'bc') ;; ends_with('abc', 'x') ;; starts_with(NULL, 'a')>>
SELECT <<codepoint('A') ;; codepoint('ab') ;; chr(65) ;; chr(8364) ;; chr(-1)>>
SELECT <<hamming_distance('abc', 'abd') ;; hamming_distance('a', 'ab') ;; levenshtein_distance('kitten', 'sitting') ;; levenshtein_distance('', 'abc')>>
SELECT <<soundex('Robert') ;; translate('abcd', 'ac', 'x') ;; normalize('e' || chr(769)) ;; normalize('é', NFD) ;; luhn_check('79927398713') ;; luhn_check('79927398714')>>
SELECT <<to_utf8('Пр') ;; from_utf8(X'61FF62') ;; from_utf8(X'61FF62', '?') ;; from_utf8(to_utf8('Привет'))>>
SELECT <<to_hex(X'CAFE') ;; from_hex('cafe') ;; from_hex('xyz') ;; to_base64(X'CAFE') ;; from_base64('yv4=') ;; to_base64url(X'FBFF') ;; from_base64url('-_8') ;; to_base32(X'CAFE') ;; from_base32('ZL7A====')>>
SELECT to_hex(<<md5 ;; sha1 ;; sha256 ;; sha512 ;; xxhash64 ;; spooky_hash_v2_32 ;; murmur3>>(to_utf8('abc')))
SELECT to_hex(hmac_<<md5 ;; sha1 ;; sha256 ;; sha512>>(to_utf8('abc'), to_utf8('key')))
SELECT crc32(to_utf8('abc'))
SELECT <<to_big_endian_64(1) ;; from_big_endian_64(X'0000000000000001') ;; to_big_endian_32(1) ;; to_ieee754_64(1.5e0) ;; from_ieee754_64(X'3FF8000000000000') ;; to_ieee754_32(REAL '1.5')>>
SELECT <<regexp_like('abc', 'b') ;; regexp_like('abc', '^b') ;; regexp_like('abc', '(') ;; regexp_like(NULL, 'a') ;; regexp_like('ABC', '(?i)b')>>
SELECT regexp_extract(<<'a1b22', '\d+' ;; 'abc', '\d' ;; 'a1b22', '([a-z])(\d+)', 2 ;; 'a1', '(a)(\d)', 3>>)
SELECT regexp_extract_all(<<'a1b22', '\d+' ;; 'a1b22', '([a-z])(\d+)', 1 ;; 'abc', '\d'>>)
SELECT regexp_replace(<<'a1b22', '\d+' ;; 'a1b22', '\d+', 'X' ;; 'a1b22', '([a-z])(\d+)', '$2$1' ;; 'abc', 'x', 'y' ;; 'abc', 'b', '$9'>>)
SELECT regexp_replace('new york', '(\w)(\w*)', x -> upper(x[1]) || lower(x[2]))
SELECT regexp_split(<<'a1b22c', '\d+' ;; 'abc', 'x' ;; ',a,', ','>>)
SELECT <<regexp_count('a1b22', '\d') ;; regexp_position('a1b22', '\d') ;; regexp_position('abc', '\d') ;; regexp_position('a1b22', '\d', 3) ;; regexp_position('a1b2', '\d', 1, 2)>>
SELECT format(<<'%s is %d', 'x', 5 ;; '%.2f', 1.5e0 ;; '%05d', 42 ;; '%,d', 1234567 ;; '%s', NULL ;; '%s', DATE '2024-01-01' ;; '%d', 'a' ;; '%%'>>)
SELECT <<format_number(1234) ;; format_number(1234567) ;; format_number(1.5e0) ;; human_readable_seconds(93784) ;; parse_data_size('2.3MB') ;; word_stem('running') ;; to_base(255, 16) ;; from_base('ff', 16) ;; from_base('zz', 10)>>
SELECT <<url_extract_host('http://example.com:8080/p/a?q=1#f') ;; url_extract_path('http://example.com/p/a?q=1') ;; url_extract_port('http://example.com:8080/') ;; url_extract_protocol('https://x.y') ;; url_extract_query('http://x/?a=1&b=2') ;; url_extract_parameter('http://x/?a=1&b=2', 'b') ;; url_extract_fragment('http://x/#f') ;; url_encode('a b&c') ;; url_decode('a%20b')>>
SELECT repeat(<<'a', 3 ;; 1, 2 ;; NULL, 2 ;; 'x', 0>>)
SELECT substr('a')
SELECT nosuch('a')
SELECT upper()
SELECT upper('a', 'b')
SELECT 'a' || NULL, concat('a', CAST(NULL AS varchar))
SELECT listagg(x, ',') WITHIN GROUP (ORDER BY x DESC) FROM (VALUES 'a', 'c', 'b') t(x)
SELECT bitwise_<<and ;; or ;; xor>>(12, 10)
SELECT <<bitwise_not(5) ;; bitwise_left_shift(1, 4) ;; bitwise_right_shift(-8, 1) ;; bitwise_right_shift_arithmetic(-8, 1) ;; bit_count(7, 64) ;; bit_count(-1, 8)>>
SELECT <<uuid() IS NOT NULL ;; typeof(uuid()) ;; CAST(UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' AS varchar) ;; UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' = UUID '12151FD2-7586-11E9-8F9E-2A86E4085A59'>>
SELECT <<any_match(ARRAY[1, 2], x -> x > 1) ;; all_match(ARRAY[1, 2], x -> x > 1) ;; none_match(ARRAY[1, 2], x -> x > 2) ;; any_match(ARRAY[], x -> true) ;; any_match(ARRAY[NULL, 1], x -> x > 1)>>
