"""Compositors without a screen."""
import os
import shutil
import socket
import stat
import subprocess
import time

from processes import Bench, environment, wait_for
from report import Skip

INI = """[core]
repaint-window={window}
idle-time=0
[shell]
locking=false
animation=none
startup-animation=none
close-animation=none
panel-position=none
"""


class XServer:
    """A display without a screen: a compositor draws on it, or a program itself."""

    def __init__(self):
        self.runtime = Bench.runtime()
        number = 91
        while os.path.exists(f"/tmp/.X11-unix/X{number}") or os.path.exists(f"/tmp/.X{number}-lock"):
            number += 1
        self.display = f":{number}"
        self.process = Bench.start(
            ["Xvfb", self.display, "-screen", "0", "1280x1024x24", "-noreset"], environment(),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not wait_for(lambda: os.path.exists(f"/tmp/.X11-unix/X{number}"), 10):
            raise Skip("Xvfb did not start")
        time.sleep(0.3)

    def tool(self, *words):
        return subprocess.run(
            ["xdotool"] + [str(word) for word in words], env=environment(DISPLAY=self.display),
            capture_output=True, text=True).stdout

    def focus(self):
        """Without a window manager, nobody gives the keyboard to the compositor's window."""
        self.tool("mousemove", 300, 200)
        window = self.tool("search", "--onlyvisible", ".*").split()
        if window:
            self.tool("windowfocus", window[-1])
        self.tool("click", 1)

    def env(self, **changes):
        return environment(DISPLAY=self.display, **changes)

    def stop(self):
        Bench.stop(self.process)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()


class Compositor:
    """A compositor without a screen: pixman and gl are Weston's renderers; x11 and sway have a seat."""

    def __init__(self, kind, window=None):
        self.kind = kind
        # How long before a refresh Weston repaints, in ms. The default keeps the output at 60 Hz.
        self.window = window or (10 if kind == "x11" else 16)
        self.x = None
        self.runtime = Bench.runtime()
        self.socket = os.path.basename(Bench.path("wl"))
        self.log = Bench.path(f"{kind}.log")
        if kind == "sway":
            self.start_sway()
        else:
            self.start_weston()
        if not wait_for(self.answers, 15, 0.02):
            self.stop()
            raise Skip(f"{kind}: the compositor did not start: {self.last_words()}")
        # A shell that is still starting draws, and takes time from the measurement.
        time.sleep(0.5)

    def start_weston(self):
        ini = Bench.path("weston.ini")
        env = environment()
        words = ["weston", f"--config={ini}", "--debug", f"--socket={self.socket}", f"--log={self.log}"]
        if self.kind == "x11":
            self.x = XServer()
            env["DISPLAY"] = self.x.display
            words += ["--backend=x11-backend.so", "--width=1000", "--height=700", "--use-pixman"]
        else:
            renderer = "--use-gl" if self.kind == "gl" else "--use-pixman"
            words += ["--backend=headless-backend.so", "--width=1024", "--height=640", renderer]
        with open(ini, "w") as file:
            # Weston's headless output subtracts the window from its period: other values do not give 60 Hz.
            file.write(INI.format(window=self.window))
        self.process = Bench.start(
            words, env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start_sway(self):
        self.x = XServer()
        config = Bench.path("sway.conf")
        with open(config, "w") as file:
            file.write("output * bg #204060 solid_color\ndefault_border none\nxwayland disable\n")
        os.chmod(config, 0o644)
        self.runtime = Bench.path("sway")
        os.mkdir(self.runtime, 0o700)
        words = ["sway", "--config", config]
        if os.geteuid() == 0:
            # Sway refuses to run as root.
            user = 65534
            os.chown(self.runtime, user, user)
            words = [
                "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] + words
        env = environment(
            DISPLAY=self.x.display, WLR_BACKENDS="x11", WLR_RENDERER="pixman", HOME=self.runtime)
        env["XDG_RUNTIME_DIR"] = self.runtime
        with open(self.log, "w") as log:
            self.process = Bench.start(words, env, stdout=log, stderr=log)
        self.socket = "wayland-1"

    def answers(self):
        # Sway takes the first free socket name.
        names = [self.socket] if self.kind != "sway" else ["wayland-1", "wayland-0"]
        for name in names:
            path = f"{self.runtime}/{name}"
            with socket.socket(socket.AF_UNIX) as probe:
                try:
                    probe.connect(path)
                except OSError:
                    continue
            self.socket = name
            return True
        return False

    def last_words(self):
        try:
            with open(self.log, errors="replace") as file:
                lines = file.read().strip().splitlines()
            return lines[-1] if lines else "no log"
        except OSError:
            return "no log"

    def env(self, **changes):
        if self.kind == "sway":
            # The folder is Sway's user's, and a recorder trusts only its own user's.
            return environment(
                XDG_RUNTIME_DIR=Bench.runtime(), WAYLAND_DISPLAY=f"{self.runtime}/{self.socket}", **changes)
        return environment(XDG_RUNTIME_DIR=self.runtime, WAYLAND_DISPLAY=self.socket, **changes)

    def pid(self):
        """The compositor's own process: what it was started through replaces itself."""
        return self.process.pid

    def leftovers(self):
        """Sockets and folders that a recorder has left behind."""
        return [
            name for name in os.listdir(self.runtime)
            if name.startswith("frametool-") or stat.S_ISSOCK(os.lstat(f"{self.runtime}/{name}").st_mode)
            and not name.endswith("-wl") and not name.startswith(("sway-ipc", "wayland-"))
        ]

    def sweep(self):
        """Takes them away."""
        for name in self.leftovers():
            path = f"{self.runtime}/{name}"
            if os.path.isdir(path):
                shutil.rmtree(path, ignore_errors=True)
            else:
                os.unlink(path)

    def stop(self):
        Bench.stop(self.process)
        if self.x:
            self.x.stop()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()
