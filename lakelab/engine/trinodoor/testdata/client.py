"""Asks the door at a port, as a user of Python's trino would, and prints what comes back. Run by TestPythonClient."""
import sys

import trino

connection = trino.dbapi.connect(host="127.0.0.1", port=int(sys.argv[1]), user="alice", catalog="lakehouse", schema="demo")
cursor = connection.cursor()

cursor.execute("SELECT every type")
row, nulls = cursor.fetchall()
for column, value, null in zip(cursor.description, row, nulls):
    print(column[0], column[1], repr(value), null)

cursor.execute("SELECT pages")
print(cursor.fetchall())
cursor.execute("SELECT many")
print(len(cursor.fetchall()))
cursor.execute("SELECT nothing")
print(cursor.fetchall(), cursor.description[0][0])
cursor.execute("SELECT slowly")
print(cursor.fetchall())
cursor.execute("INSERT")
print(cursor.fetchall(), cursor.rowcount, cursor.update_type)
cursor.execute("CREATE SCHEMA s")
print(cursor.fetchall(), cursor.update_type)

for sql in ["SELECT pickup_borough FROM trips", "SELECT late error", "SELECT defect"]:
    try:
        cursor.execute(sql)
        cursor.fetchall()
    except trino.exceptions.TrinoQueryError as e:
        print(type(e).__name__, e.error_code, e.error_name, e.error_type, e.message)
