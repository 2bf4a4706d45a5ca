"""A full disk costs the recording, not the program."""
import os
import re
import subprocess
import time

from compositors import Compositor
from processes import Bench, is_alive
from recordings import Recording, Tool, analysis, frames_of
from report import Report, Skip, say


def check_disk_full(road, quick):
    name = f"{road.name}: 64 kB of disk"
    if os.geteuid() != 0:
        raise Skip("only root can mount a small disk")
    say(name)
    disk = f"{Bench.folder}/full"
    os.makedirs(disk, exist_ok=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True, text=True)
    if mounted.returncode != 0:
        raise Skip(f"cannot mount: {mounted.stderr.strip()}")
    words = ["weston-presentation-shm"] if "shm" in road.draws else ["vkcube-wayland", "--c", "540"]
    # A Vulkan frame takes less disk space than the messages for one.
    seconds = 4 if "shm" in road.draws else 8
    with Compositor("pixman") as compositor:
        path = f"{disk}/full.jsonl"
        run = Recording(compositor, road, words, path=path)
        client = run.client()
        time.sleep(seconds)
        alive = bool(client) and is_alive(client)
        if "shm" in road.draws:
            run.interrupt()
        status = run.wait()
    printed = len(re.findall(r"p2p +\d+ us", run.text(run.out) + run.text(run.err)))
    said = run.text(run.said).strip()
    errors = [line for line in said.splitlines() if "error:" in line]
    info, result = Tool.run("info", path), analysis(path)
    with open(path, "rb") as file:
        whole = file.read().endswith(b"\n")
    troubles = []
    if status != 74:
        troubles.append(f"status {status}, expected 74")
    if not errors or not re.search("space|full", errors[0]):
        troubles.append(f"no clear error: {said[:80]}")
    if info.returncode != 0:
        troubles.append(f"info exits {info.returncode}: {info.stderr.strip()[:60]}")
    if not alive or run.status != 0:
        troubles.append(f"the program did not run to its end: status {run.status}")
    if "shm" in road.draws and printed < 50 * seconds:
        troubles.append(f"the program showed {printed} frames only")
    if not whole:
        troubles.append("the last line is torn")
    Report.add(
        "disk-full", name,
        f"status {status}, {len(errors)} error lines, {frames_of(result)} frames read, "
        f"the program showed {printed}", frames_of(result), not troubles, "; ".join(troubles)[:300])
    subprocess.run(["umount", disk])
