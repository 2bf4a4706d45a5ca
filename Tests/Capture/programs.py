"""Real programs: what is recorded is what they say themselves, and they run as they do alone."""
import os
import re
import signal
import time

from compositors import Compositor
from packages import install
from processes import Bench, end_orphans
from recordings import Recording, analysis, commits_in, is_message, lines_of
from report import Report, Skip, say, within
from vulkan import check_vulkan_programs


class Program:
    def __init__(
        self, name, words, draws, compositors, seconds=None, shown=0.9, used=None, paced=True,
        packages=(), installs=False, env=None, patience=60, prints=None, stop=signal.SIGINT
    ):
        self.name = name
        self.words = words
        self.draws = draws
        self.compositors = compositors
        # How long it runs; None if it ends by itself.
        self.seconds = seconds
        # The minimum share of frames with a display time.
        self.shown = shown
        # How many buffers its busiest surface uses, by compositor.
        self.used = used or {}
        # Whether it waits for the display, so that its rate is independent of the machine.
        self.paced = paced
        self.packages = packages
        self.installs = installs
        self.env = env
        self.patience = patience
        self.prints = prints
        self.stop = stop


def programs(quick):
    seconds = 2 if quick else 4
    frames = 120 if quick else 240
    page = f"{Bench.folder}/page.html"
    with open(page, "w") as file:
        file.write(
            "<canvas id=c width=600 height=400></canvas><script>let n=0,x=c.getContext('2d');"
            "function f(){x.fillStyle='hsl('+(n++%360)+',80%,50%)';x.fillRect(0,0,600,400);"
            "requestAnimationFrame(f)}f()</script>")
    game = {"SDL_VIDEODRIVER": "wayland", "SDL_AUDIODRIVER": "dummy"}
    return [
        Program(
            "weston-presentation-shm", ["weston-presentation-shm"], "shm", ["pixman", "gl"], seconds,
            prints=r"p2p +\d+ us"),
        Program(
            "weston-simple-shm", ["weston-simple-shm"], "shm", ["pixman", "gl"], seconds,
            # The gl renderer copies, and releases the buffer at once.
            used={"pixman": 2, "gl": 1}),
        Program(
            "weston-simple-egl", ["weston-simple-egl"], "egl", ["pixman", "gl"], seconds,
            used={"pixman": 3, "gl": 2}),
        Program(
            "vkcube FIFO", ["vkcube-wayland", "--c", str(frames), "--present_mode", "2"], "vulkan",
            ["pixman"], used={"pixman": 3}),
        Program(
            "vkcube MAILBOX", ["vkcube-wayland", "--c", str(5 * frames), "--present_mode", "1"], "vulkan",
            ["pixman"], used={"pixman": 4}, shown=0.005, paced=False),
        Program(
            "glmark2", ["glmark2-es2-wayland", "-b", f"build:duration={seconds}"], "egl", ["pixman"],
            shown=0.02, used={"pixman": 2}, paced=False),
        Program(
            "foot",
            ["foot", "--config=/dev/null", "sh", "-c",
             f"i=0; while [ $i -lt {seconds * 50} ]; do echo $i; i=$((i+1)); sleep 0.02; done"],
            "shm", ["x11", "sway"], paced=False),
        Program(
            "mpv",
            ["mpv", "--vo=wlshm", "--no-config", "--no-audio", "--really-quiet", f"--length={seconds}",
             "av://lavfi:testsrc=size=320x240:rate=60"], "shm", ["x11"], shown=0.8),
        Program(
            "chromium",
            ["chromium", "--no-sandbox", "--ozone-platform=wayland", "--no-first-run", "--disable-gpu",
             f"--user-data-dir={Bench.folder}/chromium", f"file://{page}"], "shm", ["pixman"],
            8, packages=["chromium"], installs=True, stop=signal.SIGTERM, paced=False),
        # SDL itself crashes if the compositor has no seat.
        Program(
            "chocolate-doom",
            ["/usr/games/chocolate-doom", "-iwad", "/usr/share/games/doom/freedoom1.wad", "-timedemo",
             "demo1", "-nosound", "-window"], "egl", ["x11"], packages=["chocolate-doom", "freedoom"],
            installs=True, env=game, shown=0.1, paced=False, prints=r"timed \d+ gametics"),
        Program(
            "neverball", ["/usr/games/neverball"], "egl", ["x11"], 8, packages=["neverball"],
            installs=True, env=game, shown=0.8, paced=False, stop=signal.SIGTERM),
    ]


