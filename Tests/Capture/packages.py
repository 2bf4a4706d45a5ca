"""What has to be installed."""
import os
import shutil
import subprocess
import sys

from report import Skip, say

PACKAGES = (
    "weston foot sway xvfb xdotool vulkan-tools mesa-vulkan-drivers libgl1-mesa-dri libegl1 "
    "glmark2-es2-wayland mpv fonts-dejavu-core util-linux mount"
).split()


def missing(packages):
    found = []
    for package in packages:
        query = subprocess.run(
            ["dpkg-query", "-W", "-f", "${db:Status-Status}", package], capture_output=True, text=True)
        if query.stdout != "installed":
            found.append(package)
    return found


def install(packages, may=True):
    """Installs what is missing; Skip where that cannot be done."""
    if not shutil.which("dpkg-query"):
        raise Skip("Debian packages are needed")
    wanted = missing(packages)
    if not wanted:
        return
    if not may:
        raise Skip(f"not installed: {' '.join(wanted)}")
    if os.geteuid() == 0:
        as_root = []
    elif shutil.which("sudo"):
        as_root = ["sudo"]
    else:
        raise Skip(f"neither root nor sudo is here to install {' '.join(wanted)}")
    say(f"installing {' '.join(wanted)}")
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    get = as_root + ["apt-get", "-o", "DPkg::Lock::Timeout=300"]
    subprocess.run(get + ["update"], env=env, stdout=subprocess.DEVNULL)
    done = subprocess.run(
        get + ["install", "--yes", "--no-install-recommends"] + wanted, env=env, stdout=sys.stderr)
    if done.returncode != 0 or missing(wanted):
        raise Skip(f"cannot be installed: {' '.join(missing(wanted))}")
