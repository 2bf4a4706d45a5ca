"""Summarizes any number of traces on Apache Spark, and compares groups of them.

    scripts/fleet/run --traces 'hdfs:///night' --output 'hdfs:///night-fleet' \\
        --tag-path '{device}/{version}/*.csv' --by device --compare version=1.2..1.3

Executors run the frametool binary on batches of traces. If a trace crashes it, or exceeds its time or memory limit,
each trace of the batch runs alone, so that only this trace becomes a failed row. Summaries are merged by tags in a tree
with 'frametool merge', whose result does not depend on their order. A task that Spark repeats, or runs twice at once,
counts once, because only one result of each part of the work is passed on.

The output folder then contains:

    summary.jsonl       the output of 'frametool merge --by TAGS' for all runs, for 'frametool fleet'
    runs.parquet        a row for each trace; RUNS in this script lists the columns
    groups.parquet      a row for each group, as printed by 'frametool fleet --format csv'
    comparison.parquet  with --compare, a row for each figure of each group
"""

import argparse
import csv
import io
import json
import os
import resource
import subprocess
import tempfile

from pyspark import SparkFiles, StorageLevel
from pyspark.sql import SparkSession
from pyspark.sql import types

# For a trace that failed, everything except 'file', 'bytes', 'tags' and 'failed' is null. Times are
# milliseconds, and percentiles are accurate to 0.2 %.
RUNS = types.StructType(
    [
        types.StructField("file", types.StringType(), False),
        types.StructField("bytes", types.LongType()),
        types.StructField("tags", types.MapType(types.StringType(), types.StringType()), False),
        types.StructField("failed", types.StringType()),
        types.StructField("process", types.StringType()),
        types.StructField("surface", types.StringType()),
        types.StructField("frames", types.LongType()),
        types.StructField("displayed", types.LongType()),
        types.StructField("never_shown", types.LongType()),
        # Refreshes that repeated an older frame while a newer one was due, and all refreshes of active time.
        types.StructField("dropped_refreshes", types.LongType()),
        types.StructField("active_refreshes", types.LongType()),
        types.StructField("hitch_ms", types.DoubleType()),
        # The figures of the run by their names, as p95(frameTime), in the unit of the metric.
        types.StructField("figures", types.MapType(types.StringType(), types.DoubleType())),
    ]
)


def run_row(line):
    """A line of a summary as a row of RUNS."""
    record = json.loads(line)
    frames = record.get("frames", {})
    dropped = record.get("dropped")
    hitches = record.get("hitches")
    figures = None
    if "figures" in record:
        figures = {}
        for figure in record["figures"]:
            name = figure["metric"]
            if "statistic" in figure:
                name = f"{figure['statistic']}({name})"
            figures[name] = int(figure["sum"]) / 1e6
    return (
        record["file"],
        record.get("size"),
        record["tags"],
        record.get("failed"),
        record.get("process"),
        record.get("surface"),
        frames.get("n"),
        frames.get("displayed"),
        frames["replaced"] + frames["discarded"] if frames else None,
        sum(dropped["by_stage"].values()) if dropped else None,
        dropped["active"] if dropped else None,
        hitches["total_ns"] / 1e6 if hitches else None,
        figures,
    )


# The options that are passed to 'frametool analyze --summary' unchanged.
OF_TRACES = ("metrics", "tag_path", "process", "surface", "refresh", "columns", "from", "to", "skip_first")

# How many traces are passed to frametool at a time.
AT_ONCE = 32


