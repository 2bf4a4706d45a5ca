"""Processes that are started, found and ended, and the folder that they work in."""
import atexit
import ctypes
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from report import say

SEED = 20261123


def now():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def comm(pid):
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().strip()
    except OSError:
        return ""


def stat_fields(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def is_alive(pid):
    fields = stat_fields(pid)
    return fields is not None and fields[0] not in "ZX"


def children(pid):
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(path) as file:
                found += [int(word) for word in file.read().split()]
        except OSError:
            pass
    return found


def descendants(pid):
    found = []
    for child in children(pid):
        found += [child] + descendants(child)
    return found


def wait_for(condition, seconds, step=0.01):
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() >= end:
            return value
        time.sleep(step)


def end(process, patience=3):
    """Ends a process that this script has started, and its group."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            pass
    for pid in [process.pid] + descendants(process.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    process.wait()


def own_orphans():
    """What was left behind by processes that have ended: this script is their parent then."""
    found = []
    for pid in children(os.getpid()):
        if pid in Bench.known:
            continue
        try:
            if os.waitpid(pid, os.WNOHANG)[0] == pid:
                continue
        except ChildProcessError:
            continue
        found.append(pid)
    return found


def end_orphans():
    """Ends what is left behind. Returns the names."""
    names = []
    for pid in own_orphans():
        names.append(comm(pid))
        for each in [pid] + descendants(pid):
            try:
                os.kill(each, signal.SIGKILL)
            except OSError:
                pass
        wait_for(lambda: pid not in own_orphans(), 2)
    return names


class Bench:
    """The temporary folder, and what runs in it."""

    known = set()
    running = []
    folder = None
    keeps = False
    count = 0
    # Whether endless loops run beside the checks.
    is_busy = False

    @classmethod
    def make_busy(cls, count):
        cls.is_busy = count > 0
        for _ in range(count):
            cls.start(["sh", "-c", "while :; do :; done"], dict(os.environ))

    @classmethod
    def set_up(cls, folder):
        # This script adopts orphans, so that none is overlooked.
        if ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0) != 0:
            say("cannot take orphans over: what is left behind will not be seen")
        cls.keeps = folder is not None
        if folder:
            os.makedirs(folder, exist_ok=True)
        cls.folder = os.path.realpath(folder) if folder else tempfile.mkdtemp(prefix="capture-tests-")
        # A compositor may run as another user.
        os.chmod(cls.folder, 0o755)
        atexit.register(cls.tear_down)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, frame: sys.exit(128 + number))

    @classmethod
    def tear_down(cls):
        for process in reversed(cls.running):
            end(process)
        end_orphans()
        subprocess.run(["umount", "-q", f"{cls.folder}/full"], stderr=subprocess.DEVNULL)
        if not cls.keeps:
            shutil.rmtree(cls.folder, ignore_errors=True)

    @classmethod
    def path(cls, name):
        cls.count += 1
        return f"{cls.folder}/{cls.count}-{name}"

    @classmethod
    def runtime(cls):
        path = f"{cls.folder}/run"
        os.makedirs(path, 0o700, exist_ok=True)
        return path

    @classmethod
    def start(cls, words, env, **options):
        process = subprocess.Popen(
            words, env=env, stdin=subprocess.DEVNULL, start_new_session=True, **options)
        cls.known.add(process.pid)
        cls.running.append(process)
        return process

    @classmethod
    def stop(cls, process):
        end(process)
        if process in cls.running:
            cls.running.remove(process)


def environment(**changes):
    """No variable of the caller's session reaches the programs."""
    env = {
        name: value for name, value in os.environ.items()
        if not name.startswith(("WAYLAND", "XDG_", "DISPLAY", "SDL_", "WLR_", "SWAY", "VK_"))
    }
    home = f"{Bench.folder}/home"
    os.makedirs(home, exist_ok=True)
    env.update(XDG_RUNTIME_DIR=Bench.runtime(), HOME=home, LC_ALL="C.UTF-8")
    env.update(changes)
    return env


def cpu(pid):
    """The processor time that a process has taken, in seconds."""
    fields = stat_fields(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0
