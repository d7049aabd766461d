-- Table functions: of their arguments and errors; what table_changes gives is in a test of its own, for it needs the ids of snapshots.
CREATE TABLE t (id integer, v varchar)
INSERT INTO t VALUES (1, 'a')
SELECT * FROM TABLE(lakehouse.system.table_changes(<<'suite', 't', 1, 2 ;; schema_name => 'suite', table_name => 't', start_snapshot_id => 1, end_snapshot_id => 2 ;; schema_name => 'suite', table_name => 't', start_snapshot_id => 1 ;; table_name => 't', start_snapshot_id => 1, end_snapshot_id => 2 ;; schema_name => 'suite', table_name => 'nosuch', start_snapshot_id => 1, end_snapshot_id => 2 ;; schema_name => 'nosuch', table_name => 't', start_snapshot_id => 1, end_snapshot_id => 2 ;; 'suite', 't', 'x', 'y' ;; 'suite', 't', NULL, NULL ;; NULL, 't', 1, 2 ;; 'suite', NULL, 1, 2 ;; nosuch => 1 ;; 'suite', 't', 1, 2, 3 ;; 'suite', 't', start_snapshot_id => 1, end_snapshot_id => 2 ;; schema_name => 'suite', schema_name => 'suite', table_name => 't', start_snapshot_id => 1, end_snapshot_id => 2 ;; 'suite', 't', 1.5, 2 ;; SCHEMA => 'suite', TABLE => 't', start_snapshot_id => 1, end_snapshot_id => 2>>))
SELECT * FROM TABLE(system.table_changes('suite', 't', 1, 2))
SELECT * FROM TABLE(table_changes('suite', 't', 1, 2))
SELECT * FROM TABLE(lakehouse.system.nosuch(1))
SELECT * FROM TABLE(nosuch.system.table_changes('suite', 't', 1, 2))
SELECT * FROM TABLE(nosuch(1))
SELECT * FROM TABLE(sequence(<<1, 3 ;; 3, 1, -1 ;; start => 1, stop => 5, step => 2 ;; stop => 3 ;; 1, 3, 0 ;; 1 ;; 5, 1 ;; 1, NULL ;; 'a', 'b' ;; nosuch => 1 ;; 1, 2, 3, 4>>))
SELECT x.sequential_number * 2 y FROM TABLE(sequence(1, 3)) x ORDER BY 1
SELECT s, id FROM TABLE(sequence(1, 2)) AS x(s) JOIN t ON t.id = s
SELECT s FROM TABLE(system.builtin.sequence(1, 2)) x(s)
DROP TABLE t
