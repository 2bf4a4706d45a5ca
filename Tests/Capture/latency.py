"""A terminal that measures its own way from a key to the display."""
import os
import random
import re
import signal
import statistics
import time

from compositors import Compositor
from processes import Bench, SEED, end_orphans
from recordings import Recording, Tool, analysis, lines_of
from report import Report, Skip, say, spread, within

FOOT = re.compile(r"input - (\d+) µs -> commit - (\d+) µs -> presented \(total: (\d+) µs\)")


def check_foot(road, quick):
    if "shm" not in road.draws:
        return
    presses = 10 if quick else 40
    for kind in ("x11", "sway"):
        name = f"{road.name}: foot on {kind}"
        say(name)
        try:
            foot(road, kind, name, presses)
        except Skip as skip:
            Report.add("foot", name, "", 0, None, str(skip))
        end_orphans()


def matched(says, tells):
    """Presses of both in order, one beside the other. Foot names no times of day, and a press can be missing."""
    skip = 50.0
    best = [[(0.0, None)] * (len(tells) + 1) for _ in range(len(says) + 1)]
    for row in range(len(says) + 1):
        for column in range(len(tells) + 1):
            choices = []
            if row and column:
                apart = abs(says[row - 1][2] - tells[column - 1][2])
                choices.append((best[row - 1][column - 1][0] + apart, "pair"))
            if row:
                choices.append((best[row - 1][column][0] + skip, "says"))
            if column:
                choices.append((best[row][column - 1][0] + skip, "tells"))
            if choices:
                best[row][column] = min(choices)
    pairs, row, column = [], len(says), len(tells)
    while row or column:
        step = best[row][column][1]
        if step == "pair":
            pairs.append((says[row - 1], tells[column - 1]))
        row -= step in ("pair", "says")
        column -= step in ("pair", "tells")
    return pairs[::-1]


def foot(road, kind, name, presses):
    chance = random.Random(SEED)
    with Compositor(kind) as compositor:
        run = Recording(
            compositor, road, ["foot", "--config=/dev/null", "--presentation-timings", "cat"],
            options=["--quiet"], name=name)
        run.client()
        time.sleep(1.5)
        compositor.x.focus()
        time.sleep(0.5)
        for _ in range(presses):
            compositor.x.tool("key", "a")
            time.sleep(0.2 + 0.1 * chance.random())
        time.sleep(0.3)
        client = run.client(1)
        if client:
            os.kill(client, signal.SIGTERM)
        run.wait()
    says = [
        tuple(int(part) / 1000 for part in found)
        for found in FOOT.findall(run.text(run.err) + run.text(run.out))]
    native = Bench.path("foot.jsonl")
    converted = Tool.run("convert", "--quiet", run.path, native)
    if converted.returncode != 0:
        Report.add("foot", name, "cannot be converted", 0, False, converted.stderr.strip()[:80])
        return
    records = lines_of(native)
    frames = {}
    for record in records:
        if record.get("type") == "frame":
            frames.setdefault(record["surface"], []).append(record)
    tells = []
    for record in records:
        if record.get("device") == "key" and record.get("phase") == "began" and "frame" in record:
            frame = frames[record["surface"]][record["frame"]]
            if "displayed" in frame and "commit" in frame:
                pressed, commit, shown = record["delivered"], frame["commit"], frame["displayed"]
                tells.append(tuple(
                    each / 1e6 for each in (
                        commit - pressed, shown - commit, shown - pressed,
                        commit - frame.get("appStart", pressed))))
    if not says:
        raise Skip("foot printed no latencies: no key reached it")
    pairs = matched(says, tells)
    if abs(len(says) - len(tells)) > presses // 10 or len(pairs) < 0.8 * presses:
        Report.add(
            "foot", name, f"foot prints {len(says)}, recorded {len(tells)}", len(pairs), False,
            "presses are missing")
        return
    off = [abs(ours[2] - foots[2]) for foots, ours in pairs]
    off_commit = [abs(ours[1] - foots[1]) for foots, ours in pairs]
    off_start = [abs(ours[3] - foots[0]) for foots, ours in pairs]
    close = sum(value <= 0.3 for value in off)
    good = statistics.median(off) <= 0.3 and close >= 0.9 * len(off)
    result = analysis(run.path)
    median = None
    if result:
        for surface in result["surfaces"]:
            median = median or surface["metrics"]["inputToPhoton"].get("p50")
    Report.add(
        "foot", name + ", key to display",
        f"foot {statistics.median(s[2] for s in says):.3f} ms, recorded "
        f"{statistics.median(t[2] for t in tells):.3f} ms, apart {statistics.median(off):.3f} ms "
        f"({spread(off)}), {close} within 0.3 ms", len(pairs), good, "more than 0.3 ms apart")
    Report.add(
        "foot", name + ", commit to display",
        f"apart {statistics.median(off_commit):.3f} ms ({spread(off_commit)})", len(pairs),
        statistics.median(off_commit) <= 0.3, "more than 0.3 ms apart")
    Report.add(
        "foot", name + ", start to commit",
        f"foot {statistics.median(s[0] for s in says):.3f} ms, recorded "
        f"{statistics.median(t[3] for t in tells):.3f} ms, apart {statistics.median(off_start):.3f} ms "
        f"({spread(off_start)})", len(pairs),
        statistics.median(off_start) <= 0.3 and sum(value <= 1 for value in off_start) >= 0.9 * len(pairs),
        "more than 0.3 ms apart, or 1 ms for one in ten")
    Report.add(
        "foot", name + ", inputToPhoton",
        f"median {median:.3f} ms" if median else "none",
        len(tells), median is not None and within(median, 0.1, statistics.median(s[2] for s in says)),
        "not within 10 % of foot's")
    dropped = {}
    for surface in result["surfaces"] if result else []:
        for drop in (surface["dropped"] or {}).get("drops") or []:
            if drop["t_ms"] > 1000:
                dropped[drop["stage"]] = dropped.get(drop["stage"], 0) + drop["count"]
    total = sum(dropped.values())
    Report.add(
        "foot", name + ", drops while it waits",
        f"{total} refreshes " + " ".join(f"{k}: {v}" for k, v in dropped.items()), len(pairs),
        total <= len(pairs) // 10, "a terminal that waits for keys drops nothing")
