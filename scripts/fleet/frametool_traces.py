"""Summarizes any number of traces with frametool, wherever they and the work are.

This module holds what the entries for Spark (frametool_fleet.py) and Dask (frametool_dask.py) have in common. As a
program, it does a share of the work, for batch systems that only start processes, as a Kubernetes job does:

    frametool_traces.py --share 3/40 --traces s3://night --output s3://night-fleet …    on 40 machines, 0/40 to 39/40
    frametool_traces.py --finish --traces s3://night --output s3://night-fleet …        once, afterwards

A trace belongs to a share by its name, so that traces that come later, or shares that are done again, change nothing else.

Traces and results may be in any file system that pyarrow or fsspec know: a folder, s3://, gs://, abfs://, …. Remote
traces are copied in pieces to the machine's temporary folder, a few at a time.

The output folder then contains:

    summary.jsonl        the output of 'frametool merge --by TAGS' for all runs, for 'frametool fleet'
    runs.parquet/        a row for each trace (RUNS in this script), in folders by the tags of --partition-by
    groups.parquet       a row for each group, as printed by 'frametool fleet --format csv'
    comparison.parquet   with --compare, a row for each figure of each group
    parts/               with --share, the lines of each share

Work that is repeated, or done twice at once, counts once: each part writes the same bytes to the same names. A run that is
there several times, as a copy of its trace, counts once in all but runs.parquet.
"""

import argparse
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
import zlib

import pyarrow
import pyarrow.fs
import pyarrow.parquet

# For a trace that failed, everything except 'file', 'bytes', 'tags' and 'failed' is null. Times are
# milliseconds, and percentiles are accurate to 0.2 %.
RUNS = pyarrow.schema(
    [
        pyarrow.field("file", pyarrow.string(), nullable=False),
        ("bytes", pyarrow.int64()),
        pyarrow.field("tags", pyarrow.map_(pyarrow.string(), pyarrow.string()), nullable=False),
        ("failed", pyarrow.string()),
        ("process", pyarrow.string()),
        ("surface", pyarrow.string()),
        ("frames", pyarrow.int64()),
        ("displayed", pyarrow.int64()),
        ("never_shown", pyarrow.int64()),
        # Refreshes that repeated an older frame while a newer one was due, and all refreshes of active time.
        ("dropped_refreshes", pyarrow.int64()),
        ("active_refreshes", pyarrow.int64()),
        ("hitch_ms", pyarrow.float64()),
        # The figures of the run by their names, as p95(frameTime), in the unit of the metric.
        ("figures", pyarrow.map_(pyarrow.string(), pyarrow.float64())),
    ]
)

SCHEMA = '{"schema":"frametool.runs/3"}'
MILLION = 1_000_000

# The options that are passed to 'frametool analyze --summary' unchanged.
OF_TRACES = ("metrics", "tag_path", "process", "surface", "refresh", "columns", "from", "to", "skip_first")

# How many traces are passed to frametool at a time, and how many bytes of remote ones.
AT_ONCE = 32
BYTES_AT_ONCE = 1 << 30
PIECE = 8 << 20
# How often a remote file is fetched before its trace fails, and how long to wait between attempts.
ATTEMPTS = 3
PAUSE = 2.0
# Lines are divided by the runs' ids, so that all copies of a run are merged by the same task.
BUCKETS = 64


