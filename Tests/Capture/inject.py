"""Inputs that frametool injects, against compositors' own stamps and a terminal's own measurement."""
import os
import re
import shutil
import statistics
import subprocess

from compositors import Compositor
from latency import FOOT, matched
from packages import install
from processes import Bench, end_orphans, environment, wait_for
from recordings import Tool, analysis, lines_of
from report import Report, Skip, say, spread


SOURCE = f"{os.path.dirname(os.path.realpath(__file__))}/vulkan_clicks.c"
SHELL = "/usr/share/wayland-protocols/stable/xdg-shell/xdg-shell.xml"


def check_inject(road, quick):
    if road.name == "vulkan-wayland":
        check_pictures(quick)
    if road.name != "wayland":
        return
    install("kwin-wayland mutter pipewire wireplumber dbus".split(), may=not quick)
    count = 20 if quick else 200
    terminal = ["foot", "--config=/dev/null", "--presentation-timings", "cat"]
    touched = ["weston-simple-touch"]
    for kind, desktop, options, words in (
            ("touch", Mutter, ["--inject-at", "250,250", "--inject-spread", "100"], touched),
            ("touch", KWin, ["--inject-spread", "100"], touched),
            # The program draws for half a second after a click.
            ("pointer", Sway, ["--inject-spread", "100", "--inject-every", "1200"], ["weston-clickdot"]),
            ("key", Mutter, [], terminal), ("key", Sway, [], terminal)):
        name = f"{kind} through {desktop.__name__}, {words[0]}"
        say(name)
        try:
            with desktop() as compositor:
                inject(name, kind, compositor, options, words, count)
        except Skip as skip:
            Report.add("inject", name, "", 0, None, str(skip))
        end_orphans()


def check_pictures(quick):
    """The layer reads the pictures of a program that draws with the GPU and states which present answered."""
    install("gcc libwayland-dev libvulkan-dev wayland-protocols".split(), may=not quick)
    folder = Bench.path("clicks")
    os.mkdir(folder)
    program = f"{folder}/vulkan_clicks"
    for words in (["wayland-scanner", "client-header", SHELL, f"{folder}/xdg-shell.h"],
                  ["wayland-scanner", "private-code", SHELL, f"{folder}/xdg-shell.c"],
                  ["cc", "-std=gnu11", "-O1", "-I", folder, SOURCE, f"{folder}/xdg-shell.c", "-o", program,
                   "-lvulkan", "-lwayland-client"]):
        built = subprocess.run(words, capture_output=True, text=True)
        if built.returncode != 0:
            raise Skip(f"the program cannot be built: {built.stderr[:80]}")
    with Sway() as compositor:
        for late in (0, 1, 5):
            pictures(compositor, [program, str(late)], late, 20 if quick else 200)
    end_orphans()


def pictures(compositor, words, late, count):
    name = f"pictures that the layer reads, answered {late} frames late"
    say(name)
    path = Bench.path("pictures.jsonl")
    run = subprocess.run(
        [Tool.path, "capture", "vulkan", "--inject", "pointer", "--inject-count", str(count), "--inject-every", "400",
         "-o", path, "--"] + words, env=compositor.env(), capture_output=True, text=True, timeout=60 + 2 * count,
        stdin=subprocess.DEVNULL)
    native = Bench.path("pictures.native.jsonl")
    if run.returncode != 0 or Tool.run("convert", "--quiet", path, native).returncode != 0:
        Report.add("inject", name, f"status {run.returncode}", 0, False, run.stderr.strip()[-100:])
        return
    # The program's output is on standard error, mixed with frametool's.
    truth = [
        tuple(int(word) for word in line.split()) for line in (run.stdout + run.stderr).splitlines()
        if re.fullmatch(r"\d+ \d+ \d+", line)]
    frames, samples = {}, []
    for record in lines_of(native):
        if record.get("type") == "frame":
            frames.setdefault(record["surface"], []).append(record)
        if record.get("type") == "touch" and "frame" in record:
            samples.append(record)
    right = 0
    for sample in samples:
        commit = frames[sample["surface"]][sample["frame"]].get("commit", 0)
        right += any(began <= commit <= ended for _, began, ended in truth)
    said = re.search(r"of (\d+) rounds without an input, (\d+) showed", run.stderr)
    falsely = int(said[2]) if said else 0
    Report.add(
        "inject", name, f"{right} of {len(truth)} answers at the present that shows them, {len(samples) - right} at "
        f"another, {falsely} of {said[1] if said else 0} rounds without an input", len(truth),
        len(truth) >= 0.9 * count and right >= 0.95 * len(truth) and len(samples) == right and falsely == 0,
        "another frame, or too few")


