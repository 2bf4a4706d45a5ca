"""Predict, then measure: one program is recorded under two conditions, and each is predicted from the other."""
import json

from compositors import Compositor
from processes import end_orphans
from recordings import Recording, Tool, analysis
from report import Report, Skip, say

# The share of measured values that must lie within the predicted bounds.
GOAL = 0.9


class Condition:
    """How vkcube is recorded: on which compositor, in which present mode, how large."""

    def __init__(self, kind, mode, size=500, window=None):
        self.kind = kind
        self.mode = mode
        self.size = size
        self.window = window


# Without its own window, Weston's headless output repaints at 58 Hz when there is little to draw.
CONDITIONS = {
    "58 Hz": Condition("pixman", "fifo"),
    "50 Hz, two buffers": Condition("gl", "fifo"),
    "40 Hz": Condition("pixman", "fifo", window=7),
    "40 Hz mailbox": Condition("pixman", "mailbox", window=7),
    "large": Condition("pixman", "fifo", size=700),
    "X11": Condition("x11", "fifo"),
    "X11 mailbox": Condition("x11", "mailbox"),
    "Sway": Condition("sway", "fifo"),
    "Sway, large": Condition("sway", "fifo", size=700),
}

PAIRS = [
    ("58 Hz", "58 Hz"), ("X11", "X11"), ("Sway", "Sway"), ("40 Hz mailbox", "40 Hz mailbox"),
    ("58 Hz", "40 Hz"), ("40 Hz", "58 Hz"),
    ("58 Hz", "50 Hz, two buffers"), ("50 Hz, two buffers", "58 Hz"),
    ("58 Hz", "large"), ("large", "58 Hz"), ("Sway", "Sway, large"), ("Sway, large", "Sway"),
    ("40 Hz", "40 Hz mailbox"), ("40 Hz mailbox", "40 Hz"), ("X11", "X11 mailbox"), ("X11 mailbox", "X11"),
]

MODES = {"fifo": "2", "mailbox": "1"}


class Run:
    """A recording, and what was measured in it."""

    def __init__(self, condition, path):
        self.condition = condition
        self.path = path
        result = analysis(path)
        replayed = replay(path)
        if not result or not result["surfaces"] or not replayed:
            raise Skip("it cannot be replayed")
        surface = result["surfaces"][0]
        self.stages = {
            stage: surface["metrics"][metric]["p50"]
            for stage, metric in (("app", "appTime"), ("gpu", "gpuTime"))}
        self.interval = surface["display"]["refresh_ms"]
        self.buffers = surface["buffers"]["used"]
        self.reproduced = replayed["model"]["reproduced_share"]
        self.figures = {figure["metric"]: figure for figure in replayed["figures"]}

    def conditions(self, other):
        """What is different in the other recording, as options. Stages are given their measured times: a processor
        that draws one frame after the other takes less for each than one that rests between them."""
        ratios = [f"{stage}={other.stages[stage] / self.stages[stage]:.4f}" for stage in self.stages]
        options = ["--scale", ",".join(ratios)]
        if other.condition.mode != self.condition.mode:
            options += ["--present-mode", other.condition.mode]
        if abs(other.interval / self.interval - 1) > 0.02:
            options += ["--refresh", f"{1000 / other.interval:.4f}"]
        if other.buffers != self.buffers and other.condition.mode == self.condition.mode:
            options += ["--buffers", str(other.buffers)]
        return options


def replay(path, options=()):
    run = Tool.run("replay", "--quiet", "--format", "json", *options, path)
    return json.loads(run.stdout) if run.returncode == 0 else None


def record(road, name, condition, turn):
    with Compositor(condition.kind, condition.window) as compositor:
        words = [
            "vkcube-wayland", "--present_mode", MODES[condition.mode], "--width", str(condition.size),
            "--height", str(condition.size)]
        run = Recording(
            compositor, road, words, options=["--quiet", "--duration", "6"], name=f"{name} {turn}")
        status = run.wait(60)
        end_orphans()
        if status != 0:
            raise Skip(f"{name}: the recorder's status is {status}")
        return Run(condition, run.path)


def check_predict(road, quick):
    """All values of all pairs are counted together: a bound of 95 % is missed by some."""
    if not (road.sees_wire and road.sees_gpu):
        return
    turns = 1 if quick else 2
    runs = {}
    for turn in range(1, turns + 1):
        for name, condition in CONDITIONS.items():
            say(f"{name}, {turn} of {turns}")
            try:
                runs[name, turn] = record(road, name, condition, turn)
            except Skip as skip:
                Report.add("predict", f"{name}, {turn}", "", 0, None, str(skip))
    within, of = 0, 0
    for one, other in PAIRS:
        for turn in range(1, turns + 1):
            # For equal conditions, each recording predicts the other.
            second = turn if one != other else turns + 1 - turn
            if (one, turn) in runs and (other, second) in runs and (one != other or turns > 1):
                hits, count = judge(f"{one} → {other}, {turn}", runs[one, turn], runs[other, second])
                within, of = within + hits, of + count
    if of:
        Report.add(
            "predict", "all", f"{within} of {of} within the bounds ({100 * within / of:.0f} %)", of,
            within >= GOAL * of, f"less than {100 * GOAL:.0f} %")


def judge(name, run, other):
    """How many measured figures lie within the bounds, and of how many."""
    predicted = replay(run.path, run.conditions(other))
    if not predicted:
        Report.add("predict", name, "", 0, None, "it cannot be replayed so")
        return 0, 0
    hits, misses, count = 0, [], 0
    for figure in predicted["figures"]:
        measured = other.figures.get(figure["metric"])
        if not measured or not figure.get("bounds"):
            continue
        count += 1
        # Compared as printed: differences below the rounding do not count.
        value, low, high = (round(number, 2) for number in (measured["recorded"], *figure["bounds"]))
        if low <= value <= high:
            hits += 1
        else:
            misses.append(f"{figure['name']} {value:.2f} not in [{low:.2f}, {high:.2f}]")
    latency = next(f for f in predicted["figures"] if f["metric"] == "p50(displayLatency)")
    measured = (
        f"{hits} of {count}, start to display {latency['predicted']:.2f} predicted, "
        f"{other.figures['p50(displayLatency)']['recorded']:.2f} ms measured, "
        f"{100 * run.reproduced:.0f} % reproduced")
    # Single predictions may miss; they are judged all together.
    Report.add("predict", name, measured, count, True)
    for miss in misses:
        say(f"{name}: {miss}")
    return hits, count