class Place:
    """A folder in any file system."""

    def __init__(self, uri):
        self.uri = uri
        if "://" not in uri:
            self.files, self.root = pyarrow.fs.LocalFileSystem(), os.path.abspath(uri)
            return
        try:
            self.files, self.root = pyarrow.fs.FileSystem.from_uri(uri)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
            import fsspec

            files, self.root = fsspec.core.url_to_fs(uri)
            self.files = pyarrow.fs.PyFileSystem(pyarrow.fs.FSSpecHandler(files))
        self.root = self.root.rstrip("/")

    @property
    def is_local(self):
        return isinstance(self.files, pyarrow.fs.LocalFileSystem)

    def names(self):
        """The files in the folder and in the folders in it, by their paths from there, with their sizes, in order."""
        found = self.files.get_file_info(pyarrow.fs.FileSelector(self.root, recursive=True))
        names = [
            (info.path[len(self.root) + 1 :], info.size or 0) for info in found if info.type == pyarrow.fs.FileType.File
        ]
        return sorted((name, size) for name, size in names if not any(part.startswith(".") for part in name.split("/")))

    def fetch(self, name, path):
        """Copies a file to this machine in pieces."""
        if name.startswith("/") or ".." in name.split("/"):
            raise ValueError("its name leads out of the folder")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        for attempt in range(ATTEMPTS):
            try:
                with self.files.open_input_stream(f"{self.root}/{name}") as remote, open(path, "wb") as file:
                    shutil.copyfileobj(remote, file, PIECE)
                return
            except (FileNotFoundError, ValueError):
                raise
            # Each file system has errors of its own.
            except Exception:
                if attempt + 1 == ATTEMPTS:
                    raise
                time.sleep(PAUSE * 2**attempt)

    def read(self, name):
        with self.files.open_input_stream(f"{self.root}/{name}") as file:
            return file.read()

    def write(self, name, content):
        """Writes a whole file: until it is complete, none is there."""
        path = f"{self.root}/{name}"
        self.files.create_dir(path.rsplit("/", 1)[0], recursive=True)
        # Object stores show a file when it is closed; elsewhere, it is renamed.
        unfinished = f"{path}.{uuid.uuid4().hex}" if self.is_local else path
        with self.files.open_output_stream(unfinished) as file:
            file.write(content)
        if unfinished != path:
            self.files.move(unfinished, path)

    def write_table(self, name, table):
        buffer = pyarrow.BufferOutputStream()
        pyarrow.parquet.write_table(table, buffer, compression="zstd")
        self.write(name, buffer.getvalue())

    def remove(self, name):
        if self.files.get_file_info(f"{self.root}/{name}").type == pyarrow.fs.FileType.Directory:
            self.files.delete_dir_contents(f"{self.root}/{name}")


def run_row(line):
    """A line of a summary as a row of RUNS."""
    record = json.loads(line)
    frames = record.get("frames", {})
    dropped = record.get("dropped")
    hitches = record.get("hitches")
    figures = None
    if "figures" in record:
        figures = {metric: value / MILLION for metric, value in record["figures"].items()}
        for metric, statistics in record["statistics"].items():
            for statistic, value in statistics.items():
                figures[f"{statistic}({metric})"] = value / MILLION
    return {
        "file": record["file"],
        "bytes": record.get("size"),
        "tags": sorted(record["tags"].items()),
        "failed": record.get("failed"),
        "process": record.get("process"),
        "surface": record.get("surface"),
        "frames": frames.get("n"),
        "displayed": frames.get("displayed"),
        "never_shown": frames["replaced"] + frames["discarded"] if frames else None,
        "dropped_refreshes": sum(dropped["by_stage"].values()) if dropped else None,
        "active_refreshes": dropped["active"] if dropped else None,
        "hitch_ms": hitches["total_ns"] / MILLION if hitches else None,
        "figures": sorted(figures.items()) if figures is not None else None,
    }


