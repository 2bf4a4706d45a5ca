"""A recording in parts is the same recording."""
import glob
import os
import re
import time

from compositors import Compositor
from recordings import Recording, Tool, analysis, clear, commits_in, frames_of, lines_of
from report import Report, say


def parts_of(path):
    return sorted(glob.glob(path[:-6] + "*.jsonl"))


def frames_in_log(text):
    """How many commits hand over a buffer, by what the program logs."""
    attached, count = set(), 0
    for found in re.finditer(r"-> wl_surface[@#](\d+)\.(attach\((nil)?|commit\()", text):
        if found[2].startswith("attach"):
            (attached.discard if found[3] else attached.add)(found[1])
        elif found[1] in attached:
            attached.discard(found[1])
            count += 1
    return count


def check_rotation(road, quick):
    words = ["weston-simple-egl"] if "egl" in road.draws else ["vkcube-wayland"]
    seconds = 3 if quick else 6
    # The size of a frame in the file varies; there must be several parts in any case.
    size = 10 if road.sees_gpu and not road.sees_wire else 20
    with Compositor("pixman") as compositor:
        for client in (words, ["weston-presentation-shm"]) if "shm" in road.draws else (words,):
            for what, options in (
                    ("a part each 0.5 s", ["--part-time", "0.5"]),
                    (f"a part each {size} kB", ["--part-size", str(size / 1000)]),
                    ("the newest 3 of them", ["--part-time", "0.5", "--keep", "3"])):
                rotate(road, compositor, client, what, options, seconds, size)


def rotate(road, compositor, words, what, options, seconds, size):
    name = f"{road.name}: {words[0]}, {what}"
    say(name)
    run = Recording(compositor, road, words, options=["--quiet"] + options, log=True, name=name)
    run.client()
    time.sleep(seconds)
    run.interrupt()
    status = run.wait()
    truth = frames_in_log(run.text(run.err))
    parts = parts_of(run.path)
    troubles = [] if status == 0 else [f"status {status}: {run.text(run.said).strip()[:80]}"]
    alone = 0
    for part in parts:
        info, result = Tool.run("info", part), analysis(part)
        framed = commits_in(lines_of(part)) > 0 if road.sees_wire else True
        if info.returncode != 0 and (framed or not clear(info.stderr)):
            troubles.append(f"{os.path.basename(part)} alone: info exits {info.returncode}")
        alone += frames_of(result)
        result_clock = result and result["surfaces"] and result["surfaces"][0]["frames"]["displayed"]
        if framed and not result_clock and part != parts[-1] and part != parts[0]:
            troubles.append(f"{os.path.basename(part)} alone has no display times")
    together = analysis(*parts, options=["--one-recording"]) if parts else None
    joined = frames_of(together)
    sizes = [os.path.getsize(part) / 1e3 for part in parts]
    kept = "--keep" in options
    if kept:
        if len(parts) != 3:
            troubles.append(f"{len(parts)} parts are there")
        if parts and "part" not in parts[0]:
            troubles.append("not the newest parts")
        rate = truth / seconds
        if not 0.9 * rate <= joined <= 1.6 * rate:
            troubles.append("not the frames of three parts")
    else:
        if abs(joined - truth) > 1:
            troubles.append(f"together {joined} frames, the program's log has {truth}")
        if abs(alone - truth) > len(parts):
            troubles.append(f"alone {alone} frames, the program's log has {truth}")
        least = seconds / 0.5 - 2 if "--part-time" in options else 3
        if len(parts) < least:
            troubles.append(f"only {len(parts)} parts")
    if together and together["surfaces"]:
        shown = together["surfaces"][0]["frames"]
        if shown["displayed"] < 0.9 * shown["count"]:
            troubles.append(f"together only {shown['displayed']} of {shown['count']} have display times")
    if "--part-size" in options and any(not size <= each <= size + 10 for each in sizes[:-1]):
        troubles.append(f"parts of {min(sizes[:-1]):.1f} to {max(sizes[:-1]):.1f} kB")
    Report.add(
        "rotation", name,
        f"{len(parts)} parts, {max(sizes or [0]):.0f} kB at most; frames: log {truth}, together {joined}, "
        f"alone {alone}", truth, not troubles, "; ".join(troubles)[:300])
