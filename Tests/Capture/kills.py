"""Whoever is killed, what was recorded until then can be read."""
import os
import random
import signal
import statistics
import subprocess
import time

from compositors import Compositor
from processes import Bench, SEED, end_orphans, now, own_orphans, wait_for
from recordings import Recording, Tool, clear, has_frame, is_message, lines_of
from report import Report, say


def check_kill(road, quick):
    count = 5 if quick else 50
    words = ["weston-presentation-shm"] if "shm" in road.draws else ["vkcube-wayland"]
    for target in ("recorder", "program", "compositor"):
        kill(road, words, target, count)


def kill(road, words, target, count):
    name = f"{road.name}: {target} killed"
    chance = random.Random(SEED + len(target))
    # The layer hands over a frame when its display is confirmed, or after a second.
    longest, most = (1.5, 250) if not road.sees_gpu else (3, 1200)
    reads = empty = hung = left = 0
    lost, troubles = [], []
    compositor = None
    for round in range(count):
        if round % 10 == 0:
            say(f"{name}, {round} of {count}")
        if compositor is None:
            compositor = Compositor("pixman")
        run = Recording(compositor, road, words, options=["--quiet"])
        started = now()
        delay = chance.uniform(0.05, longest)
        time.sleep(max(0, delay - (now() - started) / 1e9))
        pid = {
            "recorder": lambda: run.process.pid, "program": lambda: run.client(3),
            "compositor": compositor.pid}[target]()
        at = now()
        try:
            os.kill(pid, signal.SIGKILL)
        except (OSError, TypeError):
            troubles.append(f"no process to kill after {delay:.2f} s")
        if target == "compositor" and road.sees_gpu:
            # vkcube does not notice, even without a recorder.
            wait_for(lambda: run.process.poll() is not None, 0.5)
            run.interrupt()
        status = run.process.poll()
        try:
            status = run.process.wait(6)
        except subprocess.TimeoutExpired:
            hung += 1
        Bench.stop(run.process)
        # Programs notice that their compositor is gone; those that do not are left over. Weston's own helpers
        # also become orphans when it is killed.
        wait_for(lambda: not own_orphans(), 2)
        left += any(not each.startswith("weston-") or each == run.program[:15] for each in end_orphans())
        if target == "recorder":
            # A killed process cannot clean up after itself.
            compositor.sweep()
        if target == "compositor":
            compositor.stop()
            compositor = None
        elif target == "program" and compositor.leftovers():
            troubles.append("a socket or a folder is left")
            compositor.sweep()
        if target != "recorder" and status is not None and status not in (0, 65, 69):
            troubles.append(f"the recorder's status is {status} after {delay:.2f} s")
        framed = has_frame(road, run.path)
        info = Tool.run("info", run.path)
        analyzed = Tool.run("analyze", "--quiet", run.path)
        if info.returncode == 0:
            reads += 1
        elif info.returncode > 0 and clear(info.stderr) and not framed and delay < 1.5:
            empty += 1
        else:
            troubles.append(
                f"info exits {info.returncode} after {delay:.2f} s: {info.stderr.strip()[:60]}")
        if analyzed.returncode < 0 or analyzed.returncode != 0 and framed:
            troubles.append(f"analyze exits {analyzed.returncode} after {delay:.2f} s")
        last = last_time(road, lines_of(run.path))
        if target in ("recorder", "program") and framed and last and (road.sees_gpu or target == "recorder"):
            lost.append((at - last) / 1e6)
    if compositor is not None:
        compositor.stop()
    measured = f"read {reads}, nothing in it yet {empty}, hung {hung}, program left over {left}"
    if lost:
        measured += f", last line {statistics.median(lost):.0f} ms before ({max(lost):.0f} at most)"
        if max(lost) > most:
            troubles.append(f"more than {most} ms are lost")
    if hung:
        troubles.append("the recorder does not end")
    if left and target != "recorder":
        troubles.append("processes are left")
    Report.add(
        "kill", name, measured, count, not troubles and reads + empty == count,
        "; ".join(dict.fromkeys(troubles))[:300])


def last_time(road, lines):
    """When what was recorded last happened, or, where the layer records, when its last frame was drawn."""
    if not road.sees_gpu:
        return lines[-1][0] if lines and isinstance(lines[-1], list) else None
    times = [
        line[0] if isinstance(line, list) else line["commit"] for line in lines
        if isinstance(line, list) and is_message(line, "vulkan", "frame")
        or isinstance(line, dict) and line.get("type") == "frame" and "commit" in line]
    return max(times, default=None)