class Fleet:
    """The work on the traces of a folder."""

    def __init__(self, options, program=None):
        self.options = options
        # Where the binary is, which executors may know only when they run.
        self.program = program or (lambda: found(options.frametool))
        compared = [options.compare.split("=")[0]] if options.compare else []
        mix = (options.mix or "device").split(",") if compared else []
        mix += [options.unit] if options.unit else []
        self.by = [tag for tag in options.by.split(",") if tag]
        self.kept = list(dict.fromkeys(self.by + compared + mix)) or ["none"]
        self.partitions = [tag for tag in options.partition_by.split(",") if tag]

    def parts(self, count):
        """The names and sizes of the traces in at most `count` parts of about the same size in bytes."""
        largest = sorted(self.traces(), key=lambda item: (-item[1], item[0]))
        return [sorted(largest[part::count]) for part in range(min(count, len(largest)))]

    def share(self, share, count):
        """The traces of a share, which depend on nothing but their names."""
        return [(name, size) for name, size in self.traces() if zlib.crc32(os.fsencode(name)) % count == share]

    def traces(self):
        """The names and sizes of all traces."""
        traces, output = Place(self.options.traces), Place(self.options.output)
        if (output.root + "/").startswith(traces.root + "/"):
            raise Refusal(f"--output: expected a folder outside the traces, found {self.options.output}")
        names = traces.names()
        if not names:
            raise Refusal(f"{self.options.traces}: no files found")
        return names

    def summarize(self, part, traces):
        """Summarizes the traces of a part, and writes their rows.

        Returns their lines by buckets, so that all copies of a run are in the same one."""
        lines = list(self.lines(traces))
        output = Place(self.options.output)
        groups = {}
        for line in lines:
            row = run_row(line)
            tags = dict(row["tags"])
            folder = "".join(f"{quoted(tag)}={quoted(tags.get(tag))}/" for tag in self.partitions)
            groups.setdefault(folder, []).append(row)
        for folder, rows in sorted(groups.items()):
            table = pyarrow.Table.from_pylist(rows, schema=RUNS)
            output.write_table(f"runs.parquet/{folder}part-{part:05}.parquet", table)
        buckets = [[] for _ in range(BUCKETS)]
        for line in lines:
            record = json.loads(line)
            key = record.get("id", record["file"])
            buckets[zlib.crc32(key.encode(errors="surrogateescape")) % BUCKETS].append(line)
        return buckets

    def lines(self, traces):
        """The line of each trace, given its name and size."""
        place = Place(self.options.traces)
        sizes = dict(traces)
        for some in batches(traces):
            if place.is_local:
                yield from self.run_all(some, place.root)
                continue
            with tempfile.TemporaryDirectory() as folder:
                there, failed = [], {}
                for name in some:
                    try:
                        place.fetch(name, os.path.join(folder, name))
                        there.append(name)
                    except Exception as error:
                        # Its message may have the addresses of several attempts.
                        reason = next(iter(str(error).splitlines()), repr(error))
                        failed[name] = self.failure(name, sizes.get(name), f"it cannot be fetched: {reason}")
                lines = dict(zip(there, self.run_all(there, folder))) | failed
                yield from (lines[name] for name in some)

    def run_all(self, names, folder):
        """The lines of traces on this machine."""
        if not names:
            return []
        lines, _ = self.run(names, folder)
        if len(lines) == len(names):
            return lines
        return [self.line(name, folder) for name in names]

    def line(self, name, folder):
        """The line of a trace by itself."""
        lines, reason = self.run([name], folder)
        if lines:
            return lines[0]
        path = os.path.join(folder, name)
        return self.failure(name, os.stat(path).st_size if os.path.exists(path) else None, reason)

    def failure(self, name, size, reason):
        """The line of a trace that ends frametool. Its tags are those of an empty file in its place."""
        with tempfile.TemporaryDirectory() as folder:
            empty = os.path.join(folder, name)
            os.makedirs(os.path.dirname(empty), exist_ok=True)
            open(empty, "w").close()
            lines, _ = self.run([name], folder)
        tags = json.loads(lines[0])["tags"] if lines else {}
        record = {"file": name, "size": size, "tags": tags, "failed": f"{name}: {reason}"}
        return json.dumps(record, ensure_ascii=False, separators=(",", ":"))

    def run(self, names, folder):
        """The lines of traces, or none and why."""
        options = self.options
        # frametool reads each trace in a separate process, with these limits.
        command = [self.program(), "analyze", "--quiet", "--jobs", "1", "--summary", "-"]
        command += ["--max-time", f"{options.seconds:g}", "--max-memory", str(options.megabytes)]
        for name in OF_TRACES:
            if getattr(options, name):
                command += ["--" + name.replace("_", "-"), getattr(options, name)]
        for tag in options.tag:
            command += ["--tag", tag]
        limit = (options.seconds + 1) * len(names) + 10
        given = b"".join(os.fsencode(name) + b"\0" for name in names)
        try:
            done = subprocess.run([*command, "-"], input=given, capture_output=True, cwd=folder, timeout=limit)
        except subprocess.TimeoutExpired:
            return [], f"frametool took longer than {limit:g} s"
        lines = [line for line in done.stdout.decode().split("\n") if line and not line.startswith('{"schema"')]
        if done.returncode in (0, 65) and len(lines) == len(names):
            return lines, None
        ending = f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
        message = done.stderr.decode(errors="replace").strip().splitlines()[:1]
        return [], f"frametool ended with {ending}" + "".join(f": {line}" for line in message)

    def merge(self, lines):
        """Adds up lines by the tags that the results need. The order and grouping of lines do not matter."""
        text = "\n".join([SCHEMA, *lines]) + "\n"
        command = [self.program(), "merge", "--by", ",".join(self.kept), "-"]
        done = subprocess.run(command, input=text.encode(), capture_output=True)
        if done.returncode:
            raise Refusal(done.stderr.decode().strip())
        return done.stdout.decode().split("\n")[1:-1]

    def start(self):
        """Removes the rows of earlier work."""
        Place(self.options.output).remove("runs.parquet")

    def finish(self, lines):
        """Writes what follows from all lines.

        Returns the exit status of 'frametool fleet': 1 if a gate of --fail-on found a change."""
        output = Place(self.options.output)
        text = "\n".join([SCHEMA, *self.merge(lines)]) + "\n"
        output.write("summary.jsonl", text.encode())
        table, status = self.asked(text)
        output.write_table("groups.parquet", table)
        if self.options.compare:
            more = ["--compare", self.options.compare]
            for name in ("unit", "mix"):
                if getattr(self.options, name):
                    more += ["--" + name, getattr(self.options, name)]
            for verdict in self.options.fail_on:
                more += ["--fail-on", verdict]
            table, status = self.asked(text, *more)
            output.write_table("comparison.parquet", table)
        return status

    def asked(self, text, *more):
        """The table that 'frametool fleet' prints, and its status."""
        command = [self.program(), "fleet", "-", "--format", "csv", *more]
        if self.options.metric:
            command += ["--metric", self.options.metric]
        if self.by:
            command += ["--by", ",".join(self.by)]
        done = subprocess.run(command, input=text.encode(), capture_output=True)
        if done.returncode not in (0, 1, 3):
            raise Refusal(done.stderr.decode().strip())
        return table_of(done.stdout.decode(), self.by), done.returncode


