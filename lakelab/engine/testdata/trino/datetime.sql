-- Dates and times.
SELECT <<year ;; quarter ;; month ;; week ;; week_of_year ;; day ;; day_of_month ;; day_of_week ;; dow ;; day_of_year ;; doy ;; year_of_week ;; yow>>(<<DATE '2024-12-30' ;; TIMESTAMP '2024-03-05 06:07:08.987' ;; TIMESTAMP '2024-01-01 00:30:00 Europe/Moscow' ;; NULL>>)
SELECT <<hour ;; minute ;; second ;; millisecond>>(<<TIMESTAMP '2024-03-05 06:07:08.987' ;; TIME '23:59:58.123' ;; TIMESTAMP '2024-01-01 00:30:00 Europe/Moscow' ;; INTERVAL '2 03:04:05.678' DAY TO SECOND>>)
SELECT hour(DATE '2024-01-01')
SELECT <<timezone_hour ;; timezone_minute>>(TIMESTAMP '2024-01-01 00:30:00 Asia/Kolkata')
SELECT extract(<<YEAR ;; QUARTER ;; MONTH ;; WEEK ;; DAY ;; DAY_OF_WEEK ;; DOW ;; DAY_OF_YEAR ;; DOY ;; YEAR_OF_WEEK ;; YOW ;; HOUR ;; MINUTE ;; SECOND ;; NOSUCH>> FROM TIMESTAMP '2024-12-30 06:07:08.987')
SELECT extract(TIMEZONE_HOUR FROM TIMESTAMP '2024-12-30 06:07:08.987 +05:30')
SELECT date_trunc(<<'millisecond' ;; 'second' ;; 'minute' ;; 'hour' ;; 'day' ;; 'week' ;; 'month' ;; 'quarter' ;; 'year' ;; 'nosuch'>>, <<TIMESTAMP '2024-05-17 06:07:08.987654' ;; TIMESTAMP '2024-05-17 01:07:08.987 Europe/Moscow'>>)
SELECT date_trunc(<<'day' ;; 'month' ;; 'year' ;; 'hour' ;; 'WEEK'>>, DATE '2024-05-17')
SELECT date_trunc('hour', TIME '10:11:12')
SELECT date_add(<<'day', 1 ;; 'month', 1 ;; 'year', -1 ;; 'week', 2 ;; 'quarter', 1 ;; 'hour', 30 ;; 'minute', 5 ;; 'second', -1 ;; 'millisecond', 1500 ;; 'nosuch', 1>>, TIMESTAMP '2024-01-31 10:00:00.000')
SELECT date_add(<<'day', 1 ;; 'month', 1 ;; 'year', 1 ;; 'hour', 1>>, DATE '2024-01-31')
SELECT date_add('hour', 3, TIME '23:00:00')
SELECT date_diff(<<'day' ;; 'month' ;; 'year' ;; 'week' ;; 'quarter' ;; 'hour' ;; 'minute' ;; 'second' ;; 'millisecond'>>, <<TIMESTAMP '2024-01-31 10:00:00' ;; TIMESTAMP '2025-03-01 00:00:00'>>, TIMESTAMP '2024-03-01 09:00:00')
SELECT date_diff('day', DATE '2024-01-01', DATE '2024-12-31'), date_diff('month', DATE '2024-01-31', DATE '2024-02-29')
SELECT <<date('2024-01-05') ;; date(TIMESTAMP '2024-01-05 10:00:00') ;; date('x') ;; last_day_of_month(DATE '2024-02-10') ;; last_day_of_month(TIMESTAMP '2024-12-10 10:00:00')>>
SELECT date_format(TIMESTAMP '2024-03-05 16:07:08.987654', <<'%Y-%m-%d %H:%i:%s' ;; '%y %c %e %k %l %p %h %I' ;; '%W %a %M %b %j' ;; '%T %r' ;; '%f' ;; '%v %x' ;; '%% %q' ;; '%D' ;; '%U'>>)
SELECT date_format(DATE '2024-03-05', '%d.%m.%Y')
SELECT date_parse(<<'2024-03-05 16:07:08', '%Y-%m-%d %H:%i:%s' ;; '05.03.2024', '%d.%m.%Y' ;; '2024', '%Y' ;; 'x', '%Y' ;; 'Mar 5 2024', '%b %e %Y' ;; '2024-03-05 04:07 PM', '%Y-%m-%d %h:%i %p'>>)
SELECT format_datetime(TIMESTAMP '2024-03-05 16:07:08.987', <<'yyyy-MM-dd HH:mm:ss.SSS' ;; 'EEE, d MMM yyyy' ;; 'EEEE MMMM' ;; 'h:mm a' ;; 'D w x' ;; '''at'' HH'>>)
SELECT parse_datetime(<<'2024-03-05 16:07', 'yyyy-MM-dd HH:mm' ;; '2024-03-05 16:07 +0300', 'yyyy-MM-dd HH:mm Z' ;; 'x', 'yyyy'>>)
SELECT <<from_unixtime(0) ;; from_unixtime(1704103200.5) ;; from_unixtime(0, 'Europe/Moscow') ;; from_unixtime(0, 3, 30) ;; from_unixtime_nanos(1704103200123456789) ;; from_unixtime(NULL)>>
SELECT <<to_unixtime(TIMESTAMP '2024-01-01 10:00:00.5 UTC') ;; to_unixtime(TIMESTAMP '2024-01-01 10:00:00') ;; to_milliseconds(INTERVAL '1' DAY)>>
SELECT from_iso8601_<<date('2024-01-05') ;; date('2024-W01-1') ;; timestamp('2024-01-05T10:00:00Z') ;; timestamp('2024-01-05T10:00:00+03:00') ;; timestamp('2024-01-05') ;; timestamp('x')>>
SELECT to_iso8601(<<DATE '2024-01-05' ;; TIMESTAMP '2024-01-05 10:00:00.5' ;; TIMESTAMP '2024-01-05 10:00:00 Europe/Moscow'>>)
SELECT <<with_timezone(TIMESTAMP '2024-01-05 10:00:00', 'Europe/Moscow') ;; at_timezone(TIMESTAMP '2024-01-05 10:00:00 UTC', 'Asia/Tokyo') ;; timezone(TIMESTAMP '2024-01-05 10:00:00 Asia/Tokyo') ;; current_timezone()>>
SELECT <<current_date = CAST(now() AS date) ;; now() = current_timestamp ;; typeof(current_timestamp) ;; typeof(localtime) ;; typeof(current_time(0))>>
SELECT sequence(DATE '2024-01-01', DATE '2024-01-03', INTERVAL '1' DAY), sequence(DATE '2024-01-01', DATE '2024-03-01', INTERVAL '1' MONTH)
SELECT sequence(TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-01 03:00:00', INTERVAL '1' HOUR)
SELECT parse_duration('1.5h'), parse_duration('x')
SELECT TIMESTAMP '2024-03-31 02:30:00' AT TIME ZONE 'Europe/Berlin', CAST(TIMESTAMP '2024-01-01 10:00:00' AS timestamp(3) with time zone)
SELECT max(d), min(d), count(d) FROM (VALUES DATE '2024-01-01', DATE '2023-01-01', NULL) t(d)
SELECT human_readable_seconds(0), date_diff('day', TIMESTAMP '2024-01-02 00:00:00 UTC', TIMESTAMP '2024-01-01 23:00:00 -05:00')
