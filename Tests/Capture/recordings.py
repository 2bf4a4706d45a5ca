"""A program under a recorder, and what is in the file."""
import json
import os
import re
import signal
import subprocess

from processes import Bench, children, comm, wait_for


class Tool:
    path = None

    @classmethod
    def run(cls, *words, seconds=120):
        return subprocess.run(
            [cls.path] + list(words), capture_output=True, text=True, timeout=seconds,
            stdin=subprocess.DEVNULL)


def lines_of(path):
    """The lines of a recording that are whole."""
    found = []
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return found
    for line in data.split(b"\n")[:-1]:
        try:
            found.append(json.loads(line))
        except ValueError:
            pass
    return found


def is_message(line, interface, name):
    return isinstance(line, list) and len(line) == 7 and line[4 - 1] == interface and line[5] == name


def commits_in(lines):
    return sum(is_message(line, "wl_surface", "commit") for line in lines)


def has_frame(road, path):
    """Whether a frame has been recorded."""
    if road.sees_wire:
        attached = False
        for line in lines_of(path):
            attached = attached or is_message(line, "wl_surface", "attach")
            if attached and is_message(line, "wl_surface", "commit"):
                return True
        return False
    return bool(lines_of(path)) and Tool.run("info", path).returncode == 0


def analysis(*paths, options=()):
    """What is measured in a recording, with its surfaces, the busiest one first."""
    run = Tool.run("analyze", "--quiet", "--format", "json", *options, *paths)
    if run.returncode != 0:
        return None
    result = json.loads(run.stdout)
    result["surfaces"].sort(key=lambda surface: -surface["frames"]["count"])
    return result


def drops_in(result):
    """The dropped refreshes of the busiest surface, with their times on the clock of the stops."""
    if not result or not result["surfaces"]:
        return []
    start = result["trace"]["start_ns"]
    surface = result["surfaces"][0]
    drops = (surface["dropped"] or {}).get("drops") or []
    return [dict(drop, at=start + drop["t_ms"] * 1e6) for drop in drops]


class Recording:
    """A program under a recorder, or, without a road, alone."""

    def __init__(
        self, compositor, road, words, options=(), path=None, log=False, env=None, name="recording"
    ):
        self.road = road
        self.path = path or Bench.path(re.sub("[^a-zA-Z0-9]+", "-", name) + ".jsonl")
        self.out = Bench.path("out")
        self.err = Bench.path("err")
        self.status_file = Bench.path("status")
        # The recorder shows the program's output among its own messages.
        self.words = [
            "sh", "-c", 'o=$1 e=$2 s=$3; shift 3; "$@" >"$o" 2>"$e"; echo $? >"$s"', "sh",
            self.out, self.err, self.status_file] + list(words)
        changes = dict(env or {})
        if log:
            changes["WAYLAND_DEBUG"] = "1"
        start = [] if road is None else (
            [Tool.path] + road.arguments + list(options) + ["-o", self.path, "--"])
        self.said = Bench.path("said")
        with open(self.said, "w") as file:
            self.process = Bench.start(
                start + self.words, compositor.env(**changes), stdout=file, stderr=file)
        self.program = os.path.basename(words[0])

    def client(self, seconds=10):
        """The program's process: what the shell started."""
        def found():
            shell = self.process.pid
            if self.road is not None:
                shells = [pid for pid in children(shell) if comm(pid) == "sh"]
                if not shells:
                    return None
                shell = shells[0]
            # Between fork and exec, the new process still has the shell's name.
            started = [pid for pid in children(shell) if comm(pid) != "sh" or self.program == "sh"]
            return started[0] if started else None
        return wait_for(found, seconds, 0.002)

    def interrupt(self):
        client = self.client(2)
        if client:
            os.kill(client, signal.SIGINT)

    def wait(self, seconds=30):
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        Bench.stop(self.process)
        return status

    @property
    def status(self):
        try:
            with open(self.status_file) as file:
                return int(file.read().strip() or -1)
        except (OSError, ValueError):
            return None

    def text(self, path):
        try:
            with open(path, errors="replace") as file:
                return file.read()
        except OSError:
            return ""


def clear(text):
    """Whether a refusal is one line, and one of help at most."""
    lines = [line for line in text.strip().splitlines() if line]
    return 1 <= len(lines) <= 2 and lines[0].startswith("error: ") and (
        len(lines) == 1 or lines[1].startswith("help: "))


def frames_of(result):
    return sum(s["frames"]["count"] for s in result["surfaces"]) if result else 0
