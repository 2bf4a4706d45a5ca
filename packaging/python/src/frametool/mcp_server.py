"""Three tools for agents, over the Model Context Protocol: analyze, compare and plot.

Answers are those of ``--brief``, at most 4 kB. Files are read and written only below the folder in which the server was
started.
"""

from __future__ import annotations

import functools
from pathlib import Path

from . import Error, run

MOST = 4096


def _inside(root: Path, name: str) -> str:
    """The path of a file below the root, links followed."""
    path = (root / name).resolve()
    if path != root and root not in path.parents:
        raise ValueError(f"{name}: only files below {root} can be used")
    return str(path)


def _short(answer: bytes) -> str:
    """An answer cut to its most bytes between characters."""
    return answer[:MOST].decode(errors="ignore")


class Tools:
    """What an agent can ask, for the files below a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def analyze(self, trace: str) -> str:
        """Tells whether a trace of frames was smooth: dropped refreshes by stage, main figures, worst events."""
        return self._answer("analyze", "--brief", _inside(self.root, trace))

    def compare(self, before: list[str], after: list[str]) -> str:
        """Tells whether runs got slower, how certain that is, and by how much."""
        sides = [_inside(self.root, name) for name in before], [_inside(self.root, name) for name in after]
        return self._answer("compare", "--brief", "--before", *sides[0], "--after", *sides[1])

    def plot(self, kind: str, trace: str, output: str) -> str:
        """Draws a trace (kinds: pipeline, frame-times, drops, latency-waterfall, limits, …) to an .svg or .png file."""
        if not kind.replace("-", "").isalnum() or kind.startswith("-"):
            raise ValueError(f"{kind}: expected the name of a kind of plot")
        path = _inside(self.root, output)
        self._answer("plot", kind, _inside(self.root, trace), "--output", path)
        return f"drawn to {path}"

    @staticmethod
    def _answer(*arguments: str) -> str:
        try:
            return _short(run(*arguments, accept=(0, 1, 3)))
        except Error as error:
            raise ValueError(_short(str(error).encode())) from None


def main() -> None:
    """Serves the tools over standard input and output, until these are closed."""
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError:
        raise SystemExit("frametool-mcp needs version 2 of the Python SDK of MCP: pip install 'mcp>=2'") from None

    def telling(tool):  # The server hides why a tool failed, unless it fails with an error of its own.
        @functools.wraps(tool)
        def call(*arguments, **named):
            try:
                return tool(*arguments, **named)
            except ValueError as error:
                raise ToolError(str(error)) from None

        return call

    server = MCPServer("frametool")
    tools = Tools(Path.cwd())
    for tool in (tools.analyze, tools.compare, tools.plot):
        server.add_tool(telling(tool))
    server.run()


if __name__ == "__main__":
    main()
