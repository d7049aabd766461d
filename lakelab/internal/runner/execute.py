"""Executes one notebook and reports on standard output, one JSON object a line.

Arguments: notebook, where to write the executed one ("" for nowhere), kernel name, seconds a cell may take.
Events: {"event": "start", "cells": n} {"event": "cell", "done": i} {"event": "error", ...} {"event": "end"}.
"""
import json
import os
import re
import signal
import sys

# jsonschema imports it to check addresses, which notebooks don't have; its grammar takes 3 seconds to build.
sys.modules["rfc3987_syntax"] = None

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

path, out, kernel, timeout = sys.argv[1:5]


def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def stop(*_):
    raise KeyboardInterrupt


signal.signal(signal.SIGTERM, stop)

notebook = nbformat.read(path, as_version=4)
# The number of a code cell is the one in brackets beside it.
number = {}
for i, cell in enumerate(notebook.cells):
    if cell.cell_type == "code" and "".join(cell.source).strip():
        number[i] = len(number) + 1


def begun(cell, cell_index):
    global current
    current = cell_index


def finished(cell, cell_index):
    if cell_index in number:
        say("cell", done=number[cell_index])


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def failed(kind, message, trace=""):
    line = re.search(r"(?:[Ll]ine|строка) (\d+)", plain(trace))
    say("error", cell=number.get(current, 0), id=notebook.cells[current].get("id", ""), line=int(line.group(1)) if line else 0,
        name=kind, message=plain(message))


current = 0
client = NotebookClient(
    notebook,
    kernel_name=kernel,
    timeout=int(timeout),
    resources={"metadata": {"path": os.path.dirname(os.path.abspath(path))}},
    on_cell_start=begun,
    on_cell_executed=lambda cell, cell_index, execute_reply: finished(cell, cell_index),
)
say("start", cells=len(number))
status = 1
try:
    client.execute()
    status = 0
except CellExecutionError as e:
    outputs = [o for o in notebook.cells[current].get("outputs", []) if o.output_type == "error"]
    failed(e.ename, e.evalue, "\n".join(outputs[-1].traceback) if outputs else "")
except CellTimeoutError:
    failed("Timeout", "the cell took longer than %s seconds" % timeout)
except DeadKernelError:
    failed("DeadKernel", "the kernel died")
except KeyboardInterrupt:
    failed("Interrupted", "the run was stopped")
finally:
    if out:
        os.makedirs(os.path.dirname(out), exist_ok=True)
        nbformat.write(notebook, out)
say("end")
sys.exit(status)
