"""Summarizes any number of traces on Dask, and compares groups of them.

    frametool_dask.py --scheduler tcp://host:8786 --frametool /usr/local/bin/frametool \\
        --traces s3://night --output s3://night-fleet --by device --compare version=1.2..1.3

Workers need the frametool binary at the given path, pyarrow, and the folders of traces and results. Without
--scheduler, the work is done on this machine. What the output folder contains is in frametool_traces.py.
"""

import operator
import sys

from dask.distributed import Client, LocalCluster, as_completed

import frametool_traces


def main():
    words = frametool_traces.parser(__doc__)
    words.add_argument("--scheduler", help="the address of the scheduler (default: this machine)")
    options = frametool_traces.parsed(words)
    fleet = frametool_traces.Fleet(options)
    client = Client(options.scheduler or LocalCluster(threads_per_worker=1, dashboard_address=None))
    client.upload_file(frametool_traces.__file__)
    parts = fleet.parts(options.parts or 4 * sum(client.ncores().values()))
    fleet.start()
    work = client.map(summarize, [options] * len(parts), range(len(parts)), parts, retries=2, pure=False)
    for done, _ in enumerate(as_completed(work), 1):
        print(f"{done} of {len(parts)} parts", file=sys.stderr)
    merged = []
    for bucket in range(frametool_traces.BUCKETS):
        lines = [client.submit(operator.getitem, part, bucket) for part in work]
        merged.append(client.submit(merge, options, lines, pure=False))
    status = fleet.finish([line for lines in client.gather(merged) for line in lines])
    client.close()
    return status


def summarize(options, part, traces):
    return frametool_traces.Fleet(options).summarize(part, traces)


def merge(options, parts):
    lines = [line for lines in parts for line in lines]
    return frametool_traces.Fleet(options).merge(lines) if lines else []


if __name__ == "__main__":
    frametool_traces.start(main)