class Refusal(Exception):
    """What is wrong, in words for the user."""


def found(program):
    """The path of a program, as a shell would find it."""
    path = shutil.which(program)
    if not path:
        raise Refusal(f"--frametool: {program}: not found, or not executable")
    return os.path.abspath(path)


def start(main):
    """Runs an entry; what is wrong is one line."""
    try:
        sys.exit(main())
    except Refusal as refusal:
        text = str(refusal)
        sys.exit(text if text.startswith("error: ") else f"error: {text}")
    except OSError as error:
        sys.exit(f"error: {error}")


def batches(traces):
    """The names of traces in lists that frametool reads at a time."""
    some, total = [], 0
    for name, size in traces:
        if some and (len(some) == AT_ONCE or total + size > BYTES_AT_ONCE):
            yield some
            some, total = [], 0
        some.append(name)
        total += size
    if some:
        yield some


def quoted(text):
    """A text as part of the name of a partition, as Hive writes it."""
    if text is None:
        return "__HIVE_DEFAULT_PARTITION__"
    kept = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
    return "".join(chr(byte) if byte in kept else f"%{byte:02X}" for byte in text.encode())


def table_of(text, by):
    """A table of CSV: tags and names are texts, `gating` is a flag, all else is numbers."""
    rows = list(csv.reader(io.StringIO(text)))
    texts = {"metric", "definition", "unit", "effect_unit", "verdict", "why", *by}

    def column(place, name):
        cells = [row[place] or None for row in rows[1:]]
        if name in texts:
            return pyarrow.array(cells, pyarrow.string())
        if name == "gating":
            return pyarrow.array([{"true": True, "false": False}.get(cell) for cell in cells], pyarrow.bool_())
        return pyarrow.array([float(cell) if cell else None for cell in cells], pyarrow.float64())

    return pyarrow.table([column(place, name) for place, name in enumerate(rows[0])], names=rows[0])


