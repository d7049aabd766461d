-- Wall clocks that a zone leaves out, names of zones, years before the first, and the session's zone.
SELECT parse_datetime(<<'2024-03-31 02:30 Europe/Berlin', 'yyyy-MM-dd HH:mm ZZZ' ;; '2024-03-31 02:00 Europe/Berlin', 'yyyy-MM-dd HH:mm ZZZ' ;; '2024-03-31 03:00 Europe/Berlin', 'yyyy-MM-dd HH:mm ZZZ' ;; '2024-03-31 01:59 Europe/Berlin', 'yyyy-MM-dd HH:mm ZZZ' ;; '2024-10-27 02:30 Europe/Berlin', 'yyyy-MM-dd HH:mm ZZZ' ;; '2024-03-10 02:30 PST', 'yyyy-MM-dd HH:mm z' ;; '2011-12-30 10:00 Pacific/Apia', 'yyyy-MM-dd HH:mm ZZZ' ;; '1800-01-01 10:00 Europe/Berlin', 'yyyy-MM-dd HH:mm ZZZ' ;; '2024-03-31 02:30:15.123 Europe/Berlin', 'yyyy-MM-dd HH:mm:ss.SSS ZZZ' ;; '2024-03-31 02:30 +01:00', 'yyyy-MM-dd HH:mm ZZ'>>)
SELECT format_datetime(TIMESTAMP '<<2024-07-01 12:00:00 ;; 2024-01-01 12:00:00>> <<Europe/Berlin ;; Europe/Moscow ;; America/New_York ;; Asia/Kolkata ;; UTC ;; +05:30 ;; -03:00 ;; Asia/Dubai ;; Asia/Tbilisi ;; Etc/GMT+3 ;; Australia/Lord_Howe ;; America/Sao_Paulo>>', <<'z' ;; 'zzz' ;; 'zzzz' ;; 'Z' ;; 'ZZ' ;; 'ZZZ' ;; 'ZZZZ'>>)
SELECT format_datetime(<<TIMESTAMP '-0001-01-01 00:00:00' ;; TIMESTAMP '0000-06-01 00:00:00' ;; TIMESTAMP '0001-01-01 00:00:00' ;; TIMESTAMP '-0100-03-05 10:00:00' ;; TIMESTAMP '12345-03-05 10:00:00'>>, <<'yyyy' ;; 'yy' ;; 'y' ;; 'YYYY' ;; 'YY' ;; 'Y' ;; 'G' ;; 'GGGG' ;; 'C' ;; 'CC' ;; 'xxxx' ;; 'xx' ;; 'x' ;; 'w e EEEE D' ;; 'YYYY-MM-dd G'>>)
SELECT date_format(<<TIMESTAMP '-0001-01-01 00:00:00' ;; TIMESTAMP '0000-06-01 00:00:00' ;; TIMESTAMP '12345-03-05 10:00:00'>>, <<'%Y' ;; '%y' ;; '%x' ;; '%v' ;; '%Y-%m-%d'>>)
SELECT from_iso8601_timestamp(<<'2024-03-31T02:30:00 Europe/Berlin' ;; '2024-03-31T02:30:00'>>)
SELECT TIMESTAMP '2024-03-31 02:30:00 Europe/Berlin'
SELECT CAST('2024-03-31 02:30:00 Europe/Berlin' AS timestamp with time zone)
SELECT with_timezone(TIMESTAMP '2024-03-31 02:30:00', 'Europe/Berlin')
SET TIME ZONE 'Europe/Berlin'
SELECT parse_datetime('2024-03-31 02:30', 'yyyy-MM-dd HH:mm')
SELECT from_iso8601_timestamp('2024-03-31T02:30:00')
SELECT date_parse('2024-03-31 02:30', '%Y-%m-%d %H:%i')
SELECT CAST(TIMESTAMP '2024-03-31 02:30:00' AS timestamp with time zone)
SET TIME ZONE 'Nowhere'
SELECT current_timezone()
SET TIME ZONE LOCAL
SELECT current_timezone()
SET SESSION time_zone_id = 'Asia/Tokyo'
SELECT current_timezone()
SET SESSION time_zone_id = 'Nowhere'
SELECT current_timezone()
RESET SESSION time_zone_id
SELECT current_timezone()
SET TIME ZONE <<INTERVAL '5' HOUR ;; INTERVAL '05:30' HOUR TO MINUTE ;; '+05:30'>>
SELECT current_timezone()
SELECT CAST(TIMESTAMP '2024-01-01 00:00:00' AS timestamp with time zone), CAST(TIMESTAMP '2024-01-01 00:00:00 UTC' AS timestamp), CAST(TIMESTAMP '2024-01-01 20:00:00 UTC' AS date), date(TIMESTAMP '2024-01-01 20:00:00 UTC')
SELECT from_unixtime(0), from_unixtime(0.5), parse_datetime('2024-01-02 03:04', 'yyyy-MM-dd HH:mm'), TIME '10:00' = CAST(TIME '10:00' AS time with time zone)
SELECT CAST('2024-01-02 03:04:05' AS timestamp with time zone), CAST(DATE '2024-01-01' AS timestamp with time zone), TIMESTAMP '2024-01-01 00:00:00 UTC' = TIMESTAMP '2024-01-01 05:30:00'
SELECT current_timestamp = localtimestamp, current_date = CAST(current_timestamp AS date), typeof(current_time)
SELECT date_trunc('day', TIMESTAMP '2024-01-01 20:00:00 UTC'), hour(CAST(TIMESTAMP '2024-01-01 20:00:00' AS timestamp with time zone)), timezone_minute(CAST(TIMESTAMP '2024-01-01 20:00:00' AS timestamp with time zone))
SET TIME ZONE <<'-03:30' ;; '+14:00' ;; '+14:01' ;; '-13:00' ;; '+15:00' ;; 'Asia/Kolkata' ;; 'Etc/GMT-14' ;; '+5:30' ;; '+0545' ;; 'UTC+05:45' ;; 'GMT+5' ;; 'Z' ;; INTERVAL '1' MINUTE ;; INTERVAL '-5' HOUR ;; INTERVAL '90' SECOND ;; '+05:45'>>
SELECT current_timezone(), CAST(TIMESTAMP '2024-01-01 00:00:00' AS timestamp with time zone), to_iso8601(from_unixtime(0))
