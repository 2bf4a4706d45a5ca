"""Hangs of many lengths: each is found with its length, and charged to the program."""
import os
import signal
import time

from blame import drawn_by_itself, is_fair, record_stops
from processes import Bench, now
from report import Report


def lengths(quick):
    """In ms, from 40 to 2,000, each the same part longer than the one before."""
    count = 6 if quick else 20
    return [40 * (2000 / 40) ** (place / (count - 1)) for place in range(count)]


def stop_longer(process, quick):
    """Stops a process for each of the lengths. Returns when."""
    stops = []
    for length in lengths(quick):
        time.sleep(0.45)
        start = now()
        os.kill(process, signal.SIGSTOP)
        time.sleep(length / 1000)
        os.kill(process, signal.SIGCONT)
        stops.append((start, now()))
    time.sleep(0.5)
    return stops


def check_lengths(road, quick):
    client = "weston-simple-egl" if "egl" in road.draws else "vkcube-wayland"
    name = f"{road.name}: {client}, stopped for 40 to 2,000 ms"
    recorded = record_stops(
        "lengths", name, road, client, lambda processes: stop_longer(processes["app"], quick))
    if not recorded:
        return
    _, result, refresh, stops, found, elsewhere = recorded
    origin = result["trace"]["start_ns"]
    pauses = (result["surfaces"][0]["dropped"] or {}).get("pauses") or []
    covered = [
        (start, end) for start, end in stops
        if any(abs(origin + p["t_ms"] * 1e6 - start) < 60e6 and abs(p["ms"] * 1e6 - (end - start)) < 60e6
               for p in pauses)]
    right, troubles = 0, []
    for (start, end), drops in zip(stops, found):
        stages = {drop["stage"] for drop in drops}
        count = sum(drop["count"] for drop in drops)
        # A stop begins and ends at any place between two refreshes, and its last frame waits for one.
        expected = (end - start) / refresh
        is_charged = stages == {"app"} or road.sees_gpu and drops and drawn_by_itself(drops)
        # From inside alone, nobody knows what a program waits for: a longer stop is a pause, and said to be one.
        is_pause = road.sees_gpu and not road.sees_wire and end - start > 480e6 and (not count or Bench.is_busy)
        if is_pause and (start, end) in covered or is_charged and expected - 3 <= count <= expected + 2:
            right += 1
        elif Bench.is_busy and is_fair(drops, "app", end - start, refresh, road):
            right += 1
        else:
            troubles.append(f"{(end - start) / 1e6:.0f} ms: {count} refreshes, {'/'.join(sorted(stages)) or 'none'}")
    Report.add(
        "lengths", name, f"right {right}; {elsewhere} elsewhere", len(stops), right == len(stops),
        "; ".join(troubles)[:160])
