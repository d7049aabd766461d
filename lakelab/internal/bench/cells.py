"""Times warm cells of a kernel: cells.py KERNEL FOLDER. Prints JSON: for each kind of cell, the seconds of every run.

"new" cells differ from one another, so each is compiled and linked; "reused" ones repeat a source that was built before.
"""
import json, sys, time
from jupyter_client.manager import start_new_kernel

kernel, folder = sys.argv[1:3]
RUNS = 30
# Texts that no earlier run of this benchmark had built.
first = time.time_ns() % 1_000_000_000


def run(kc, code):
    start = time.monotonic()
    reply = kc.execute_interactive(code, timeout=120, output_hook=lambda m: None)
    took = time.monotonic() - start
    if reply["content"]["status"] != "ok":
        sys.exit(f"cell failed: {code}\n{reply['content']}")
    return took


km, kc = start_new_kernel(kernel_name=kernel, cwd=folder)
try:
    run(kc, 'import (\n\t"fmt"\n\t"mini-lakehouse-lab/lakelab"\n)\n\nvar spark = lakelab.NewSession("bench")')
    fmt = lambda i: f"%%\nfmt.Println({first + i})"
    sql = lambda i: f'%%\nspark.SQL("SELECT {first + i} AS n").Show()'
    for warm in range(3):
        run(kc, fmt(1000 + warm)), run(kc, sql(1000 + warm))
    out = {
        "fmt, new": [run(kc, fmt(i)) for i in range(RUNS)],
        "fmt, reused": [run(kc, fmt(i)) for i in range(RUNS)],
        "SQL, new": [run(kc, sql(i)) for i in range(RUNS)],
        "SQL, reused": [run(kc, sql(i)) for i in range(RUNS)],
    }
    print(json.dumps(out))
finally:
    kc.stop_channels()
    km.shutdown_kernel(now=False)