class Summarizing:
    """Runs frametool on the traces of a part of the work."""

    def __init__(self, options):
        self.program = os.path.basename(options.frametool)
        self.arguments = ["analyze", "--quiet", "--summary", "-"]
        for name in OF_TRACES:
            if getattr(options, name):
                self.arguments += ["--" + name.replace("_", "-"), getattr(options, name)]
        for tag in options.tag:
            self.arguments += ["--tag", tag]
        self.seconds = options.seconds
        self.bytes = options.megabytes << 20
        self.folder = local_folder(options.traces)

    def __call__(self, paths):
        paths = list(paths)
        for start in range(0, len(paths), AT_ONCE):
            some = paths[start : start + AT_ONCE]
            lines, _ = self.run(some, self.folder)
            if len(lines) == len(some):
                yield from lines
            else:
                for path in some:
                    yield self.line(path, self.folder)

    def fetched(self, traces):
        """The same of traces whose content Spark has read, from any file system that it knows."""
        for path, content in traces:
            with tempfile.TemporaryDirectory() as folder:
                copy = os.path.join(folder, path)
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                with open(copy, "wb") as file:
                    file.write(content)
                yield self.line(path, folder)

    def line(self, path, folder):
        """The line of a trace by itself."""
        lines, reason = self.run([path], folder)
        if lines:
            return lines[0]
        size = os.stat(os.path.join(folder, path)).st_size
        record = {"file": path, "size": size, "tags": self.tags(path), "failed": f"{path}: {reason}"}
        return json.dumps(record, ensure_ascii=False, separators=(",", ":"))

    def tags(self, path):
        """The tags of a trace that ends frametool: those of an empty file in its place."""
        with tempfile.TemporaryDirectory() as folder:
            empty = os.path.join(folder, path)
            os.makedirs(os.path.dirname(empty) or folder, exist_ok=True)
            open(empty, "w").close()
            lines, _ = self.run([path], folder)
            return json.loads(lines[0])["tags"] if lines else {}

    def run(self, paths, folder):
        """The lines of traces, or none and why."""

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (self.bytes, self.bytes))

        try:
            done = subprocess.run(
                [SparkFiles.get(self.program), *self.arguments, "-"],
                input="".join(path + "\n" for path in paths).encode(),
                capture_output=True,
                cwd=folder,
                timeout=self.seconds,
                preexec_fn=limit,
            )
        except subprocess.TimeoutExpired:
            return [], f"frametool took longer than {self.seconds:g} s"
        lines = [line for line in done.stdout.decode().splitlines() if not line.startswith('{"schema"')]
        if done.returncode in (0, 65) and len(lines) == len(paths):
            return lines, None
        ending = f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
        message = done.stderr.decode(errors="replace").strip().splitlines()[:1]
        return [], f"frametool ended with {ending}" + "".join(f": {line}" for line in message)


def merged(program, tags):
    """Adds up the lines of a part of the work by tags."""

    def merge(lines):
        text = "\n".join(['{"schema":"frametool.runs/2"}', *lines]) + "\n"
        done = subprocess.run(
            [SparkFiles.get(program), "merge", "--by", ",".join(tags), "-"],
            input=text.encode(),
            capture_output=True,
            check=True,
        )
        return done.stdout.decode().splitlines()[1:]

    return merge


