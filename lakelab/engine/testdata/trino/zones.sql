-- Rows with different time zones in one column of timestamp with time zone.
VALUES TIMESTAMP '2024-01-01 10:00:00 Europe/Paris', TIMESTAMP '2024-01-01 10:00:00 America/New_York', TIMESTAMP '2024-01-01 10:00:00 UTC', NULL
SELECT x, x AT TIME ZONE 'Asia/Tokyo', CAST(x AS varchar), timezone(x), hour(x), timezone_hour(x) FROM (VALUES TIMESTAMP '2024-01-01 10:00:00 Europe/Paris', TIMESTAMP '2024-01-01 10:00:00 +05:30') t(x)
SELECT ARRAY[TIMESTAMP '2024-01-01 10:00:00 Europe/Paris', TIMESTAMP '2024-01-01 10:00:00 UTC']
SELECT CAST(x AS timestamp with time zone) FROM (VALUES '2024-01-01 10:00:00 Europe/Paris', '2024-01-01 10:00:00 -03:00') t(x)
SELECT from_iso8601_timestamp(x) FROM (VALUES '2024-01-01T10:00:00+02:00', '2024-01-01T10:00:00Z') t(x)
SELECT at_timezone(TIMESTAMP '2024-01-01 10:00:00 UTC', z) FROM (VALUES 'Europe/Paris', 'Asia/Tokyo') t(z)
SELECT with_timezone(TIMESTAMP '2024-01-01 10:00:00', z) FROM (VALUES 'Europe/Paris', 'Asia/Tokyo') t(z)
SELECT count(DISTINCT x), min(x), max(x) FROM (VALUES TIMESTAMP '2024-01-01 10:00:00 Europe/Paris', TIMESTAMP '2024-01-01 09:00:00 UTC', TIMESTAMP '2024-01-01 08:00:00 UTC') t(x)
SELECT CASE WHEN i = 1 THEN TIMESTAMP '2024-01-01 10:00:00 Europe/Paris' ELSE TIMESTAMP '2024-01-01 10:00:00 Asia/Tokyo' END FROM (VALUES 1, 2) t(i)
SELECT COALESCE(x, TIMESTAMP '2024-01-01 10:00:00 Asia/Tokyo') FROM (VALUES TIMESTAMP '2024-01-01 10:00:00 Europe/Paris', NULL) t(x)
SELECT x FROM (VALUES TIMESTAMP '2024-01-01 10:00:00 Europe/Paris', TIMESTAMP '2024-01-01 10:00:00 America/New_York', TIMESTAMP '2024-01-01 10:00:00 UTC') t(x) ORDER BY x
SELECT x + INTERVAL '1' DAY, date_trunc('day', x), date_add('hour', 3, x) FROM (VALUES TIMESTAMP '2024-01-01 10:00:00 Europe/Paris', TIMESTAMP '2024-01-01 10:00:00 UTC') t(x)
SELECT a.x, b.y FROM (VALUES TIMESTAMP '2024-01-01 10:00:00 Europe/Paris') a(x) JOIN (VALUES TIMESTAMP '2024-01-01 09:00:00 UTC') b(y) ON a.x = b.y
SELECT CAST(x AS date), CAST(x AS timestamp), to_iso8601(x), format_datetime(x, 'yyyy-MM-dd HH:mm ZZZ') FROM (VALUES TIMESTAMP '2024-01-01 00:30:00 Europe/Paris', TIMESTAMP '2024-01-01 00:30:00 Asia/Tokyo') t(x)
