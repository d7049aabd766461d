-- ALTER … RENAME of columns, tables and views to where it cannot be, and the security of views.
CREATE TABLE r (id integer, a integer, s ROW(a integer, b ROW(x integer, y integer)), l array(ROW(e integer, f integer)))
INSERT INTO r VALUES (1, 2, ROW(3, ROW(4, 5)), ARRAY[ROW(6, 7)])
ALTER TABLE r RENAME COLUMN <<s.a TO id ;; s.id TO b ;; s.id TO id ;; s.id TO ID ;; s.nosuch TO x ;; s.id TO a ;; s.b.x TO a ;; s.b.a TO y ;; s.b TO s ;; s.s.y TO s ;; l.e TO id ;; l.element.e TO id ;; l.element.id TO f ;; id.x TO y ;; IF EXISTS s.nosuch TO x ;; nosuch.x TO y ;; IF EXISTS nosuch.x TO y>>
SELECT * FROM r
DESCRIBE r
ALTER TABLE r ADD COLUMN <<s.id integer ;; s.z integer ;; s.z integer ;; IF NOT EXISTS s.z integer ;; nosuch.z integer ;; s.nosuch.z integer ;; id.z integer>>
ALTER TABLE r DROP COLUMN <<s.id ;; s.nosuch ;; IF EXISTS s.nosuch ;; s.z ;; id.x>>
ALTER TABLE r ALTER COLUMN <<s.a SET DATA TYPE bigint ;; s.a SET DATA TYPE varchar ;; s.nosuch SET DATA TYPE bigint ;; id SET DATA TYPE bigint>>
DESCRIBE r
CREATE TABLE t (a integer)
CREATE VIEW v AS SELECT 1 AS a
CREATE SCHEMA lakehouse.tiny
ALTER TABLE t RENAME TO <<tpch.tiny.t ;; tpch.nosuch.t ;; nosuch.suite.t ;; lakehouse.nosuch.t ;; nosuch.t ;; a.b.c.d ;; t ;; v ;; suite.v ;; information_schema.t ;; lakehouse.information_schema.t>>
ALTER VIEW v RENAME TO <<tpch.tiny.v ;; tpch.nosuch.v ;; nosuch.suite.v ;; lakehouse.nosuch.v ;; nosuch.v ;; a.b.c.d ;; v ;; t ;; suite.t>>
SHOW TABLES
SHOW TABLES FROM lakehouse.tiny
ALTER TABLE t RENAME TO tiny.t
ALTER VIEW v RENAME TO lakehouse.tiny.v
SHOW TABLES FROM lakehouse.tiny
SELECT * FROM tiny.v
ALTER TABLE tiny.t RENAME TO suite.t
ALTER VIEW tiny.v RENAME TO suite.v
DROP SCHEMA lakehouse.tiny
ALTER TABLE tpch.tiny.nation RENAME TO <<lakehouse.suite.nation ;; tpch.tiny.x>>
ALTER VIEW tpch.tiny.nation RENAME TO lakehouse.suite.nation
ALTER SCHEMA suite RENAME TO tpch.x
CREATE VIEW inv SECURITY INVOKER AS SELECT a FROM t
SHOW CREATE VIEW inv
SELECT * FROM inv
COMMENT ON VIEW inv IS 'c'
SHOW CREATE VIEW inv
COMMENT ON COLUMN inv.a IS 'd'
SHOW CREATE VIEW inv
ALTER VIEW inv RENAME TO invoked
SHOW CREATE VIEW invoked
CREATE OR REPLACE VIEW invoked AS SELECT a FROM t
SHOW CREATE VIEW invoked
CREATE OR REPLACE VIEW invoked SECURITY INVOKER AS SELECT a FROM t
SHOW CREATE VIEW invoked
CREATE OR REPLACE VIEW invoked COMMENT 'x' SECURITY DEFINER AS SELECT a FROM t
SHOW CREATE VIEW invoked
CREATE OR REPLACE VIEW invoked COMMENT 'x' SECURITY INVOKER AS SELECT a FROM t
SHOW CREATE VIEW invoked
CREATE VIEW who SECURITY INVOKER AS SELECT current_user AS u
SELECT * FROM who
SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = 'suite' ORDER BY 1
CREATE VIEW x SECURITY NOSUCH AS SELECT 1 AS a
SHOW CREATE TABLE invoked