COMMIT = re.compile(r"-> wl_surface[@#]\d+\.commit\(\)")
PRESENTED = re.compile(r"wp_presentation_feedback[@#]\d+\.presented\(")


def run_program(program, compositor, road, quick):
    run = Recording(
        compositor, road, program.words, options=["--quiet"] if road else [], log=True, env=program.env,
        name=f"{program.name} on {compositor.kind}")
    client = run.client()
    if program.seconds and client:
        time.sleep(program.seconds)
        os.kill(client, program.stop)
    run.recorder_status = run.wait(program.patience)
    end_orphans()
    text = run.text(run.err)
    run.commits = len(COMMIT.findall(text))
    run.presented = len(PRESENTED.findall(text))
    everything = text + run.text(run.out)
    run.printed = len(re.findall(program.prints, everything)) if program.prints else None
    return run


def check_programs(road, quick):
    if road.sees_gpu:
        check_vulkan_programs(road, quick)
        return
    by_compositor = {}
    for program in programs(quick):
        for kind in program.compositors:
            if program.draws in road.draws:
                by_compositor.setdefault(kind, []).append(program)
    for kind, wanted in by_compositor.items():
        try:
            compositor = Compositor(kind)
        except Skip as skip:
            Report.add("programs", f"{road.name}: all on {kind}", "", 0, None, str(skip))
            continue
        with compositor:
            for program in wanted:
                name = f"{road.name}: {program.name} on {kind}"
                say(name)
                try:
                    if program.packages:
                        install(program.packages, may=not (quick and program.installs))
                    judge_program(name, program, kind, compositor, road, quick)
                except Skip as skip:
                    Report.add("programs", name, "", 0, None, str(skip))
                if compositor.process.poll() is not None:
                    Report.add("programs", name, "the compositor ended", 0, False)
                    break


def judge_program(name, program, kind, compositor, road, quick):
    alone = run_program(program, compositor, None, quick)
    if alone.commits < 2:
        last = (alone.text(alone.err) + alone.text(alone.out)).strip().splitlines()[-1:]
        raise Skip(f"it draws nothing here without a recorder either: {''.join(last)[:60]}")
    run = run_program(program, compositor, road, quick)
    result = analysis(run.path)
    troubles = []
    if run.recorder_status != 0:
        troubles.append(f"the recorder's status is {run.recorder_status}: {run.text(run.said).strip()[:80]}")
    if run.status != alone.status:
        troubles.append(f"the program's status is {run.status}, {alone.status} without a recorder")
    if not result or not result["surfaces"]:
        Report.add("programs", name, "no frames", 0, False, "; ".join(troubles) or "cannot be analyzed")
        return
    surface = result["surfaces"][0]
    frames, buffers, metrics = surface["frames"], surface["buffers"], surface["metrics"]
    shown = frames["displayed"] / max(1, frames["count"])
    rate = metrics["averageFrameRate"].get("value")
    parts = [f"{100 * shown:5.1f} % shown"]
    parts.append(f"{buffers['allocated']}/{buffers['used']} buffers" if buffers else "no buffers")
    parts.append(f"{rate:6.1f} fps" if rate else "no rate")
    if shown < program.shown:
        troubles.append(f"less than {100 * program.shown:.1f} % have a display time")
    used = program.used.get(kind)
    if used and (not buffers or buffers["used"] != used):
        troubles.append(f"expected {used} buffers in use")
    if road.sees_wire:
        recorded = commits_in(lines_of(run.path))
        parts.append(f"commits {recorded} of {run.commits}")
        # The last commit may be printed without leaving the program.
        if not run.commits - 2 <= recorded <= run.commits:
            troubles.append("the program counts its commits differently")
        if run.presented > sum(is_message(l, "wp_presentation_feedback", "presented")
                               for l in lines_of(run.path)):
            troubles.append("display times that the program got are not recorded")
    parts.append(f"{alone.commits} alone")
    if program.paced and not within(run.commits, 0.1, alone.commits):
        troubles.append("commits differ by more than 10 % from those without a recorder")
    if run.commits < 0.4 * alone.commits:
        troubles.append("less than 40 % of the commits without a recorder")
    if run.printed is not None:
        parts.append(f"prints {run.printed}, {alone.printed} alone")
        if not within(run.printed, 0.1, alone.printed):
            troubles.append("it prints something else than without a recorder")
        if program.name == "weston-presentation-shm" and not (
                abs(frames["displayed"] - run.printed) <= 1):
            troubles.append(f"displayed {frames['displayed']}, and the program prints {run.printed}")
    Report.add("programs", name, ", ".join(parts), frames["count"], not troubles, "; ".join(troubles))
