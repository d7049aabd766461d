#!/usr/bin/env python3
"""Records what real PySpark answers to the snippets of the DataFrame suite.

Usage: record_dataframe.py [--all] [SUITE …], with a PySpark that has an Iceberg catalog `lakehouse`. The snippets stand beside their
Go in ../celldoor/behaviour_*_test.go; the tests write them to suite/*.pyspark.json (go test ./lakelab/engine/celldoor -run DataFrame
-snippets), this script fills in the answers that are missing, or all of them.

A snippet is Python whose last line is an expression. The answer is one of: a DataFrame's dtypes, schema tree and show(); the repr
of another value; what was printed, for None; the error.
"""
import contextlib, io, json, re, sys, textwrap
from pathlib import Path
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.classic.dataframe import DataFrame as ClassicDataFrame

here = Path(__file__).parent / "suite"


def answer(snippet, scope):
    lines = textwrap.dedent(snippet).strip().split("\n")
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec("\n".join(lines[:-1]), scope)
            value = eval(lines[-1], scope)
            if isinstance(value, (DataFrame, ClassicDataFrame)):
                shown = io.StringIO()
                with contextlib.redirect_stdout(shown):
                    value.show()
                return {"dtypes": value.dtypes, "tree": value._jdf.schema().treeString(), "show": shown.getvalue()}
        return {"printed": out.getvalue()} if value is None else {"value": repr(value)}
    except PySparkException as e:
        return {"error": {"exception": type(e).__name__, "class": e.getCondition() or "", "message": e.getMessage() or str(e)}}
    except Exception as e:
        text = str(e)
        m = re.search(r"^: ([\w.$]+): (.*)$", text, re.M)
        name, message = (m[1].split(".")[-1], m[2]) if m else (type(e).__name__, text.split("\n")[0])
        return {"error": {"exception": name, "class": "", "message": message}}


def record(spark, path, every):
    suite = json.loads(path.read_text())
    if not every and all(c.get("answer") for c in suite["cases"]):
        return
    scope = {"spark": spark}
    exec(suite["setup"], scope)
    for case in suite["cases"]:
        if every or case.get("answer") is None:
            got = json.dumps(answer(case["python"], dict(scope)))
            for folder in ("dir", "out"):  # of the setup; they have other names each time
                if folder in scope:
                    got = got.replace(scope[folder], "${" + folder + "}")
            case["answer"] = json.loads(got)
    path.write_text(json.dumps(suite, ensure_ascii=False, indent=1) + "\n")
    print(f"{path.name}: {len(suite['cases'])} snippets, {sum('error' in c['answer'] for c in suite['cases'])} errors")


def main(args):
    spark = SparkSession.builder.appName("record").config("spark.sql.shuffle.partitions", "2").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    names = [a for a in args if a != "--all"]
    for path in sorted(here.glob("*.pyspark.json")):
        if not names or path.name.removesuffix(".pyspark.json") in names:
            record(spark, path, "--all" in args)
    spark.stop()


main(sys.argv[1:])
