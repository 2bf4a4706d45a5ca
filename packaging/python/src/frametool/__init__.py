"""Frame-timing analysis: the program ``frametool`` from Python.

Each function runs the program that this package installs and returns what it prints, as ``frametool list schema`` describes it.
"""

from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

from ._version import __version__

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Comparison", "Error", "Result", "analyze", "compare", "frames", "plot", "run", "write_parquet", "__version__"]

PathLike = Union[str, "os.PathLike[str]"]


class Error(RuntimeError):
    """What the program says when it cannot do what it was asked; ``status`` is its exit status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def _program() -> str:
    installed = Path(sysconfig.get_path("scripts")) / "frametool"
    if installed.exists():
        return str(installed)
    found = shutil.which("frametool")
    if found is None:
        raise Error("the program frametool is not in PATH", 69)
    return found


def run(*arguments: PathLike, accept: Sequence[int] = (0,)) -> bytes:
    """Runs the program and returns its standard output.

    ``accept`` lists the exit statuses that are no error, such as 1 for a regression that a gate found.
    """
    words = [_program(), *(os.fspath(argument) for argument in arguments)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode not in accept:
        raise Error(done.stderr.decode(errors="replace").strip(), done.returncode)
    return done.stdout


def _path(path: PathLike) -> str:
    """A path that is no option, whatever its name."""
    text = os.fspath(path)
    return os.path.join(".", text) if text.startswith("-") else text


@dataclass(frozen=True)
class Result:
    """The analysis of a trace, as ``frametool list schema analyze`` describes it."""

    path: str
    json: Mapping[str, Any]

    @property
    def surfaces(self) -> Sequence[Mapping[str, Any]]:
        """The surfaces, the main one first."""
        return self.json["surfaces"]

    def metric(self, name: str, surface: int = 0) -> Mapping[str, Any] | None:
        """A metric of a surface with its unit and statistics; ``None`` if it was not measured."""
        found = self.surfaces[surface]["metrics"].get(name) if surface < len(self.surfaces) else None
        return None if found is None or "why" in found else found

    @property
    def sentence(self) -> str:
        """What was found, in a sentence."""
        return json.loads(run("analyze", "--brief", "--format", "json", _path(self.path)))["sentence"]

    def page(self) -> str:
        """The page of the trace, as HTML without a script."""
        return _file(".html", "report", "--static", _path(self.path)).decode()

    def _repr_html_(self) -> str:
        page = html.escape(self.page(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'


@dataclass(frozen=True)
class Comparison:
    """The comparison of runs, as ``frametool list schema compare`` describes it."""

    json: Mapping[str, Any]

    @property
    def state(self) -> str:
        """The verdict in a word: fine, regressed, improved, suspected, undecided."""
        return self.json["state"]

    @property
    def sentence(self) -> str:
        """The verdict and its reason."""
        return self.json["sentence"]

    @property
    def metrics(self) -> Sequence[Mapping[str, Any]]:
        """The figures that were compared, each with its effect and bounds."""
        return self.json["metrics"]


def _paths(paths: PathLike | Sequence[PathLike]) -> list[str]:
    return [_path(paths)] if isinstance(paths, (str, os.PathLike)) else [_path(path) for path in paths]


def analyze(path: PathLike, *options: str) -> Result:
    """Measures a trace; ``options`` are those of ``frametool analyze``."""
    return Result(os.fspath(path), json.loads(run("analyze", "--format", "json", *options, _path(path))))


def compare(
    before: PathLike | Sequence[PathLike], after: PathLike | Sequence[PathLike], *options: str
) -> Comparison:
    """Compares runs before and after a change; ``options`` are those of ``frametool compare``."""
    sides = ["--before", *_paths(before), "--after", *_paths(after)]
    return Comparison(json.loads(run("compare", "--format", "json", *options, *sides, accept=(0, 1, 3))))


def frames(paths: PathLike | Sequence[PathLike], *options: str) -> pyarrow.Table:
    """The frames of traces as an Arrow table, a row for each; of several traces with the column ``file``.

    Needs pyarrow. ``to_pandas()``, ``polars.from_arrow`` and DuckDB read the table.
    """
    from pyarrow import BufferReader, csv

    table = run("convert", "--as", "frames-csv", *options, *_paths(paths), "-")
    convert = csv.ConvertOptions(strings_can_be_null=True, quoted_strings_can_be_null=False)
    return csv.read_csv(BufferReader(table), convert_options=convert)


def write_parquet(paths: PathLike | Sequence[PathLike], output: PathLike, *options: str) -> None:
    """Writes the frames of traces as Parquet; needs pyarrow."""
    from pyarrow import parquet

    parquet.write_table(frames(paths, *options), os.fspath(output))


@dataclass(frozen=True)
class Plot:
    """A plot as SVG, which notebooks show."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def plot(kind: str, paths: PathLike | Sequence[PathLike], *options: str) -> Plot:
    """Draws a plot; ``frametool list plots`` lists the kinds. Needs gnuplot."""
    return Plot(_file(".svg", "plot", kind, *options, *_paths(paths)).decode())


def _file(suffix: str, *arguments: str) -> bytes:
    """What a command writes to a file that ends so."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "output" + suffix)
        run(*arguments, "--output", path)
        return Path(path).read_bytes()
