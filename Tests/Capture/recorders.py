"""Recorders of other people's, for real: from nothing to a page in one command."""
import json
import os
import re
import subprocess

from compositors import Compositor, XServer
from packages import install
from processes import Bench, end_orphans, environment
from recordings import Tool, analysis, frames_of
from report import Report, Skip, say

PAGE = """<canvas id=c width=600 height=400></canvas><script>
let n=0,x=c.getContext('2d');
function f(){performance.mark('drawn');x.fillStyle='hsl('+(n++%360)+',80%,50%)';x.fillRect(0,0,600,400);
requestAnimationFrame(f)}f();
addEventListener('touchmove',e=>{performance.mark('touched');e.preventDefault()},{passive:false});
</script>"""


def check_recorders(road, quick):
    # These recorders do not depend on the road of frametool's captures, so they are checked once.
    if road.name != "wayland":
        return
    for check in (chromium, mangohud, wayland_debug):
        try:
            check(quick)
        except Skip as skip:
            Report.add("recorders", check.__name__, "", 0, None, str(skip))
        end_orphans()


def record(name, words, path, env):
    """Runs a capture and a report after it. Returns what it said, and what went wrong."""
    say(name)
    page = os.path.splitext(path)[0] + ".html"
    run = subprocess.run(
        [Tool.path, "capture"] + words, env=env, capture_output=True, text=True, timeout=120,
        stdin=subprocess.DEVNULL)
    troubles = [] if run.returncode == 0 else [f"status {run.returncode}: {run.stderr.strip()[-100:]}"]
    if not os.path.exists(page) or os.path.getsize(page) < 10_000:
        troubles.append("no report")
    if os.path.exists(path + ".recording"):
        troubles.append("a folder is left")
    return run.stderr, troubles


def chromium(quick):
    install(["chromium"], may=not quick)
    page, script, path = Bench.path("page.html"), Bench.path("drag.txt"), Bench.path("c.trace.json")
    with open(page, "w") as file:
        file.write(PAGE)
    moves = 30
    with open(script, "w") as file:
        file.write("200 down 50 50\n")
        for move in range(moves):
            file.write(f"{250 + 33 * move} move {51 + 2 * move} {50 + 2 * move}\n")
        file.write(f"{300 + 33 * moves} up\n")
    name = "Chromium, a page that draws and is touched"
    _, troubles = record(
        name, ["chrome", "--headless", "--duration", "3", "--touch", script, "-o", path, "--then", "report",
               f"file://{page}"], path, environment())
    marks = {"drawn": 0, "touched": 0}
    if os.path.exists(path):
        with open(path) as file:
            for event in json.load(file)["traceEvents"]:
                if event.get("cat") == "blink.user_timing" and event.get("name") in marks:
                    marks[event["name"]] += 1
    frames = frames_of(analysis(path)) if os.path.exists(path) else 0
    # A page draws before it is displayed, and the browser draws a few frames of its own.
    if marks["drawn"] < 60 or not 0.8 * marks["drawn"] <= frames <= 1.2 * marks["drawn"] + 20:
        troubles.append("the page drew another number of frames")
    if not moves * 0.8 <= marks["touched"] <= moves:
        troubles.append("the page was touched another number of times")
    Report.add(
        "recorders", name,
        f"{frames} frames, the page drew {marks['drawn']}; {marks['touched']} of {moves} moves reached it",
        frames, not troubles, "; ".join(troubles))


def mangohud(quick):
    install(["mangohud", "mesa-utils"], may=not quick)
    path = Bench.path("m.csv")
    name = "MangoHud, glxgears"
    with XServer() as server:
        said, troubles = record(
            name, ["mangohud", "--duration", "6", "-o", path, "--then", "report", "--", "stdbuf", "-oL",
                   "glxgears"], path, server.env())
    # It prints every five seconds how many frames it drew.
    counted = re.search(r"(\d+) frames in ([\d.]+) seconds", said)
    result = analysis(path) if os.path.exists(path) else None
    frames = frames_of(result)
    rate = result["surfaces"][0]["metrics"]["averageFrameRate"].get("value") if frames else 0
    own = int(counted[1]) / float(counted[2]) if counted else None
    if own is None or not 0.7 * own <= rate <= 1.4 * own:
        troubles.append("the program counts another rate")
    Report.add(
        "recorders", name, f"{frames} frames, {rate:.0f} fps; the program counts {own or 0:.0f}", frames,
        not troubles, "; ".join(troubles))


def wayland_debug(quick):
    path = Bench.path("w.wayland.log")
    name = "WAYLAND_DEBUG, weston-presentation-shm"
    with Compositor("pixman") as compositor:
        _, troubles = record(
            name, ["wayland-debug", "--duration", "3", "-o", path, "--then", "report", "--",
                   "weston-presentation-shm"], path, compositor.env())
    result = analysis(path) if os.path.exists(path) else None
    frames = frames_of(result)
    shown = result["surfaces"][0]["frames"]["displayed"] if frames else 0
    if frames < 100 or shown < frames - 5:
        troubles.append("frames without display times")
    clocks = Tool.run("info", path).stdout
    if "w.wayland.meta.json" not in clocks:
        troubles.append("the clocks beside it are not read")
    Report.add("recorders", name, f"{frames} frames, {shown} shown", frames, not troubles, "; ".join(troubles))
