"""Predict, then measure: one program is recorded under two conditions, and each is predicted from the other."""
import json

from compositors import Compositor
from processes import end_orphans
from recordings import Recording, Tool
from report import Report, say

# Of the measured values this share has to lie within the predicted bounds, over all pairs.
GOAL = 0.9


class Condition:
    """How vkcube is recorded: on which compositor, in which present mode, how large."""

    def __init__(self, name, kind="pixman", mode=2, size=500, window=None):
        self.name = name
        self.kind = kind
        self.mode = mode
        self.size = size
        self.window = window


CONDITIONS = [
    Condition("fifo"),
    Condition("mailbox", mode=1),
    Condition("gl", kind="gl"),
    Condition("40 Hz", window=7),
    Condition("large", size=700),
]

# From which condition to which, and what changes, by the figures of both.
PAIRS = [
    ("fifo", "fifo", lambda a, b: ["--cap", "1000"]),
    ("fifo", "mailbox", lambda a, b: ["--present-mode", "mailbox"]),
    ("mailbox", "fifo", lambda a, b: ["--present-mode", "fifo"]),
    ("fifo", "gl", lambda a, b: ["--buffers", str(b["buffers"])]),
    ("gl", "fifo", lambda a, b: ["--buffers", str(b["buffers"])]),
    ("fifo", "40 Hz", lambda a, b: ["--refresh", f"{b['rate']:.3f}"]),
    ("40 Hz", "fifo", lambda a, b: ["--refresh", f"{b['rate']:.3f}"]),
    ("fifo", "large", lambda a, b: ["--scale", scales(a, b)]),
    ("large", "fifo", lambda a, b: ["--scale", scales(a, b)]),
]


def scales(a, b):
    return ",".join(f"{stage}={b[stage] / a[stage]:.3f}" for stage in ("app", "gpu"))


def check_predict(road, quick):
    if not (road.sees_wire and road.sees_gpu):
        return
    runs = {}
    for turn in range(2):
        for condition in CONDITIONS:
            say(f"{condition.name}, {turn + 1} of 2")
            with Compositor(condition.kind, condition.window) as compositor:
                runs.setdefault(condition.name, []).append(record(compositor, road, condition, quick))
