"""Vulkan programs are asked for a number of frames: all are recorded, with the graphics card's times."""
import re

from compositors import Compositor, XServer
from packages import install
from processes import Bench, end_orphans
from recordings import Recording, Tool, analysis, frames_of, lines_of
from report import Report, Skip, say


def check_vulkan_programs(road, quick):
    frames = 180 if quick else 480
    kinds = ["pixman", "gl"]
    if not road.sees_wire:
        # A program that speaks X11 has no messages to record beside the frames.
        kinds.append("X11")
    for kind in kinds:
        try:
            compositor = XServer() if kind == "X11" else Compositor(kind)
        except Skip as skip:
            Report.add("programs", f"{road.name}: all on {kind}", "", 0, None, str(skip))
            continue
        with compositor:
            for mode, number, count in (("FIFO", "2", frames), ("MAILBOX", "1", 5 * frames)):
                name = f"{road.name}: vkcube {mode} on {kind}"
                say(name)
                words = [
                    "vkcube" if kind == "X11" else "vkcube-wayland", "--c", str(count), "--present_mode",
                    number]
                judge(name, words, mode, count, kind, compositor, road)
    check_zink(road, quick)


# OpenGL drawn by Mesa's zink, which is an ordinary Vulkan program.
ZINK = {"MESA_LOADER_DRIVER_OVERRIDE": "zink", "LIBGL_ALWAYS_SOFTWARE": "1"}


def check_zink(road, quick):
    seconds = 2 if quick else 4
    benchmark = ["glmark2-es2-wayland", "-b", f"build:duration={seconds}"]
    with Compositor("pixman") as compositor:
        benchmark_on_zink(road, compositor, benchmark, seconds)
    if road.sees_wire:
        return
    name = f"{road.name}: neverball on zink on X11"
    say(name)
    try:
        install(["neverball"], may=not quick)
        server = XServer()
    except Skip as skip:
        Report.add("programs", name, "", 0, None, str(skip))
        return
    with server:
        run = Recording(
            server, road, ["/usr/games/neverball"], options=["--quiet", "--duration", "10"], name=name,
            env={**ZINK, "SDL_AUDIODRIVER": "dummy"})
        status = run.wait(60)
        end_orphans()
    result = analysis(run.path)
    frames = frames_of(result)
    surfaces = [s for s in (result or {}).get("surfaces", []) if s["frames"]["count"]]
    rate = surfaces[0]["metrics"]["averageFrameRate"].get("value") if surfaces else None
    troubles = [] if status == 0 else [f"status {status}: {run.text(run.said).strip()[:80]}"]
    if frames < 20:
        troubles.append("fewer than 20 frames in ten seconds")
    if "gpuTime" not in (surfaces[0]["metrics"] if surfaces else {}):
        troubles.append("no times of the GPU")
    Report.add(
        "programs", name, f"{frames} frames, " + (f"{rate:.1f} fps" if rate else "no rate"), frames,
        not troubles, "; ".join(troubles))


def benchmark_on_zink(road, compositor, words, seconds):
    name = f"{road.name}: glmark2 on zink"
    say(name)
    run = Recording(compositor, road, words, options=["--quiet"], name=name, env=ZINK)
    status = run.wait(60)
    end_orphans()
    said = re.search(r"FPS: (\d+)", run.text(run.out) + run.text(run.err))
    if not said:
        Report.add("programs", name, "", 0, None, "it does not run here on zink")
        return
    result = analysis(run.path)
    frames, expected = frames_of(result), int(said[1]) * seconds
    shown = result["surfaces"][0]["frames"]["displayed"] if frames else 0
    troubles = [] if status == 0 else [f"status {status}: {run.text(run.said).strip()[:80]}"]
    # Frames drawn before and after the program counts are recorded, too.
    if not 0.9 * expected <= frames <= 1.3 * expected + 200:
        troubles.append(f"expected about {expected} frames")
    if not shown:
        troubles.append("no display times")
    Report.add(
        "programs", name, f"{frames} frames, the program counts {said[1]} fps in {seconds} s, {shown} shown",
        frames, not troubles, "; ".join(troubles))


def record(name, words, compositor, road):
    run = Recording(compositor, road, words, options=["--quiet"] if road else [], name=name)
    run.recorder_status = run.wait(90)
    end_orphans()
    return run


def image_counts(buffers, native, frames):
    """How many images are allocated, and how many are used."""
    if buffers and "used" in buffers:
        return buffers["allocated"], buffers["used"]
    # If nothing is displayed, the analysis does not report it.
    allocated = max(
        (line.get("allocatedBuffers", 0) for line in lines_of(native) if line.get("type") == "surface"),
        default=0)
    return allocated, len({frame["buffer"] for frame in frames if "buffer" in frame})


def judge(name, words, mode, count, kind, compositor, road):
    alone = record(name, words, compositor, None)
    if alone.status != 0:
        raise Skip(f"{words[0]} does not run here without a recorder either: status {alone.status}")
    run = record(name, words, compositor, road)
    troubles = []
    if run.recorder_status != 0:
        troubles.append(f"the recorder's status is {run.recorder_status}: {run.text(run.said).strip()[:80]}")
    if run.status != alone.status:
        troubles.append(f"the program's status is {run.status}, {alone.status} without a recorder")
    result = analysis(run.path)
    if not result or not result["surfaces"]:
        Report.add("programs", name, "no frames", 0, False, "; ".join(troubles) or "cannot be analyzed")
        return
    native = Bench.path("native.jsonl")
    converted = Tool.run("convert", "--quiet", run.path, native)
    if converted.returncode != 0:
        troubles.append(f"cannot be converted: {converted.stderr.strip()[:80]}")
    frames = [line for line in lines_of(native) if line.get("type") == "frame"]
    shown = sum("displayed" in frame for frame in frames) / max(1, len(frames))
    gpu = sum("gpuStart" in frame and "gpuEnd" in frame for frame in frames) / max(1, len(frames))
    rate = result["surfaces"][0]["metrics"]["averageFrameRate"].get("value")
    if frames_of(result) != count or len(frames) != count:
        troubles.append(f"{frames_of(result)} frames, {len(frames)} converted, {count} asked for")
    if len(result["surfaces"]) != 1:
        troubles.append(f"{len(result['surfaces'])} surfaces")
    if gpu < 0.97:
        troubles.append("less than 97 % have the graphics card's times")
    images = image_counts(result["surfaces"][0]["buffers"], native, frames)
    # With software drawing, X11 copies an image and returns it at once, so one buffer is enough.
    least = 1 if kind == "X11" else 2
    if not least <= images[1] <= images[0]:
        troubles.append(f"expected {least} images in use, or more")
    if kind == "X11":
        # X11 programs are not informed when their frames are displayed, and a guess would be worse.
        said = "nothing tells when frames are displayed" in Tool.run("info", run.path).stdout
        if shown or not said:
            troubles.append("display times nobody has told" if shown else "info does not say that none are")
    elif shown < (0.97 if mode == "FIFO" else 0.005):
        troubles.append("too few have a display time")
    Report.add(
        "programs", name,
        f"{len(frames)} of {count} frames, {100 * shown:5.1f} % shown, GPU {100 * gpu:5.1f} %, "
        f"{images[0]}/{images[1]} images, " + (f"{rate:6.1f} fps" if rate else "no rate"),
        count, not troubles, "; ".join(troubles)[:300])
