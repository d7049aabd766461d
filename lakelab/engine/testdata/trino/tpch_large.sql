-- The rows of the catalog tpch at scales that take a while to generate, by sums and checksums.
SELECT count(*), sum(orderkey), sum(partkey), sum(suppkey), sum(linenumber), sum(CAST(quantity AS decimal(15, 2))), sum(CAST(extendedprice AS decimal(15, 2))), sum(CAST(discount AS decimal(15, 2))), sum(CAST(tax AS decimal(15, 2))) FROM <<tpch."sf0.1" ;; tpch.sf1>>.lineitem
SELECT to_hex(checksum(comment)), to_hex(checksum(shipinstruct)), to_hex(checksum(shipmode)), to_hex(checksum(returnflag)), to_hex(checksum(linestatus)), to_hex(checksum(shipdate)), to_hex(checksum(commitdate)), to_hex(checksum(receiptdate)) FROM tpch."sf0.1".lineitem
SELECT count(*), sum(orderkey), sum(custkey), to_hex(checksum(orderstatus)), sum(CAST(totalprice AS decimal(15, 2))), to_hex(checksum(orderdate)), to_hex(checksum(orderpriority)), to_hex(checksum(clerk)), sum(shippriority), to_hex(checksum(comment)) FROM <<tpch."sf0.1" ;; tpch.sf1>>.orders
SELECT count(*), sum(custkey), to_hex(checksum(name)), to_hex(checksum(address)), sum(nationkey), to_hex(checksum(phone)), sum(CAST(acctbal AS decimal(15, 2))), to_hex(checksum(mktsegment)), to_hex(checksum(comment)) FROM <<tpch."sf0.1" ;; tpch.sf1>>.customer
SELECT count(*), sum(partkey), to_hex(checksum(name)), to_hex(checksum(mfgr)), to_hex(checksum(brand)), to_hex(checksum(type)), sum(size), to_hex(checksum(container)), sum(CAST(retailprice AS decimal(15, 2))), to_hex(checksum(comment)) FROM <<tpch."sf0.1" ;; tpch.sf1>>.part
SELECT count(*), sum(partkey), sum(suppkey), sum(availqty), sum(CAST(supplycost AS decimal(15, 2))), to_hex(checksum(comment)) FROM <<tpch."sf0.1" ;; tpch.sf1>>.partsupp
SELECT count(*), sum(suppkey), to_hex(checksum(name)), to_hex(checksum(address)), sum(nationkey), to_hex(checksum(phone)), sum(CAST(acctbal AS decimal(15, 2))), to_hex(checksum(comment)) FROM <<tpch."sf0.1" ;; tpch.sf1>>.supplier
SELECT * FROM tpch.sf1.lineitem WHERE orderkey <<= 1 ;; = 7 ;; = 3000000 ;; = 5999975 ;; = 6000000>> ORDER BY linenumber
SELECT * FROM tpch.sf1.orders WHERE orderkey <<= 1 ;; = 4500000 ;; = 6000000>>
SELECT * FROM tpch.sf1.<<customer WHERE custkey = 150000 ;; part WHERE partkey = 199999 ;; partsupp WHERE partkey = 200000 ORDER BY suppkey ;; supplier WHERE suppkey = 10000>>
SHOW STATS FOR <<tpch.sf1.lineitem ;; tpch.sf1.orders>>