class Desktop:
    """A compositor that a program may inject inputs into, on a bus of its own."""

    def __init__(self):
        self.runtime = Bench.path(type(self).__name__)
        os.mkdir(self.runtime, 0o700)
        self.bus = f"unix:path={self.runtime}/bus"
        self.processes = []
        self.start_bus()
        self.start()
        if not wait_for(lambda: os.path.exists(f"{self.runtime}/desktop"), 20):
            self.stop()
            raise Skip(f"{type(self).__name__} did not start")
        subprocess.run(["sleep", "1.5"])

    def start_bus(self):
        self.run(["dbus-daemon", "--session", "--nofork", f"--address={self.bus}"])
        wait_for(lambda: os.path.exists(f"{self.runtime}/bus"), 5)

    def run(self, words, **changes):
        with open(Bench.path("desktop.log"), "w") as log:
            self.processes.append(
                Bench.start(words, self.env(WAYLAND_DISPLAY="", **changes), stdout=log, stderr=log))

    def env(self, **changes):
        return environment(
            XDG_RUNTIME_DIR=self.runtime, DBUS_SESSION_BUS_ADDRESS=self.bus,
            **{"WAYLAND_DISPLAY": "desktop", **changes})

    def stop(self):
        for process in reversed(self.processes):
            Bench.stop(process)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()


class Mutter(Desktop):
    def start(self):
        self.run(["pipewire"])
        self.run(["wireplumber"])
        self.run([
            "mutter", "--wayland", "--headless", "--no-x11", "--virtual-monitor", "1280x720",
            "--wayland-display=desktop"])


class KWin(Desktop):
    def start(self):
        # A copy without the file's capability, which is not available everywhere; Qt needs the file's name.
        program = f"{self.runtime}/kwin_wayland"
        shutil.copy("/usr/bin/kwin_wayland", program)
        self.run(
            [program, "--virtual", "--width", "1280", "--height", "720", "--socket", "desktop",
             "--no-lockscreen", "--no-global-shortcuts"],
            KWIN_WAYLAND_NO_PERMISSION_CHECKS="1", KWIN_COMPOSE="Q")


class Sway(Compositor):
    def __init__(self):
        super().__init__("sway")


