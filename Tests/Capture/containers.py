"""Programs in containers that share only some folders with the recorder."""
import os
import shutil

from compositors import Compositor
from packages import install
from processes import Bench, end_orphans
from recordings import Recording, analysis, frames_of
from report import Report, say

FRAMES = 60


def check_containers(road, quick):
    if not road.sees_gpu or road.sees_wire:
        return
    install(["bubblewrap"])
    with Compositor("pixman") as compositor:
        runtime = compositor.env()["XDG_RUNTIME_DIR"]
        socket = f"{runtime}/{compositor.socket}"
        shared = Bench.path("shared")
        os.mkdir(shared, 0o700)
        # Process numbers in the container are not those outside.
        system = ["bwrap", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "--bind", Bench.folder, Bench.folder]
        private = ["--tmpfs", runtime, "--ro-bind", socket, socket]
        cases = [
            ("a runtime folder of its own", ["--dev-bind", "/dev", "/dev"] + private, [], True),
            ("a /dev/shm of its own", ["--dev", "/dev", "--bind", runtime, runtime], [], True),
            ("both, and a folder that is named", ["--dev", "/dev"] + private + ["--bind", shared, shared],
             ["--folder", shared], True),
            ("both, and folders that it cannot write to", ["--dev", "/dev", "--ro-bind", runtime, runtime], [],
             False),
        ]
        for name, options, own, is_recorded in cases:
            judge(f"{road.name}: {name}", system + options, own, is_recorded, compositor, road)
        shutil.rmtree(shared, ignore_errors=True)


def judge(name, container, options, is_recorded, compositor, road):
    say(name)
    words = container + ["vkcube-wayland", "--c", str(FRAMES), "--present_mode", "2"]
    run = Recording(compositor, road, words, options=options, name=name)
    status = run.wait(60)
    end_orphans()
    said = run.text(run.said).strip()
    if not is_recorded:
        is_said = "the Vulkan layer was loaded, but found none of the folders" in said
        Report.add(
            "containers", name, "says so" if is_said else "does not say so", 1,
            is_said and status == 65 and not os.path.exists(run.path), said[-120:])
        return
    frames = frames_of(analysis(run.path))
    Report.add(
        "containers", name, f"{frames} of {FRAMES} frames", FRAMES, status == 0 and frames == FRAMES,
        said[-120:])
