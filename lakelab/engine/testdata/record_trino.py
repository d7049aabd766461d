#!/usr/bin/env python3
"""Records what a real Trino 476 answers to the statements in trino/*.sql, as trino/*.json.

Usage: record_trino.py URL [FILE …], such as record_trino.py http://127.0.0.1:8080 literals, with a Trino that has an Iceberg
catalog `lakehouse` and the catalog `tpch`. The schema lakehouse.suite is dropped and made anew for each file.

A file has one statement on a line; lines that begin with -- are comments. <<a ;; b>> in a line stands for a and for b: such a
line becomes a statement for each, and with several of them for each combination. The answer holds the columns with their types,
the rows as they are on the wire, the update type and count, what the last page's headers change in the session, or the error's
name, code, message and place.
"""
import itertools, json, re, sys, urllib.parse, urllib.request
from pathlib import Path

here = Path(__file__).parent / "trino"
CAPABILITIES = "PATH,PARAMETRIC_DATETIME,SESSION_AUTHORIZATION"


class Session:
    """A client's session: it follows the answers as real clients do."""

    def __init__(self, url):
        self.url, self.catalog, self.schema, self.transaction = url, "lakehouse", "suite", "NONE"
        self.path = ""
        self.properties, self.prepared = {}, {}

    def request(self, method, url, body=None):
        headers = {
            "X-Trino-User": "suite", "X-Trino-Source": "suite", "X-Trino-Catalog": self.catalog, "X-Trino-Schema": self.schema,
            "X-Trino-Time-Zone": "UTC", "X-Trino-Client-Capabilities": CAPABILITIES, "X-Trino-Transaction-Id": self.transaction,
            "X-Trino-Path": self.path, "X-Trino-Session": pairs(self.properties), "X-Trino-Prepared-Statement": pairs(self.prepared),
        }
        headers = {k: v for k, v in headers.items() if v}
        request = urllib.request.Request(url, data=body, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=300) as r:
            return json.load(r), r.headers

    def follow(self, headers):
        """Applies the session changes of a page and returns them."""
        changes = {}
        for name in ("Set-Catalog", "Set-Schema", "Set-Path", "Set-Session", "Clear-Session", "Added-Prepare", "Deallocated-Prepare",
                     "Started-Transaction-Id", "Clear-Transaction-Id"):
            for value in headers.get_all("X-Trino-" + name) or []:
                key, _, text = value.partition("=")
                text = urllib.parse.unquote_plus(text)
                if name == "Set-Catalog":
                    self.catalog = value
                elif name == "Set-Schema":
                    self.schema = value
                elif name == "Set-Path":
                    self.path = value
                elif name == "Set-Session":
                    self.properties[key] = text
                elif name == "Clear-Session":
                    self.properties.pop(value, None)
                elif name == "Added-Prepare":
                    self.prepared[key] = text
                    value = key  # Trino formats the statement anew
                elif name == "Deallocated-Prepare":
                    self.prepared.pop(value, None)
                elif name == "Started-Transaction-Id":
                    self.transaction, value = value, "<id>"
                else:
                    self.transaction = "NONE"
                changes[name] = urllib.parse.unquote_plus(value)
        return changes

    def run(self, sql):
        page, headers = self.request("POST", self.url + "/v1/statement", sql.encode())
        out, rows = {"sql": sql}, []
        changes = self.follow(headers)
        while True:
            if page.get("columns") is not None and "columns" not in out:
                out["columns"] = [[c["name"], c["type"]] for c in page["columns"]]
            rows += page.get("data") or []
            if "nextUri" not in page:
                break
            page, headers = self.request("GET", page["nextUri"])
            changes |= self.follow(headers)
        if e := page.get("error"):
            place, message = e.get("errorLocation"), e["message"]
            if self.transaction != "NONE":
                message = message.replace(self.transaction, "<id>")
            return {"sql": sql, "error": {"name": e["errorName"], "code": e["errorCode"], "message": message}
                    | ({"line": place["lineNumber"], "column": place["columnNumber"]} if place else {})}
        if rows:
            out["rows"] = rows
        for k in ("updateType", "updateCount"):
            if page.get(k) is not None:
                out[k] = page[k]
        if changes:
            out["changes"] = changes
        return out


def pairs(values):
    return ",".join(k + "=" + urllib.parse.quote_plus(v) for k, v in values.items())


def expand(line):
    """Yields the statements that a line stands for."""
    parts = re.split(r"<<(.*?)>>", line)
    choices = [p.split(" ;; ") if i % 2 else [p] for i, p in enumerate(parts)]
    for combination in itertools.product(*choices):
        yield "".join(combination)


def statements(path):
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("--"):
            yield from expand(line)


def clean(session):
    """Makes lakehouse.suite anew."""
    made = session.run("SHOW TABLES FROM lakehouse.suite")
    for (name,) in made.get("rows", []):
        if "error" in session.run(f'DROP VIEW IF EXISTS lakehouse.suite."{name}"'):
            session.run(f'DROP TABLE IF EXISTS lakehouse.suite."{name}"')
    session.run("DROP SCHEMA IF EXISTS lakehouse.suite")
    session.run("CREATE SCHEMA lakehouse.suite")


def main(url, names):
    for path in sorted(here.glob("*.sql")):
        if names and path.stem not in names:
            continue
        clean(Session(url))
        session = Session(url)
        answers = [session.run(s) for s in statements(path)]
        text = ",\n".join(json.dumps(a, ensure_ascii=False) for a in answers)
        (here / f"{path.stem}.json").write_text("[\n" + text + "\n]\n")
        print(path.stem, len(answers), "statements,", sum("error" in a for a in answers), "errors")


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2:])