def inject(name, kind, compositor, options, words, count):
    path, printed = Bench.path("inject.jsonl"), Bench.path("printed")
    if "--inject-every" not in options:
        options = options + ["--inject-every", "300"]
    options = ["--inject", kind, "--inject-count", str(count), "-o", path] + options
    # The program's output is on standard error, mixed with frametool's.
    run = subprocess.run(
        [Tool.path, "capture", "wayland"] + options + ["--"] + words, env=compositor.env(),
        capture_output=True, text=True, timeout=60 + 2 * count, stdin=subprocess.DEVNULL)
    said = re.search(
        r"injected (\d+) × .* through (\S+): (\d+) reached the program.*, (\d+) answered.*"
        r"of (\d+) rounds without an input, (\d+) showed", run.stderr)
    if run.returncode != 0 or not said:
        Report.add("inject", name, f"status {run.returncode}", 0, False, run.stderr.strip()[-100:])
        return
    injected, delivered, answered, blanks, falsely = (int(said[place]) for place in (1, 3, 4, 5, 6))
    Report.add(
        "inject", name,
        f"{delivered} of {injected} reached it, {answered} found their change; of {blanks} rounds without "
        f"an input {falsely} did", injected, delivered >= 0.95 * injected
        and answered >= 0.95 * delivered and falsely <= 0.05 * blanks + 1, "too few, or too many")
    native = Bench.path("inject.native.jsonl")
    if Tool.run("convert", "--quiet", path, native).returncode != 0:
        Report.add("inject", name, "cannot be converted", 0, False)
        return
    samples, frames = [], {}
    for record in lines_of(native):
        if record.get("type") == "frame":
            frames.setdefault(record["surface"], []).append(record)
        if record.get("type") == "touch" and "frame" in record:
            samples.append(record)
    stamps(name, kind, path, samples)
    shown = [
        (sample, frames[sample["surface"]][sample["frame"]]) for sample in samples]
    shown = [(sample, frame) for sample, frame in shown if "displayed" in frame]
    if not shown:
        Report.add("inject", name + ", to photon", "the compositor tells no display times", 0, None, "none")
        return
    # In an X window, Sway learns that a frame was displayed only with the next X event.
    most = 2000 if isinstance(compositor, Sway) else 60
    latency = [(frame["displayed"] - sample["scanStart"]) / 1e6 for sample, frame in shown]
    Report.add(
        "inject", name + ", to display",
        f"median {statistics.median(latency):.3f} ms ({spread(latency)})", len(latency),
        min(latency) > 0 and statistics.median(latency) < most, "no latency of such a program")
    says = [tuple(int(part) / 1000 for part in found) for found in FOOT.findall(run.stdout + run.stderr)]
    if says:
        tells = [
            ((frame["commit"] - sample["delivered"]) / 1e6,
             (frame["displayed"] - frame["commit"]) / 1e6,
             (frame["displayed"] - sample["delivered"]) / 1e6)
            for sample, frame in shown if "commit" in frame]
        off = [abs(ours[2] - foots[2]) for foots, ours in matched(says, tells)] or [float("inf")]
        close = sum(value <= 0.3 for value in off)
        Report.add(
            "inject", name + ", delivery to display by foot -P",
            f"apart {statistics.median(off):.3f} ms ({spread(off)}), {close} within 0.3 ms", len(off),
            len(off) >= 0.9 * len(tells) and statistics.median(off) <= 0.3 and close >= 0.8 * len(off),
            "more than 0.3 ms apart")


def stamps(name, kind, path, samples):
    """How long after it was injected the compositor has stamped the event that it sends, in whole ms."""
    place = {"touch": ("wl_touch", "down", 1), "pointer": ("wl_pointer", "button", 1),
             "key": ("wl_keyboard", "key", 0)}[kind]
    own = {}
    clocks = []
    for line in lines_of(path):
        if line[3] == place[0] and line[5] == place[1]:
            own[line[0]] = line[6][place[2]]
        if line[5] == "clocks":
            clocks.append(line[6])
    best = None
    for clock, base in enumerate(("real time", "CLOCK_MONOTONIC")):
        apart = []
        for sample in samples:
            if sample.get("delivered") not in own:
                continue
            injected = sample["scanStart"] + clocks[0][clock] - clocks[0][1]
            difference = (own[sample["delivered"]] - injected // 1_000_000) % (1 << 32)
            apart.append(difference - (1 << 32) if difference > 1 << 31 else difference)
        if apart and (best is None or abs(statistics.median(apart)) < abs(statistics.median(best[1]))):
            best = (base, apart)
    if not best:
        Report.add("inject", name + ", compositor's stamps", "", 0, False, "none")
        return
    base, apart = best
    close = sum(0 <= value <= 2 for value in apart)
    Report.add(
        "inject", name + ", compositor's stamps",
        f"{statistics.median(apart):.0f} ms after the injection on {base} ({min(apart)} to {max(apart)}), "
        f"{close} within 2 ms", len(apart), close >= 0.9 * len(apart), "more than 2 ms apart")
