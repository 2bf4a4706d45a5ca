"""What recording costs, with and without a recorder in turns."""
import json
import re
import statistics
import subprocess
import time

from compositors import Compositor
from processes import Bench, cpu, wait_for
from recordings import Recording
from report import Report, Skip, say, spread


def check_overhead(road, quick):
    if quick:
        raise Skip("not with --quick")
    pairs = 9
    with Compositor("pixman") as compositor:
        if "egl" in road.draws:
            rates(
                road, compositor, "glmark2, build", ["glmark2-es2-wayland", "-b", "build:duration=2"],
                lambda run, seconds: float(
                    re.search(r"FPS: (\d+)", run.text(run.out) + run.text(run.err))[1]), pairs, 0.3)
        frames = 3000
        rates(
            road, compositor, "vkcube, MAILBOX",
            ["vkcube-wayland", "--c", str(frames), "--present_mode", "1"],
            lambda run, seconds: frames / seconds, pairs, 0.3)
        if road.sees_gpu:
            few = 180
            rates(
                road, compositor, "vkcube, FIFO", ["vkcube-wayland", "--c", str(few), "--present_mode", "2"],
                lambda run, seconds: few / seconds, pairs, 0.3)
        starts(road, compositor, pairs)
    clients = ["weston-simple-egl", "weston-presentation-shm"] if "egl" in road.draws else ["vkcube-wayland"]
    for client in clients:
        added_time(road, client, pairs)


def rates(road, compositor, name, words, rate, pairs, most):
    """Frame rates with and without a recorder, in turns, so that what changes meanwhile hits both."""
    alone, recorded = [], []
    for turn in range(pairs):
        say(f"{road.name}: {name}, {turn + 1} of {pairs}")
        for under in (None, road) if turn % 2 == 0 else (road, None):
            run = Recording(compositor, under, words, options=["--quiet"] if under else [])
            client = run.client()
            started = time.monotonic()
            # The recorder ends shortly after the program.
            wait_for(lambda: run.status is not None, 60, 0.001)
            seconds = time.monotonic() - started
            run.wait()
            (alone if under is None else recorded).append(rate(run, seconds))
    ratios = [b / a for a, b in zip(alone, recorded)]
    added = [1000 / b - 1000 / a for a, b in zip(alone, recorded)]
    median = statistics.median(added)
    Report.add(
        "overhead", f"{road.name}: {name}",
        f"{statistics.median(alone):.1f} fps, recorded {statistics.median(recorded):.1f}, ratio "
        f"{statistics.median(ratios):.3f} ({spread(ratios)}), {median:+.3f} ms a frame ({spread(added)})",
        pairs, median <= most, f"more than {most} ms a frame")


def starts(road, compositor, pairs):
    """How much later the first frames come: a recorder can have work to do with each new connection."""
    alone, recorded = [], []
    for turn in range(pairs):
        say(f"{road.name}: vkcube, 2 frames, {turn + 1} of {pairs}")
        for under in (None, road) if turn % 2 == 0 else (road, None):
            run = Recording(
                compositor, under, ["vkcube-wayland", "--c", "2", "--present_mode", "1"],
                options=["--quiet"] if under else [])
            run.client()
            started = time.monotonic()
            wait_for(lambda: run.status is not None, 60, 0.001)
            (alone if under is None else recorded).append(1000 * (time.monotonic() - started))
            run.wait()
    added = [b - a for a, b in zip(alone, recorded)]
    median = statistics.median(added)
    Report.add(
        "overhead", f"{road.name}: vkcube, 2 frames",
        f"{statistics.median(alone):.0f} ms, recorded {statistics.median(recorded):.0f} ms, {median:+.0f} ms "
        f"once ({spread(added)})", pairs, median <= 50, "more than 50 ms")


def added_time(road, client, pairs):
    """How much longer the way from the compositor through the program and back takes.

    The compositor itself says when it was done with a repaint, which lets the program go on, and when the
    next commit arrived.
    """
    name = f"{road.name}: {client}"
    words = [client] + (["--present_mode", "2"] if client.startswith("vkcube") else [])
    alone, recorded, load, rate = [], [], [], ([], [])
    with Compositor("pixman") as compositor:
        for turn in range(pairs):
            say(f"{name}, {turn + 1} of {pairs}")
            for under in (None, road) if turn % 2 == 0 else (road, None):
                run = Recording(compositor, under, words, options=["--quiet"] if under else [])
                run.client()
                time.sleep(1)
                used = cpu(run.process.pid)
                timeline = Bench.path("timeline")
                with open(timeline, "w") as file:
                    debug = Bench.start(
                        ["weston-debug", "timeline"], compositor.env(), stdout=file,
                        stderr=subprocess.DEVNULL)
                    time.sleep(3)
                    if under:
                        load.append((cpu(run.process.pid) - used) / 3)
                    Bench.stop(debug)
                run.interrupt()
                run.wait()
                times = ways(timeline)
                if len(times) < 60:
                    raise Skip(f"the compositor's timeline has {len(times)} frames only")
                (alone if under is None else recorded).append(statistics.median(times))
                rate[under is not None].append(len(times) / 3)
    added = [b - a for a, b in zip(alone, recorded)]
    median = statistics.median(added)
    Report.add(
        "overhead", name + ", 60 fps",
        f"repaint to commit {statistics.median(alone):.3f} ms, recorded {statistics.median(recorded):.3f}, "
        f"{median:+.3f} ms a frame ({spread(added)}), {100 * statistics.median(load):.1f} % of a core",
        pairs, median <= 0.1, "more than 0.1 ms at the median")
    rates_of = [statistics.median(values) for values in rate]
    Report.add(
        "overhead", name + ", rate", f"{rates_of[0]:.1f} fps, recorded {rates_of[1]:.1f}", pairs,
        rates_of[1] >= 0.99 * rates_of[0], "more than 1 % slower")


def ways(path):
    """The times from a repaint to the next commit, in ms, by the compositor's timeline."""
    found, posted = [], None
    with open(path, errors="replace") as file:
        for line in file:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            name = event.get("N")
            if name not in ("core_repaint_posted", "core_commit_damage"):
                continue
            at = event["T"][0] * 1000 + event["T"][1] / 1e6
            if name == "core_repaint_posted":
                posted = at
            elif posted is not None:
                found.append(at - posted)
                posted = None
    return found
