"""Drives a kernel through jupyter_client: steps come as JSON on stdin, one result for each goes to stdout as JSON.

A step is one of
  {"run": CODE, "during": ACTION, "after": SECONDS, "input": TEXT}   executes; ACTION happens SECONDS after its first output;
                                                                     "pause": nothing is read before these seconds
  {"runs": [CODE…]}                                                  sends all at once, as "Run All" does
  {"complete": CODE} / {"inspect": CODE}                             the cursor stands at "|"
  {"do": ACTION}
  {"gopls": BOOLEAN}                                                 whether gopls runs; true: after JupyterLab's greeting
ACTION: interrupt, signal, restart, shutdown, term, kill-kernel, kill-gonb, kill-cell.
"""

import glob
import json
import os
import queue
import signal
import sys
import threading
import time

from jupyter_client import KernelManager


class Driver:
    def __init__(self, kernel):
        self.manager = KernelManager(kernel_name=kernel)
        self.manager.start_kernel()
        self.connect()

    def connect(self):
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def act(self, action):
        self.acted = time.time()
        if action == "interrupt":
            self.manager.interrupt_kernel()
        elif action == "signal":
            os.kill(self.manager.provisioner.pid, signal.SIGINT)
        elif action == "restart":
            self.client.stop_channels()
            self.manager.restart_kernel(now=False)
            self.connect()
        elif action == "shutdown":
            self.manager.shutdown_kernel(now=False)
        elif action == "term":
            os.kill(self.manager.provisioner.pid, signal.SIGTERM)
        elif action == "kill-kernel":
            os.kill(self.manager.provisioner.pid, signal.SIGKILL)
        elif action == "kill-gonb":
            for pid in descendants(self.manager.provisioner.pid):
                if name(pid).startswith("gonb\0--kernel") or "/gonb\0--kernel" in name(pid):
                    os.kill(pid, signal.SIGKILL)
        elif action == "kill-cell":
            for pid in descendants(self.manager.provisioner.pid):
                if exe(pid).endswith(".cell"):
                    os.kill(pid, signal.SIGKILL)
        else:
            raise ValueError(action)

    def collect(self, msg_id, step):
        out = {"order": [], "displays": 0}
        text = {"stdout": [], "stderr": []}
        acted = "during" not in step
        ended = None
        timer = None
        if step.get("at_once") and step.get("pause"):
            acted = True
            timer = threading.Timer(step["after"], self.act, [step["during"]])
            timer.start()
        time.sleep(step.get("pause", 0))
        deadline = time.time() + step.get("timeout", 60)
        streams = 0
        while time.time() < deadline:
            if not self.manager.is_alive():
                out["status"] = "dead"
                break
            if "input" in step:
                try:
                    self.client.get_stdin_msg(timeout=0.01)
                    self.client.input(step["input"])
                except queue.Empty:
                    pass
            try:
                msg = self.client.get_iopub_msg(timeout=0.2)
            except queue.Empty:
                continue
            if msg["parent_header"].get("msg_id") != msg_id:
                continue
            kind, content = msg["msg_type"], msg["content"]
            out["order"].append(kind if kind != "status" else content["execution_state"])
            if kind == "stream":
                streams += 1
                text[content["name"]].append(content["text"])
            elif kind == "display_data":
                out["displays"] += 1
                out["size"] = sum(len(v) for v in content["data"].values())
            elif kind == "error":
                out["error"] = content
                ended = msg["header"]["date"].timestamp()
            elif kind == "status" and content["execution_state"] == "idle":
                break
            if not acted and (kind == "stream" or step.get("at_once")):
                acted = True
                timer = threading.Timer(step.get("after", 0), self.act, [step["during"]])
                timer.start()
        else:
            out["status"] = "timeout"
        if timer:
            timer.join()
            # By the kernel's clock: on a busy machine this program reads what came before much later.
            out["waited"] = (ended or time.time()) - self.acted
        out["streams"] = streams
        if self.manager.is_alive():
            out["rss"] = sum(peak(p) for p in [self.manager.provisioner.pid] + descendants(self.manager.provisioner.pid) if "--kernel" in name(p) or "\0kernel\0" in name(p))
        for stream, parts in text.items():
            joined = "".join(parts)
            out[stream], out[stream + "_size"] = joined[:4000], len(joined)
            out[stream + "_end"] = joined[-200:]
            out["broken"] = out.get("broken", 0) + joined.count("\ufffd")
        return out

    def step(self, step):
        if "run" in step:
            start = time.time()
            msg_id = self.client.execute(step["run"], allow_stdin="input" in step, stop_on_error=step.get("stop_on_error", True))
            out = self.collect(msg_id, step)
            if "status" not in out:
                out["status"] = self.reply(msg_id)["status"]
            out["seconds"] = time.time() - start
            return out
        if "runs" in step:
            ids = [self.client.execute(code) for code in step["runs"]]
            return {"all": [self.reply(i)["status"] for i in ids]}
        for kind in ("complete", "inspect"):
            if kind in step:
                code = step[kind]
                pos = step.get("pos", code.find("|"))
                content = getattr(self.client, kind)(code.replace("|", ""), pos)
                reply = self.reply(content)
                reply["busy"] = self.busy(content)
                if kind == "complete" and "pos" not in step:
                    reply["replaced"] = code.replace("|", "")[reply["cursor_start"]:reply["cursor_end"]]
                return reply
        if "gopls" in step:
            if step["gopls"]:
                self.client.session.username = ""
                self.reply(self.client.kernel_info())
            deadline = time.time() + (60 if step["gopls"] else 1)
            while time.time() < deadline and not self.gopls():
                time.sleep(0.2)
            return {"found": self.gopls()}
        self.act(step["do"])
        return {}

    def busy(self, msg_id):
        """For how long the kernel called itself busy with a request."""
        since = None
        while True:
            msg = self.client.get_iopub_msg(timeout=20)
            if msg["parent_header"].get("msg_id") == msg_id and msg["msg_type"] == "status":
                if msg["content"]["execution_state"] == "busy":
                    since = since or msg["header"]["date"]
                else:
                    return (msg["header"]["date"] - since).total_seconds()

    def gopls(self):
        # GoNB's, which our stand-in answers for at first, is called with arguments.
        return any(name(p).endswith("/gopls\0") for p in descendants(self.manager.provisioner.pid))

    def reply(self, msg_id):
        deadline = time.time() + 60
        while time.time() < deadline:
            msg = self.client.get_shell_msg(timeout=60)
            if msg["parent_header"].get("msg_id") == msg_id:
                return msg["content"]
        raise TimeoutError


def name(pid):
    try:
        return open(f"/proc/{pid}/cmdline").read()
    except OSError:
        return ""


def exe(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def peak(pid):
    """The most memory that a process had, in megabytes."""
    try:
        for line in open(f"/proc/{pid}/status"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) >> 10
    except OSError:
        pass
    return 0


def descendants(root):
    parents = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            text = open(path).read()
        except OSError:
            continue
        fields = text[text.rindex(")") + 2:].split()
        parents.setdefault(int(fields[1]), []).append(int(path.split("/")[2]))
    found, todo = [], [root]
    while todo:
        for child in parents.get(todo.pop(), []):
            found.append(child)
            todo.append(child)
    return found


def main():
    request = json.load(sys.stdin)
    driver = Driver(request["kernel"])
    try:
        results = [driver.step(s) for s in request["steps"]]
    finally:
        driver.client.stop_channels()
        if driver.manager.is_alive():
            driver.manager.shutdown_kernel(now=False)
    json.dump(results, sys.stdout)


main()
