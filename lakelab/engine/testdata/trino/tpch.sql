-- The catalog tpch: its names, types and rows, and what its connector refuses.
SHOW SCHEMAS FROM tpch
SHOW TABLES FROM tpch.<<sf1 ;; sf100000 ;; "sf0.01" ;; "sf0.1" ;; "sf1.0" ;; information_schema ;; nosuch ;; sf ;; sf0>>
SHOW TABLES FROM tpch.tiny LIKE '%p%'
USE tpch.tiny
SHOW TABLES
SELECT * FROM region ORDER BY regionkey
SELECT * FROM nation ORDER BY nationkey
SELECT count(*) FROM nosuch
SELECT count(*) FROM tpch.nosuch.nation
SELECT count(*) FROM tpch."sf0.01".lineitem
SELECT count(*), sum(orderkey), sum(partkey), sum(suppkey), sum(linenumber), sum(CAST(quantity AS decimal(15, 2))), sum(CAST(extendedprice AS decimal(15, 2))), sum(CAST(discount AS decimal(15, 2))), sum(CAST(tax AS decimal(15, 2))) FROM tpch.tiny.lineitem
SELECT to_hex(checksum(comment)), to_hex(checksum(shipinstruct)), to_hex(checksum(shipmode)), to_hex(checksum(returnflag)), to_hex(checksum(linestatus)), to_hex(checksum(shipdate)), to_hex(checksum(commitdate)), to_hex(checksum(receiptdate)) FROM tpch.tiny.lineitem
SELECT count(*), sum(orderkey), sum(custkey), to_hex(checksum(orderstatus)), sum(CAST(totalprice AS decimal(15, 2))), to_hex(checksum(orderdate)), to_hex(checksum(orderpriority)), to_hex(checksum(clerk)), sum(shippriority), to_hex(checksum(comment)) FROM tpch.tiny.orders
SELECT count(*), sum(custkey), to_hex(checksum(name)), to_hex(checksum(address)), sum(nationkey), to_hex(checksum(phone)), sum(CAST(acctbal AS decimal(15, 2))), to_hex(checksum(mktsegment)), to_hex(checksum(comment)) FROM tpch.tiny.customer
SELECT count(*), sum(partkey), to_hex(checksum(name)), to_hex(checksum(mfgr)), to_hex(checksum(brand)), to_hex(checksum(type)), sum(size), to_hex(checksum(container)), sum(CAST(retailprice AS decimal(15, 2))), to_hex(checksum(comment)) FROM tpch.tiny.part
SELECT count(*), sum(partkey), sum(suppkey), sum(availqty), sum(CAST(supplycost AS decimal(15, 2))), to_hex(checksum(comment)) FROM tpch.tiny.partsupp
SELECT count(*), sum(suppkey), to_hex(checksum(name)), to_hex(checksum(address)), sum(nationkey), to_hex(checksum(phone)), sum(CAST(acctbal AS decimal(15, 2))), to_hex(checksum(comment)) FROM tpch.tiny.supplier
SELECT * FROM tpch."sf0.001".<<orders ORDER BY orderkey LIMIT 3 ;; supplier ORDER BY suppkey LIMIT 3>>
SELECT "row_number", <<orderkey FROM orders ;; orderkey FROM lineitem ;; custkey FROM customer ;; partkey FROM partsupp ;; regionkey FROM region>> ORDER BY "row_number" LIMIT 6
SHOW CREATE TABLE <<nation ;; lineitem>>
SHOW CREATE SCHEMA tpch.tiny
SHOW STATS FOR <<nation ;; region ;; lineitem ;; orders ;; customer ;; part ;; partsupp ;; supplier ;; tpch."sf0.1".orders>>
SHOW STATS FOR (SELECT * FROM nation WHERE nationkey > 10)
INSERT INTO nation VALUES (25, 'X', 1, 'x')
DELETE FROM nation
UPDATE nation SET name = 'x'
MERGE INTO nation n USING region r ON n.regionkey = r.regionkey WHEN MATCHED THEN DELETE
TRUNCATE TABLE nation
DROP TABLE nation
ALTER TABLE nation ADD COLUMN x bigint
ALTER TABLE nation RENAME TO x
ALTER TABLE nation RENAME COLUMN name TO x
ALTER TABLE nation DROP COLUMN name
ALTER TABLE nation ALTER COLUMN nationkey SET DATA TYPE integer
ALTER TABLE nation SET PROPERTIES x = 1
ALTER TABLE nation EXECUTE optimize
COMMENT ON TABLE nation IS 'x'
COMMENT ON COLUMN nation.name IS 'x'
ANALYZE nation
CREATE TABLE x (a bigint)
CREATE TABLE x AS SELECT 1 AS a
CREATE VIEW x AS SELECT 1 AS a
CREATE SCHEMA tpch.x
CREATE SCHEMA tpch.tiny
DROP SCHEMA tpch.<<tiny ;; nosuch>>
ALTER SCHEMA tpch.tiny RENAME TO x
GRANT SELECT ON nation TO x
SELECT count(*) FROM nation FOR VERSION AS OF 1
SELECT count(*) FROM nation FOR TIMESTAMP AS OF TIMESTAMP '2024-01-01 00:00:00'
SELECT count(*) FROM "nation$snapshots"
SELECT table_schema, count(*) FROM tpch.information_schema.tables GROUP BY 1 ORDER BY 1
SELECT table_name, column_name, ordinal_position, is_nullable, data_type FROM tpch.information_schema.columns WHERE table_schema = 'sf1' ORDER BY 1, 3
SELECT * FROM system.jdbc.columns WHERE table_cat = 'tpch' AND table_schem = 'tiny' AND table_name = 'orders' ORDER BY ordinal_position
SELECT table_schem, count(*) FROM system.jdbc.tables WHERE table_cat = 'tpch' GROUP BY 1 ORDER BY 1
SELECT table_schem FROM system.jdbc.schemas WHERE table_catalog = 'tpch' ORDER BY 1
DESCRIBE OUTPUT nosuch
SELECT count(*) FROM orders TABLESAMPLE BERNOULLI (100)
SELECT count(*) FROM orders TABLESAMPLE SYSTEM (100)
SELECT count(*) FROM orders TABLESAMPLE BERNOULLI (0)
SELECT count(*) BETWEEN 5000 AND 10000 FROM orders TABLESAMPLE BERNOULLI (50)
SELECT count(*) FROM orders TABLESAMPLE BERNOULLI (<<101 ;; -1 ;; 'x' ;; NULL>>)
CREATE TABLE lakehouse.suite.n AS SELECT * FROM nation
DESCRIBE lakehouse.suite.n
SELECT count(*) FROM lakehouse.suite.n JOIN region USING (regionkey)
