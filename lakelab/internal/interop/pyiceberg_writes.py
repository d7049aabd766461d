"""What PyIceberg writes in each scenario: a function for each, with the catalog and the name of the table to make."""
import datetime, decimal

import pyarrow as pa
from pyiceberg.expressions import EqualTo
from pyiceberg.schema import Schema
from pyiceberg.transforms import BucketTransform, DayTransform, IdentityTransform, TruncateTransform
from pyiceberg.types import (BinaryType, BooleanType, DateType, DecimalType, DoubleType, FloatType, IntegerType, ListType, LongType, MapType,
                             NestedField, StringType, StructType, TimestampType, TimestamptzType)

D = decimal.Decimal
UTC = datetime.timezone.utc


def append(table, rows, branch=None):
    data = pa.Table.from_pylist(rows, schema=table.schema().as_arrow())
    table.append(data, **({"branch": branch} if branch else {}))


def types(catalog, name):
    fields = [LongType(), BooleanType(), IntegerType(), FloatType(), DoubleType(), DecimalType(38, 10), DateType(), TimestampType(), TimestamptzType(),
              StringType(), BinaryType(), ListType(20, IntegerType(), element_required=False),
              MapType(21, StringType(), 22, IntegerType(), value_required=False),
              StructType(NestedField(23, "a", IntegerType()), NestedField(24, "b", StringType()))]
    names = ["k", "b", "i", "f", "x", "d", "dt", "ts", "tz", "s", "bin", "l", "m", "st"]
    t = catalog.create_table(name, Schema(*[NestedField(i + 1, n, f) for i, (n, f) in enumerate(zip(names, fields))]))
    append(t, [{"k": 1, "b": True, "i": 2147483647, "f": 1.5, "x": -2.25, "d": D("1234567890123456789012345678.0123456789"), "dt": datetime.date(1969, 12, 31),
                "ts": datetime.datetime(1969, 12, 31, 23, 59, 59, 999999), "tz": datetime.datetime(2024, 2, 29, 12, 0, 0, 1, UTC), "s": "Ж'\"\n",
                "bin": b"\x00\xff", "l": [1, None, 3], "m": {"a": 1, "b": None}, "st": {"a": 7, "b": "x"}},
               {"k": 2} | {n: None for n in names[1:]}])


def schema_evolution(catalog, name):
    t = catalog.create_table(name, Schema(
        NestedField(1, "k", IntegerType()), NestedField(2, "a", IntegerType()), NestedField(3, "f", FloatType()), NestedField(4, "d", DecimalType(9, 2)),
        NestedField(5, "gone", StringType()), NestedField(6, "s", StructType(NestedField(7, "x", IntegerType()), NestedField(8, "y", StringType())))))
    append(t, [{"k": 1, "a": 10, "f": 1.5, "d": D("12.34"), "gone": "gone", "s": {"x": 1, "y": "one"}}])
    with t.update_schema() as u:
        u.update_column("a", LongType()).update_column("f", DoubleType()).update_column("d", DecimalType(12, 2))
        u.rename_column("a", "amount").delete_column("gone").rename_column(("s", "y"), "name").add_column(("s", "z"), DoubleType())
    with t.update_schema() as u:
        u.add_column("gone", DateType()).move_after("gone", "k")
    append(t, [{"k": 2, "gone": datetime.date(2024, 2, 29), "amount": 5000000000, "f": 2.25, "d": D("1234567890.12"), "s": {"x": 2, "name": "two", "z": 0.5}}])


def partition_evolution(catalog, name):
    t = catalog.create_table(name, Schema(NestedField(1, "k", LongType()), NestedField(2, "p", StringType()), NestedField(3, "ts", TimestampType())))
    row = lambda k, p, day: {"k": k, "p": p, "ts": datetime.datetime(2024, 1, day, 12)}
    append(t, [row(1, "a", 1)])
    with t.update_spec() as u:
        u.add_field("p", IdentityTransform(), "p")
    append(t, [row(2, "a", 2), row(3, "b/ %", 3)])
    with t.update_spec() as u:
        u.add_field("k", BucketTransform(4), "k_bucket").add_field("ts", DayTransform(), "ts_day")
    append(t, [row(4, "a", 4), row(5, "", 5)])
    with t.update_spec() as u:
        u.remove_field("p").remove_field("ts_day").add_field("p", TruncateTransform(1), "p_trunc")
    append(t, [row(6, "long", 6), row(7, None, 7)])


def ten(catalog, name):
    t = catalog.create_table(name, Schema(NestedField(1, "k", LongType()), NestedField(2, "v", StringType())))
    append(t, [{"k": k, "v": f"v{k}"} for k in range(1, 6)])
    append(t, [{"k": k, "v": f"v{k}"} for k in range(6, 11)])
    return t


def copy_on_write(catalog, name):
    t = ten(catalog, name)
    t.delete(EqualTo("k", 3))
    t.overwrite(pa.Table.from_pylist([{"k": 7, "v": "seven"}], schema=t.schema().as_arrow()), overwrite_filter=EqualTo("k", 7))
    t.delete(EqualTo("k", 10))


def refs(catalog, name):
    t = catalog.create_table(name, Schema(NestedField(1, "k", LongType()), NestedField(2, "v", StringType())))
    append(t, [{"k": 1, "v": "first"}])
    first = t.current_snapshot().snapshot_id
    t.manage_snapshots().create_tag(first, "v1").create_branch(first, "dev").commit()
    append(t, [{"k": 2, "v": "dev"}], branch="dev")
    append(t, [{"k": 3, "v": "main"}])