def merge_in_a_tree(lines, program, tags):
    """The merged lines of all parts, eight at a time until one is left."""
    merge = merged(program, tags)
    lines = lines.mapPartitions(merge)
    while lines.getNumPartitions() > 1:
        lines = lines.coalesce(max(1, lines.getNumPartitions() // 8)).mapPartitions(merge)
    return lines.collect()


def local_folder(path):
    """The folder of a path on this machine; none for another file system."""
    if path.startswith("file:"):
        return "/" + path[len("file:") :].lstrip("/")
    return os.path.abspath(path) if "://" not in path else None


def files_in(session, path):
    """The files in a folder and in the folders in it, by their paths from there, in order."""
    hadoop = session._jvm.org.apache.hadoop.fs
    root = hadoop.Path(path)
    system = root.getFileSystem(session._jsc.hadoopConfiguration())
    start = system.getFileStatus(root).getPath().toString().rstrip("/") + "/"
    found = system.listFiles(root, True)
    names = []
    while found.hasNext():
        name = found.next().getPath().toString()[len(start) :]
        if not any(part.startswith(".") for part in name.split("/")):
            names.append(name)
    return start, sorted(names)


def write_text(session, path, text):
    """Writes a file on any file system."""
    target = session._jvm.org.apache.hadoop.fs.Path(path)
    stream = target.getFileSystem(session._jsc.hadoopConfiguration()).create(target, True)
    stream.write(bytearray(text.encode()))
    stream.close()


def table_of(session, text, by):
    """A table of CSV as a data frame: tags and names are texts, `gating` is a flag, all else is numbers."""
    rows = list(csv.reader(io.StringIO(text)))
    texts = {"metric", "definition", "unit", "effect_unit", "verdict", "why", *by}
    flags = {"gating"}

    def kind(name):
        if name in texts:
            return types.StringType()
        return types.BooleanType() if name in flags else types.DoubleType()

    def value(name, cell):
        if name in texts:
            return cell or None
        if name in flags:
            return {"true": True, "false": False}.get(cell)
        return float(cell) if cell else None

    fields = [types.StructField(name, kind(name)) for name in rows[0]]
    values = [[value(name, cell) for name, cell in zip(rows[0], row)] for row in rows[1:]]
    return session.createDataFrame(values, types.StructType(fields))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frametool", required=True, help="the binary that executors run")
    parser.add_argument("--traces", required=True, help="a folder on any file system that Spark knows")
    parser.add_argument("--output", required=True, help="a folder for the results, created if missing")
    parser.add_argument("--by", default="", help="comma-separated tags whose values define a group")
    parser.add_argument("--compare", help="two values of a tag, such as version=1.2..1.3")
    parser.add_argument("--mix", help="tags whose mix must not be mistaken for a change (default: device)")
    parser.add_argument("--metric", help="the metric that is shown and compared (default: frameTime)")
    parser.add_argument("--unit", help="the unit of repetition: each value of this tag counts once, such as a device")
    parser.add_argument("--metrics", help="count only these metrics")
    parser.add_argument("--tag-path", help="tags from the paths of traces, such as '{device}/{version}/*.csv'")
    parser.add_argument("--tag", action="append", default=[], help="a tag for all runs, NAME=VALUE")
    for name in OF_TRACES[2:]:
        option = "--" + name.replace("_", "-")
        parser.add_argument(option, help=f"as for 'frametool analyze {option}'")
    parser.add_argument("--seconds", type=float, default=600, help="time limit for a trace (default: 600)")
    parser.add_argument("--megabytes", type=int, default=4096, help="memory limit for a trace (default: 4096)")
    parser.add_argument("--parts", type=int, default=0, help="number of parts of the work (default: 4 per core)")
    options = parser.parse_args()
    for name in ("mix", "unit"):
        if getattr(options, name) and not options.compare:
            parser.error(f"--{name} has no effect without --compare")

    session = SparkSession.builder.appName("frametool fleet").getOrCreate()
    context = session.sparkContext
    context.addFile(os.path.abspath(options.frametool))
    start, names = files_in(session, options.traces)
    parts = options.parts or max(1, min(len(names), 4 * context.defaultParallelism))
    summarizing = Summarizing(options)
    if summarizing.folder:
        lines = context.parallelize(names, parts).mapPartitions(summarizing)
    else:
        contents = context.binaryFiles(",".join(start + name for name in names), parts)
        lines = contents.map(lambda item: (item[0][len(start) :], bytes(item[1]))).mapPartitions(summarizing.fetched)
    # Only what is lost with an executor is computed again.
    lines = lines.persist(StorageLevel.MEMORY_AND_DISK)

    compared = [options.compare.split("=")[0]] if options.compare else []
    mix = (options.mix or "device").split(",") if compared else []
    mix += [options.unit] if options.unit else []
    by = [tag for tag in options.by.split(",") if tag]
    kept = list(dict.fromkeys(by + compared + mix))
    # The merge sorts the records that it keeps separately, so the lines of failed traces are in order, too.
    summary = merge_in_a_tree(lines, summarizing.program, kept or ["none"])
    text = "\n".join(['{"schema":"frametool.runs/2"}', *summary]) + "\n"
    output = options.output.rstrip("/")
    write_text(session, output + "/summary.jsonl", text)
    session.createDataFrame(lines.map(run_row), RUNS).write.mode("overwrite").parquet(output + "/runs.parquet")

    def asked(*more):
        command = [options.frametool, "fleet", "-", "--format", "csv", *more]
        if options.metric:
            command += ["--metric", options.metric]
        if by:
            command += ["--by", ",".join(by)]
        done = subprocess.run(command, input=text.encode(), capture_output=True)
        if done.returncode:
            raise SystemExit(done.stderr.decode())
        return table_of(session, done.stdout.decode(), by)

    asked().write.mode("overwrite").parquet(output + "/groups.parquet")
    if options.compare:
        kinds = [part for name in ("unit", "mix") if getattr(options, name) for part in ("--" + name, getattr(options, name))]
        asked("--compare", options.compare, *kinds).write.mode("overwrite").parquet(output + "/comparison.parquet")
    session.stop()


if __name__ == "__main__":
    main()
