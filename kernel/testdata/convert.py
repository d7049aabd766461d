"""Runs `jupyter nbconvert` with each line of arguments from stdin (a JSON array of arrays) and prints status and output.

Importing nbconvert takes most of its time, so it is imported once and every run is a fork.
"""

import json
import os
import sys
import tempfile

from nbconvert.nbconvertapp import main
import nbconvert.exporters.notebook  # noqa: F401
import nbconvert.preprocessors.execute  # noqa: F401


def start(args):
    log = tempfile.TemporaryFile()
    pid = os.fork()
    if pid:
        return pid, log
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    status = 0
    try:
        main(argv=args)
    except SystemExit as e:
        status = e.code if isinstance(e.code, int) else int(e.code is not None)
    except BaseException as e:
        # As the interpreter would end.
        print(e, file=sys.stderr)
        status = 1
    sys.stderr.flush()
    sys.stdout.flush()
    os._exit(status)


runs = json.load(sys.stdin)
results = [None] * len(runs)
running = {}
todo = list(enumerate(runs))
while todo or running:
    while todo and len(running) < 3:
        i, args = todo.pop(0)
        pid, log = start(args)
        running[pid] = (i, log)
    pid, status = os.wait()
    i, log = running.pop(pid)
    log.seek(0)
    results[i] = {"status": os.waitstatus_to_exitcode(status), "output": log.read().decode(errors="replace")}
json.dump(results, sys.stdout)
