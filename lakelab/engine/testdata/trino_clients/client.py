"""Runs statements through Python's trino and prints what a program sees: python client.py URL types.sql

python client.py suite FILE URL … runs each file's statements, one on a line, in one session at its address.
python client.py connect EXPRESSION SQL runs a statement on the connection that a Python expression makes.
python client.py big URL SQL reads a big result whose first column is a number: how many rows, and their sum.
"""
import pprint
import sys
import threading
import time
import urllib.parse

import trino



def connect(address=None, schema="clients", **more):
    url = urllib.parse.urlparse(address or sys.argv[1])
    return trino.dbapi.connect(host=url.hostname, port=url.port, user="suite", source="suite", catalog="lakehouse", schema=schema, timezone="UTC", **more)


def show(sql, params=None, connection=None):
    print(sql if params is None else f"{sql} -- {params!r}")
    cursor = (connection or connect()).cursor()
    try:
        cursor.execute(sql, params)
        rows = cursor.fetchall()
    except trino.exceptions.TrinoQueryError as e:
        print("   error", type(e).__name__, e.error_name, e.error_code, e.message)
        return
    except Exception as e:  # the client itself gives up on what came
        print("   fails", type(e).__name__, e)
        return
    if cursor.description:
        print("   columns", [(c.name, c.type_code) for c in cursor.description])
    for row in rows:
        print("  ", pprint.pformat(row, width=10**9))  # sorts the keys of maps, which have no order in Trino
    if cursor.update_type:
        print("   update", cursor.update_type, cursor.rowcount)


if sys.argv[1] == "suite":
    for path, address in zip(sys.argv[2::2], sys.argv[3::2]):
        print("##", path.rpartition("/")[2])
        session = connect(address, "suite")
        for line in open(path, encoding="utf-8"):
            show(line.rstrip("\n"), connection=session)
    sys.exit()

if sys.argv[1] == "connect":
    show(sys.argv[3], connection=eval(sys.argv[2]))
    sys.exit()

if sys.argv[1] == "big":
    cursor = connect(sys.argv[2], "load").cursor()
    cursor.execute(sys.argv[3])
    rows = ids = 0
    for row in cursor:
        rows += 1
        ids += row[0]
    print(f"{rows} rows, ids {ids}")
    sys.exit()

for line in open(sys.argv[2], encoding="utf-8"):
    show(line.strip())

show("CREATE TABLE py (id bigint, name varchar, price decimal(10, 2), day date)")
show("INSERT INTO py VALUES (1, 'a', 1.5, DATE '2024-01-01'), (2, NULL, NULL, NULL)")
show("SELECT * FROM py WHERE id = ? OR name = ?", (2, "it's"))
show("INSERT INTO py VALUES (?, ?, ?, ?)", (3, "x", None, None))
show("SELECT count(*) FROM py WHERE id IN (?, ?, ?)", (1, 2, 3))
show("UPDATE py SET name = 'b' WHERE id = 2")
show("DELETE FROM py WHERE id = 3")
show("SELECT id, name FROM py ORDER BY id")
show("SELECT nosuch FROM py")
show("SELECT 1/0")

# A connection keeps its session: properties, roles of prepared statements, transactions.
connection = connect()
show("SET SESSION query_max_run_time = '5m'", connection=connection)
show("USE lakehouse.information_schema", connection=connection)
show("SELECT table_name FROM tables WHERE table_schema = 'clients'", connection=connection)
with connect(isolation_level=trino.transaction.IsolationLevel.READ_COMMITTED) as t:
    show("SELECT count(*) FROM py", connection=t)
many = connect().cursor()
many.execute("SELECT x FROM UNNEST(sequence(1, 10000)) t(x) CROSS JOIN UNNEST(sequence(1, 5)) u(y)")
print("many", sum(1 for _ in many))

# A cancelled statement ends.
show("CREATE TABLE py_big AS SELECT x FROM UNNEST(sequence(1, 10000)) t(x)")
cursor = connect().cursor()


def cancel():
    time.sleep(1)
    cursor.cancel()


threading.Thread(target=cancel).start()
try:
    cursor.execute("SELECT count(*) FROM py_big a, py_big b, py_big c WHERE a.x * b.x % (c.x + 1) = 7")
    cursor.fetchall()
    print("not cancelled")
except Exception as e:
    print("cancelled", type(e).__name__)
show("DROP TABLE py")
show("DROP TABLE py_big")
