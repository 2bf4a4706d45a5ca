"""Every way that a recording ends."""
import os
import signal
import subprocess
import time

from compositors import Compositor
from processes import Bench, children, end_orphans, environment, own_orphans, wait_for
from recordings import Tool, analysis, clear, frames_of
from report import Report


def check_stop(road, quick):
    draw = "weston-simple-shm" if "shm" in road.draws else "vkcube-wayland"
    deaf = f"trap '' TERM INT; {draw} & sleep 60 & wait; wait"
    brood = f"sleep 61 & {draw}"
    with Compositor("pixman") as compositor:
        cases = [
            ("SIGINT", [draw], [], signal.SIGINT, {0}, (1.4, 2.5), None),
            ("SIGTERM", [draw], [], signal.SIGTERM, {0}, (1.4, 2.5), None),
            ("SIGHUP", [draw], [], signal.SIGHUP, {0}, (1.4, 2.5), None),
            ("--duration 1.5", [draw], ["--duration", "1.5"], None, {0}, (1.4, 2.5), None),
            ("the program ends", ["timeout", "-s", "INT", "1.5", draw], [], None, {0}, (1.4, 2.5), None),
            ("the program fails with 3",
             ["sh", "-c", f"timeout -s INT 1.5 {draw}; exit 3"], [], None, {0}, (1.4, 2.5), "status 3"),
            ("the program crashes", [draw], [], "crash", {139}, (1.4, 2.8), "signal 11"),
            ("it fails before it draws", ["sh", "-c", "exit 3"], [], None, {65}, (0, 1), "status 3"),
            ("it is not there", ["/no/such/program"], [], None, {69}, (0, 1), "cannot be started"),
            ("it does not listen", ["sh", "-c", deaf], ["--duration", "1.5"], None, {0}, (3, 5), None),
            ("it has children", ["sh", "-c", brood], ["--duration", "1.5"], None, {0}, (1.4, 4), None),
            ("it leaves a child behind", ["sh", "-c", f"sleep 62 & timeout -s INT 1.5 {draw}"], [], None,
             {0}, (1.4, 4), None),
            ("SIGINT twice", [draw], [], "twice", {0, 130, -2}, (1.4, 4), None),
        ]
        for case in cases:
            stop(road, compositor, *case)
        stop_without_compositor(road, compositor)


def stop(road, compositor, name, words, options, number, allowed, seconds, note):
    path = Bench.path("stop.jsonl")
    said = Bench.path("said")
    started = time.monotonic()
    with open(said, "w") as file:
        process = Bench.start(
            [Tool.path] + road.arguments + options + ["-o", path, "--"] + words, compositor.env(),
            stdout=file, stderr=file)
    if number:
        time.sleep(1.5)
        if number == "crash":
            os.kill(children(process.pid)[0], signal.SIGSEGV)
        else:
            for _ in range(2 if number == "twice" else 1):
                os.kill(process.pid, signal.SIGINT if number == "twice" else number)
                time.sleep(0.02)
    troubles = []
    try:
        status = process.wait(20)
    except subprocess.TimeoutExpired:
        status = None
        troubles.append("the recorder does not end")
    took = time.monotonic() - started
    Bench.stop(process)
    with open(said, errors="replace") as file:
        text = file.read()
    if status is not None and status not in allowed:
        troubles.append(f"status {status}, expected {' or '.join(map(str, sorted(allowed)))}")
    if not seconds[0] <= took <= seconds[1]:
        troubles.append(f"took {took:.1f} s, expected {seconds[0]} to {seconds[1]}")
    if note and note not in text:
        troubles.append(f"does not say {note}: {text.strip()[-80:]}")
    wait_for(lambda: not own_orphans(), 0.3)
    left = end_orphans()
    if left:
        troubles.append(f"left running: {', '.join(left)}")
    sockets = compositor.leftovers()
    compositor.sweep()
    if sockets:
        troubles.append(f"left behind: {', '.join(sockets)}")
    frames = 0
    if 69 in allowed:
        if os.path.exists(path):
            troubles.append("an empty file is left")
    elif 65 not in allowed:
        frames = frames_of(analysis(path))
        if frames < 50:
            troubles.append(f"{frames} frames in the file")
    Report.add(
        "stop", f"{road.name}: {name}", f"status {status}, after {took:.2f} s, {len(left)} processes and "
        f"{len(sockets)} sockets or folders left", frames, not troubles, "; ".join(troubles)[:300])


def stop_without_compositor(road, compositor):
    """There is nothing to record without a compositor, and that has to be said before anything starts."""
    mark = Bench.path("mark")
    run = subprocess.run(
        [Tool.path] + road.arguments + ["-o", Bench.path("x.jsonl"), "--", "touch", mark],
        env=environment(WAYLAND_DISPLAY="nobody"), capture_output=True, text=True, timeout=30)
    if road.sees_wire:
        Report.add(
            "stop", f"{road.name}: there is no compositor", f"status {run.returncode}", 0,
            run.returncode == 69 and clear(run.stderr) and not os.path.exists(mark),
            f"expected 69 and one line, found {run.stderr.strip()[:80]}")
