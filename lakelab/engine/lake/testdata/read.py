"""Prints what PyIceberg sees in a lakehouse folder's table, as JSON. Usage: read.py FOLDER TABLE"""
import json, sys
from urllib.parse import quote
from pyiceberg.catalog.sql import SqlCatalog

folder, name = sys.argv[1:]
catalog = SqlCatalog("lakehouse", uri=f"sqlite:///{quote(folder)}/catalog.db", warehouse=f"{folder}/warehouse")
table = catalog.load_table(name)
print(json.dumps({
    "namespaces": sorted(".".join(n) for n in catalog.list_namespaces()),
    "schema": str(table.schema().as_struct()),
    "rows": table.scan().to_arrow().to_pylist(),
    "snapshots": [[s.snapshot_id, s.parent_snapshot_id, s.summary.operation.value] for s in table.snapshots()],
    "history": [h.snapshot_id for h in table.history()],
    "first": table.scan(snapshot_id=table.snapshots()[0].snapshot_id).to_arrow().to_pylist(),
    "filtered": table.scan(row_filter="k >= 3").to_arrow().num_rows,
}, default=str))
