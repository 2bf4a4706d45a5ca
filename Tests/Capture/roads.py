"""The ways to record, and what each can take and tell."""


class Road:
    """A way to record, as a command of frametool."""

    def __init__(self, name, arguments, draws, sees_wire, sees_gpu):
        self.name = name
        self.arguments = arguments
        # How a program has to draw to be recorded: shm, egl, vulkan.
        self.draws = draws
        # Whether the recording contains the program's own messages, which can be counted one by one.
        self.sees_wire = sees_wire
        # Whether it records GPU times from inside the program.
        self.sees_gpu = sees_gpu


ROADS = [
    Road("wayland", ["capture", "wayland"], {"shm", "egl", "vulkan"}, sees_wire=True, sees_gpu=False),
    Road("vulkan", ["capture", "vulkan"], {"vulkan"}, sees_wire=False, sees_gpu=True),
    Road(
        "vulkan-wayland", ["capture", "vulkan", "--wayland"], {"vulkan"}, sees_wire=True, sees_gpu=True),
]
