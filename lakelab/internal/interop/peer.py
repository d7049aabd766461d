"""A peer of the interoperability check: real Spark, real Trino (its Python client) or PyIceberg.

Usage: peer.py spark|trino|pyiceberg. The first line of stdin is a JSON object with the lakes by name; each further line is a request,
answered by one line of stdout: {"rows": [...]} or {"error": "..."}. A row is a list of texts, values as Spark's show() writes them.
"""
import collections, datetime, decimal, json, os, sys, time

out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def text(v, quoted=False):
    if v is None:
        return "NULL"
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, datetime.datetime):
        if v.tzinfo is not None:
            v = v.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        s = v.isoformat(sep=" ", timespec="microseconds").rstrip("0").rstrip(".")
        return s
    if isinstance(v, (bytes, bytearray)):
        return "[" + " ".join(f"{b:02X}" for b in v) + "]"
    if isinstance(v, dict):
        return "{" + ", ".join(f"{text(k)} -> {text(x)}" for k, x in v.items()) + "}"
    if isinstance(v, list):
        return "[" + ", ".join(text(x) for x in v) + "]"
    if isinstance(v, tuple):
        return "{" + ", ".join(text(x) for x in v) + "}"
    if isinstance(v, decimal.Decimal):
        return format(v, "f")
    return str(v)


def message(e):
    """An error without Java's stack: its first lines, and what it was caused by."""
    lines = f"{type(e).__name__}: {e}".split("\n\nJVM")[0].splitlines()
    return "\n".join(l for l in lines if not l.startswith("\tat ") and not l.startswith("\t... "))[:2000]


class Spark:
    def __init__(self, lakes):
        from pyspark.sql import SparkSession

        spark = SparkSession.builder.getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        self.spark, self.lakes = spark, lakes
        self.sessions = {name: self.session(lake) for name, lake in lakes.items()}

    def session(self, lake):
        s = self.spark.newSession()
        for k, v in lake["spark"].items():
            s.conf.set("spark.sql.catalog.lakehouse" + k, v)
        return s

    def sql(self, lake, statement):
        if statement.startswith("equality-delete "):
            return self.equality_delete(lake, *statement.split()[1:])
        if "sqlite" in self.lakes[lake]["spark"].get(".uri", ""):
            # Java's JDBC catalog leaves a query of its start open, so that its connection to SQLite never sees what others commit
            # after that. A new session opens a new catalog.
            self.sessions[lake] = self.session(self.lakes[lake])
        return [[text(v) for v in row] for row in self.sessions[lake].sql(statement).collect()]


    def equality_delete(self, lake, table, value):
        """Commits an equality delete on the first column, an INT, which no statement of Spark's makes."""
        jvm, gateway = self.spark._jvm, self.spark.sparkContext._gateway
        iceberg = jvm.org.apache.iceberg
        session = self.sessions[lake] = self.session(self.lakes[lake])
        jvm.org.apache.spark.sql.SparkSession.setActiveSession(session._jsparkSession)  # whose catalogs are looked up
        t = iceberg.spark.Spark3Util.loadIcebergTable(session._jsparkSession, table)
        column = t.schema().columns().get(0)
        keys = t.schema().select([column.name()])
        ids = gateway.new_array(jvm.int, 1)
        ids[0] = column.fieldId()
        writers = iceberg.data.GenericAppenderFactory(t.schema(), t.spec(), ids, keys, None)
        file = t.io().newOutputFile(t.locationProvider().newDataLocation(f"equality-{value}.parquet"))
        writer = writers.newEqDeleteWriter(iceberg.encryption.EncryptionUtil.plainAsEncryptedOutput(file), iceberg.FileFormat.PARQUET, None)
        record = iceberg.data.GenericRecord.create(keys)
        record.setField(column.name(), int(value))
        writer.write(record)
        writer.close()
        t.newRowDelta().addDeletes(writer.toDeleteFile()).commit()
        return []


class Trino:
    def __init__(self, lakes):
        from trino.dbapi import connect

        self.connections = {}
        for name, lake in lakes.items():
            self.connections[name] = connect(host="127.0.0.1", port=lake["trino_port"], user="interop", catalog="lakehouse", schema="interop", timezone="UTC")

    def sql(self, lake, statement):
        from trino.exceptions import TrinoQueryError

        for left in range(30, -1, -1):
            try:
                c = self.connections[lake].cursor()
                c.execute(statement)
                return [[text(v) for v in row] for row in c.fetchall()]
            except TrinoQueryError as e:
                if e.error_name != "NO_NODES_AVAILABLE" or not left:  # a Trino that has just started does not know yet that its node has the catalog
                    raise
                time.sleep(1)


class PyIceberg:
    """Statements are the names of functions below; @table[@ref] reads one."""

    def __init__(self, lakes):
        from pyiceberg.catalog import load_catalog

        self.catalogs = {name: Folders(lake["pyiceberg"]["warehouse"]) if lake["pyiceberg"]["type"] == "hadoop" else load_catalog("lakehouse", **lake["pyiceberg"])
                         for name, lake in lakes.items()}

    def sql(self, lake, statement):
        catalog, words = self.catalogs[lake], statement.split()
        if words[0] == "read":
            return self.read(catalog.load_table(words[1]), *words[2:])
        if words[0] == "metadata":
            return self.metadata(catalog.load_table(words[1]))
        import pyiceberg_writes

        getattr(pyiceberg_writes, words[0])(catalog, words[1])
        return []

    def read(self, table, ref=None):
        scan = table.scan() if ref is None else table.scan(snapshot_id=table.refs()[ref].snapshot_id)
        rows = scan.to_arrow().to_pylist(maps_as_pydicts="strict")
        structs = {f.name for f in table.schema().fields if f.field_type.is_struct}
        for r in rows:
            for k in structs & r.keys():
                r[k] = None if r[k] is None else tuple(r[k].values())
        return sorted(([text(v) for v in r.values()] for r in rows), key=lambda r: int(r[0]))

    def metadata(self, table):
        schema, spec = table.schema(), table.spec()
        kind = lambda t: str(t).replace(", ", ",").split("<")[0] if not t.is_primitive else str(t).replace(", ", ",")
        rows = [["column", f.name, kind(f.field_type)] for f in schema.fields]
        files = collections.defaultdict(list)
        for f in table.inspect.files().select(["content", "record_count"]).to_pylist():
            files[f["content"]].append(f["record_count"])
        for f in spec.fields:
            rows.append(["partition", f"{f.transform} {schema.find_column_name(f.source_id)}"])
        rows += [["snapshot", str(s.snapshot_id), s.summary.operation.value, str(s.summary["total-records"] or "")] for s in table.snapshots()]
        rows += sorted(["files", str(content), str(len(n)), str(sum(n))] for content, n in files.items())
        rows += sorted(["ref", name, r.snapshot_ref_type.value, str(r.snapshot_id)] for name, r in table.refs().items())
        return rows


class Folders:
    """The tables of a Hadoop catalog, which PyIceberg reads by their folders."""

    def __init__(self, warehouse):
        self.warehouse = warehouse

    def load_table(self, name):
        from pyiceberg.table import StaticTable

        return StaticTable.from_metadata(os.path.join(self.warehouse, *name.split(".")))


peer = {"spark": Spark, "trino": Trino, "pyiceberg": PyIceberg}[sys.argv[1]](json.loads(sys.stdin.readline()))
out.write('{"rows": []}\n')
out.flush()
for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"rows": peer.sql(request["lake"], request["statement"])}
    except Exception as e:
        answer = {"error": message(e)}
    out.write(json.dumps(answer) + "\n")
    out.flush()
