"""Summarizes any number of traces on Apache Spark, and compares groups of them.

    scripts/fleet/run --traces s3://night --output s3://night-fleet \\
        --tag-path '{device}/{version}/*.csv' --by device --compare version=1.2..1.3

Executors run the frametool binary on the traces of a part of the work, each trace in a separate process with limits
of time and memory; one that exceeds them, or crashes the process, becomes a failed row. Parts have about the same
number of bytes. Their lines are divided by the runs' ids, and merged with 'frametool merge', whose result does not
depend on their order. What the output folder contains is in frametool_traces.py, which also has the work itself.
"""

import os

import pyarrow
from pyspark import SparkFiles
from pyspark.sql import SparkSession

import frametool_traces


def in_batches(bucket, lines):
    """Lines as batches with the bucket of each."""
    for start in range(0, len(lines), 256):
        some = lines[start : start + 256]
        yield pyarrow.RecordBatch.from_pydict({"bucket": [bucket] * len(some), "line": some})


def summarizing(fleet):
    def work(rows):
        for batch in rows:
            for row in batch.to_pylist():
                traces = [(trace["name"], trace["size"]) for trace in row["traces"]]
                for bucket, lines in enumerate(fleet.summarize(row["part"], traces)):
                    yield from in_batches(bucket, lines)

    return work


def merging(fleet):
    def work(rows):
        lines = [line for batch in rows for line in batch.column("line").to_pylist()]
        # Spark also runs the task for a part without rows.
        yield from in_batches(0, fleet.merge(lines) if lines else [])

    return work


def main():
    options = frametool_traces.parsed(frametool_traces.parser(__doc__))
    session = SparkSession.builder.appName("frametool fleet").getOrCreate()
    context = session.sparkContext
    context.addFile(os.path.abspath(options.frametool))
    name = os.path.basename(options.frametool)
    # On the driver, the binary is where it was given.
    work = frametool_traces.Fleet(options, program=lambda: SparkFiles.get(name))
    fleet = frametool_traces.Fleet(options)
    parts = fleet.parts(options.parts or 4 * context.defaultParallelism)
    fleet.start()
    table = session.createDataFrame(list(enumerate(parts)), "part int, traces array<struct<name: string, size: bigint>>")
    lines = table.repartitionByRange(len(parts), "part").mapInArrow(summarizing(work), "bucket bigint, line string")
    lines = lines.repartition(frametool_traces.BUCKETS, "bucket").mapInArrow(merging(work), "bucket bigint, line string")
    status = fleet.finish([row.line for row in lines.collect()])
    session.stop()
    return status


if __name__ == "__main__":
    frametool_traces.start(main)
