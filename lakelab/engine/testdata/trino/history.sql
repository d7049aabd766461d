-- Queries that have ended, as system.runtime.queries keeps them.
SELECT 1 AS history_one
SELECT 1 / 0 AS history_two
SELECT nosuch AS history_three
SELEC 'history_four'
CREATE TABLE history_five (a integer)
DROP TABLE history_five
SELECT 1 / a AS history_six FROM (VALUES 0) t(a)
<<SELECT state, "user", source, query, resource_group_id, error_type, error_code FROM system.runtime.queries WHERE query LIKE '%history_>><<one ;; two ;; three ;; four ;; five ;; six>><<%' AND query NOT LIKE '%runtime%' ORDER BY created DESC LIMIT 1 ;; %' AND query NOT LIKE '%runtime%' AND queued_time_ms >= 0 AND analysis_time_ms >= 0 AND planning_time_ms >= 0 AND created <= "end" AND created <= last_heartbeat ORDER BY created DESC LIMIT 1>>
<<SELECT started IS NULL, "end" IS NULL, "end" <= current_timestamp, last_heartbeat IS NULL FROM system.runtime.queries WHERE query LIKE '%history_>><<one ;; two ;; three ;; four ;; five ;; six>>%' AND query NOT LIKE '%runtime%' ORDER BY created DESC LIMIT 1
SELECT state, error_code, "end" IS NULL, started IS NULL, query FROM system.runtime.queries WHERE query LIKE '%history_seven%'
CALL system.runtime.kill_query('20200101_000000_00000_aaaaa', 'x')
CALL system.runtime.kill_query('nosuch', 'x')