def parser(description):
    """The options that all entries have."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frametool", required=True, help="the binary that does the work")
    parser.add_argument("--traces", required=True, help="a folder on any file system: a path, s3://…, gs://…")
    parser.add_argument("--output", required=True, help="a folder for the results, created if missing")
    parser.add_argument("--by", default="", help="comma-separated tags whose values define a group")
    parser.add_argument("--compare", help="two values of a tag, such as version=1.2..1.3")
    parser.add_argument("--mix", help="tags whose mix must not be mistaken for a change (default: device)")
    parser.add_argument("--metric", help="the metric that is shown and compared (default: frameTime)")
    parser.add_argument("--unit", help="the unit of repetition: each value of this tag counts once, such as a device")
    parser.add_argument("--fail-on", action="append", default=[], help="exit with 1 for this verdict, as 'frametool fleet'")
    parser.add_argument("--partition-by", default="", help="tags whose values become folders of runs.parquet")
    parser.add_argument("--metrics", help="count only these metrics")
    parser.add_argument("--tag-path", help="tags from the paths of traces, such as '{device}/{version}/*.csv'")
    parser.add_argument("--tag", action="append", default=[], help="a tag for all runs, NAME=VALUE")
    for name in OF_TRACES[2:]:
        option = "--" + name.replace("_", "-")
        parser.add_argument(option, help=f"as for 'frametool analyze {option}'")
    parser.add_argument("--seconds", type=float, default=600, help="time limit for a trace (default: 600)")
    parser.add_argument("--megabytes", type=int, default=4096, help="memory limit for a trace (default: 4096)")
    parser.add_argument("--parts", type=int, default=0, help="number of parts of the work (default: 4 per core)")
    return parser


def parsed(parser):
    options = parser.parse_args()
    tag, _, sides = (options.compare or "tag=a..b").partition("=")
    if not tag or not all(sides.partition("..")):
        parser.error(f"--compare: expected TAG=A..B, such as version=1.2..1.3, found {options.compare}")
    for name in ("mix", "unit", "fail_on"):
        if getattr(options, name) and not options.compare:
            parser.error(f"--{name.replace('_', '-')} has no effect without --compare")
    return options


def main():
    words = parser(__doc__)
    share = words.add_mutually_exclusive_group(required=True)
    share.add_argument("--share", help="which share of the work to do: 0/40 to 39/40")
    share.add_argument("--finish", action="store_true", help="merge the shares, and write the tables")
    options = parsed(words)
    fleet = Fleet(options)
    output = Place(options.output)
    if options.finish:
        return fleet.finish(shares(output, options.output))
    try:
        share, count = (int(number) for number in options.share.split("/"))
    except ValueError:
        words.error(f"--share: expected two numbers, such as 0/40, found {options.share}")
    if count < 1 or not 0 <= share < count:
        words.error(f"--share: expected a number below that after the slash, such as 0/40, found {options.share}")
    buckets = fleet.summarize(share, fleet.share(share, count))
    lines = [line for bucket in buckets for line in bucket]
    output.write(f"parts/{share:05}-of-{count:05}.jsonl", ("\n".join([SCHEMA, *lines]) + "\n").encode())
    return 0


def shares(output, uri):
    """The lines of all shares.

    Raises Refusal if some are missing, or are of work that was divided differently."""
    try:
        names = [name for name, _ in Place(f"{uri.rstrip('/')}/parts").names()]
    except OSError:
        names = []
    counts = {name.split("-of-")[-1] for name in names}
    if len(counts) != 1:
        what = "shares of different counts" if counts else "none"
        raise Refusal(f"{uri}/parts: expected the shares of one count, found {what}; give each count a folder of its own")
    count = int(counts.pop().removesuffix(".jsonl"))
    missing = set(range(count)) - {int(name.split("-of-")[0]) for name in names}
    if missing:
        raise Refusal(f"{uri}/parts: {len(missing)} of {count} shares are missing, such as {min(missing)}/{count}")
    return [line for name in names for line in output.read(f"parts/{name}").decode().split("\n")[1:-1]]


if __name__ == "__main__":
    start(main)
