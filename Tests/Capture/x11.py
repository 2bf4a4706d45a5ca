"""X11: what a server is asked to present, and by whom refreshes are missed, without a screen."""
import os
import signal
import subprocess
import time

from blame import judge_stops
from compositors import Compositor, XServer
from lengths import lengths
from packages import install
from processes import Bench, children, comm, end_orphans, environment, now, wait_for
from recordings import Tool, analysis, drops_in, lines_of
from report import Report, Skip, say

SOURCE = f"{os.path.dirname(os.path.realpath(__file__))}/x11_program.c"


def check_x11(road, quick):
    # This way to record does not depend on the others', so it is checked once.
    if road.name != "wayland":
        return
    install(["xvfb", "xwayland", "gcc", "libxcb-present-dev"])
    program = Bench.path("x11_program")
    built = subprocess.run(
        ["cc", "-O1", SOURCE, "-o", program, "-lxcb", "-lxcb-present"], capture_output=True, text=True)
    if built.returncode != 0:
        raise Skip(f"the program cannot be built: {built.stderr[:80]}")
    with XServer() as server:
        every_frame("Xvfb", server.display, program, 200 if quick else 2000)
        stops("Xvfb", server.display, program, quick)
        another("Xvfb", server.display, program)
    end_orphans()
    with Xwayland() as server:
        every_frame("Xwayland", server.display, program, 200 if quick else 2000)
        stops("Xwayland", server.display, program, quick)
    end_orphans()


class Xwayland:
    """An X server whose windows a Wayland compositor shows."""

    def __init__(self):
        self.log = Bench.path("xwayland.log")
        self.socket = os.path.basename(Bench.path("wl"))
        ini = Bench.path("weston.ini")
        with open(ini, "w") as file:
            file.write("[core]\nrepaint-window=16\nidle-time=0\nxwayland=true\n")
        self.process = Bench.start(
            ["weston", f"--config={ini}", "--backend=headless-backend.so", "--use-pixman",
             f"--socket={self.socket}", f"--log={self.log}"],
            environment(XDG_RUNTIME_DIR=Bench.runtime()), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = wait_for(self.find, 15, 0.05)
        if not found:
            self.stop()
            raise Skip("Weston did not start an X server")
        self.display = found
        time.sleep(0.5)

    def find(self):
        try:
            with open(self.log) as file:
                for line in file:
                    if "xserver listening on display" in line:
                        return line.split()[-1]
        except OSError:
            pass
        return None

    def stop(self):
        Bench.stop(self.process)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()


def record(display, path, words):
    return Bench.start(
        [Tool.path, "capture", "x11", "--quiet", "-o", path, "--"] + words,
        environment(DISPLAY=display), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def every_frame(kind, display, program, count):
    """What the server told the program is in the recording, in two windows."""
    name = f"x11: {kind}, two windows"
    say(name)
    path, told = Bench.path("frames.jsonl"), Bench.path("told")
    process = record(display, path, ["sh", "-c", f'"{program}" {count} 2 2 >"{told}"'])
    process.wait(120)
    with open(told) as file:
        own = [tuple(int(word) for word in line.split()) for line in file]
    recorded = [
        (line[4], line[6][0], line[6][1], line[6][2] // 1000, line[6][3])
        for line in lines_of(path) if line[3] == "x11" and line[5] == "complete"]
    asked = sum(line[3] == "x11" and line[5] == "present" for line in lines_of(path))
    missing = len(set(own) - set(recorded))
    Report.add(
        "x11", name, f"{asked} presents; {len(own)} completions, {missing} not recorded", len(own),
        asked == len(own) == 2 * count and missing == 0 and len(recorded) == len(own), "not all are there")


def another(kind, display, program):
    """A program that begins meanwhile does not keep the capture from its end; what a launcher leaves behind does."""
    name = f"x11: {kind}, another program, and a launcher that ends"
    say(name)
    path = Bench.path("another.jsonl")
    words = f'( "{program}" 120 2 >/dev/null & ) ; exit 0'
    process = record(display, path, ["sh", "-c", words])
    time.sleep(0.3)
    other = Bench.start(
        [program, "100000"], environment(DISPLAY=display), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        status = process.wait(20)
    except subprocess.TimeoutExpired:
        status = "still running"
    Bench.stop(other)
    Bench.stop(process)
    result = analysis(path)
    counts = sorted(surface["frames"]["count"] for surface in result["surfaces"]) if result else []
    Report.add("x11", name, f"status {status}, frames {counts}", 1, status == 0 and 120 in counts, "")


def stops(kind, display, program, quick):
    """Each stop of the program is charged to it, whatever its length."""
    name = f"x11: {kind}, stopped for 40 to 2,000 ms"
    say(name)
    path = Bench.path("stops.jsonl")
    process = record(display, path, [program, "100000"])
    client = wait_for(lambda: program_of(process.pid), 10)
    time.sleep(1)
    found = []
    for length in lengths(quick):
        time.sleep(0.45)
        start = now()
        os.kill(client, signal.SIGSTOP)
        time.sleep(length / 1000)
        os.kill(client, signal.SIGCONT)
        found.append((start, now()))
    time.sleep(0.5)
    os.kill(client, signal.SIGTERM)
    process.wait(30)
    result = analysis(path)
    if not result or not result["surfaces"]:
        Report.add("x11", name, "cannot be analyzed", 0, False)
        return
    surface = result["surfaces"][0]
    refresh = ((surface["display"] or {}).get("refresh_ms") or 16.7) * 1e6
    near, elsewhere = judge_stops(found, drops_in(result), refresh)
    pauses = (surface["dropped"] or {}).get("pauses") or []
    origin = result["trace"]["start_ns"]
    right, troubles = 0, []
    for (start, end), drops in zip(found, near):
        stages = {drop["stage"] for drop in drops}
        count = sum(drop["count"] for drop in drops)
        expected = (end - start) / refresh
        # A frame that is handed over just before a refresh and misses it is nobody's: what the server did is not told.
        is_charged = "app" in stages and stages <= {"app", "unknown"} and expected - 3 <= count <= expected + 2
        is_pause = end - start > 460e6 and not count and any(
            abs(origin + pause["t_ms"] * 1e6 - start) < 60e6 and abs(pause["ms"] * 1e6 - (end - start)) < 60e6
            for pause in pauses)
        if is_charged or is_pause or Bench.is_busy and not stages - {"app", "unknown"}:
            right += 1
        else:
            troubles.append(f"{(end - start) / 1e6:.0f} ms: {count} refreshes, {'/'.join(sorted(stages)) or 'none'}")
    Report.add(
        "x11", name, f"right {right}, {len(pauses)} of them pauses; {elsewhere} elsewhere", len(found),
        right == len(found), "; ".join(troubles)[:160])


def program_of(recorder):
    """The captured program: the recorder's child."""
    return next((pid for pid in children(recorder) if "x11_prog" in comm(pid)), None)
