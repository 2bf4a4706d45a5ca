"""Dropped refreshes are charged to whom the script has stopped."""
import os
import random
import signal
import time

from compositors import Compositor
from processes import SEED, Bench, end_orphans, now
from recordings import Recording, analysis, drops_in, is_message, lines_of
from report import Report, say

STOP = 0.060


def stop_often(pid, count, chance):
    """Stops a process again and again, at any phase of its frames. Returns when."""
    stops = []
    for _ in range(count):
        time.sleep(0.42 + 0.1 * chance.random())
        start = now()
        os.kill(pid, signal.SIGSTOP)
        time.sleep(STOP)
        os.kill(pid, signal.SIGCONT)
        stops.append((start, now()))
    time.sleep(0.5)
    return stops


def judge_stops(stops, drops, refresh):
    """For each stop, the stages that its dropped refreshes are charged to."""
    early, late = refresh, 3 * refresh
    found, elsewhere = [[] for _ in stops], 0
    for drop in drops:
        begin, over = drop["at"], drop["at"] + (drop["count"] - 1) * refresh
        for place, (start, stop) in enumerate(stops):
            if over >= start - early and begin <= stop + late:
                found[place].append(drop)
                break
        else:
            elsewhere += drop["count"]
    return found, elsewhere


def drawn_by_itself(drops):
    """Whether the graphics card was stopped: drawn in software, it is a part of the program."""
    return {drop["stage"] for drop in drops} <= {"app", "gpu"} and not any(
        drop["inferred"] for drop in drops if drop["stage"] == "gpu")


def is_fair(drops, target, length, refresh, road):
    """On a busy machine, whether no refresh that the stop alone explains is charged to another stage. Other delays are
    real there, and drops that cannot be judged are none."""
    own = {"app", "gpu"} if target == "app" and road.sees_gpu else {target}
    explained = sum(drop["count"] for drop in drops if drop["stage"] in own | {"unknown"})
    others = sum(drop["count"] for drop in drops if drop["stage"] not in own | {"unknown"})
    # A stop begins and ends at any place between two refreshes, and a frame that was ready needs none.
    return not others or explained >= length / refresh - 3


def check_blame(road, quick):
    count = 6 if quick else 20
    clients = {"egl": "weston-simple-egl", "shm": "weston-presentation-shm"}
    if "egl" not in road.draws:
        clients = {"vulkan": "vkcube-wayland"}
    chance = random.Random(SEED)
    for client in clients.values():
        for target in ("app", "compositor"):
            blame(road, client, target, count, chance)
    for client in clients.values():
        blame(road, client, "recorder", 3 if quick else 10, chance)


def record_stops(check, name, road, client, stop):
    """Records a program while something is stopped. Returns the path, the analysis and the stops, with the drops
    near each; None if that failed, which is reported."""
    say(name)
    words = [client] + (["--present_mode", "2"] if client.startswith("vkcube") else [])
    with Compositor("pixman") as compositor:
        run = Recording(compositor, road, words, options=["--quiet"], name=name)
        pid = run.client()
        if not pid:
            run.wait(1)
            Report.add(check, name, "the program did not start", 0, False, run.text(run.said)[:80])
            return None
        time.sleep(1.2)
        stops = stop({"app": pid, "compositor": compositor.pid(), "recorder": run.process.pid})
        run.interrupt()
        run.wait()
        result = analysis(run.path)
    end_orphans()
    if not result or not result["surfaces"]:
        Report.add(check, name, "cannot be analyzed", 0, False)
        return None
    refresh = ((result["surfaces"][0]["display"] or {}).get("refresh_ms") or 16.7) * 1e6
    found, elsewhere = judge_stops(stops, drops_in(result), refresh)
    return run.path, result, refresh, stops, found, elsewhere


def blame(road, client, target, count, chance):
    name = f"{road.name}: {client}, {target} stopped"
    recorded = record_stops(
        "blame", name, road, client, lambda processes: stop_often(processes[target], count, chance))
    if not recorded:
        return
    path, _, refresh, stops, found, elsewhere = recorded
    stages = {}
    for drops in found:
        for drop in drops:
            key = drop["stage"] + (", inferred" if drop["inferred"] else "")
            stages[key] = stages.get(key, 0) + drop["count"]
    charged = " ".join(f"{stage}: {total}" for stage, total in sorted(stages.items())) or "none"
    if target == "recorder":
        certain = sum(
            any(d["stage"] in ("app", "compositor") and not d["inferred"] for d in drops)
            for drops in found)
        noticed = sum(
            any(line[6][1] >= stop - 5e6 and line[6][0] <= start + 5e6 + STOP * 1e9
                for line in lines_of(path) if is_message(line, "proxy", "gap"))
            for start, stop in stops)
        Report.add(
            "blame", name,
            f"certain {certain}, gap noted {noticed}; refreshes {charged}; {elsewhere} elsewhere",
            len(stops), certain == 0 and (noticed == len(stops) or Bench.is_busy or not road.sees_wire),
            "charged with certainty" if certain else f"gaps of {len(stops) - noticed} stops are not noted")
        return
    right = wrong = unknown = missed = 0
    for (start, end), drops in zip(stops, found):
        of = {drop["stage"] for drop in drops}
        if not of:
            missed += 1
        elif of == {target} or target == "app" and road.sees_gpu and drawn_by_itself(drops):
            right += 1
        elif of <= {target, "unknown"}:
            unknown += 1
        elif Bench.is_busy and is_fair(drops, target, end - start, refresh, road):
            right += 1
        else:
            wrong += 1
    Report.add(
        "blame", name,
        f"right {right}, wrong {wrong}, unknown {unknown}, not seen {missed}; refreshes {charged}; "
        f"{elsewhere} elsewhere", len(stops), wrong == 0 if Bench.is_busy else right == len(stops),
        f"{len(stops) - right} of {len(stops)} stops are not charged to the {target}")
