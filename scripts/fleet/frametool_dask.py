"""Summarizes any number of traces on Dask, and compares groups of them.

    frametool_dask.py --scheduler tcp://host:8786 --frametool /usr/local/bin/frametool \\
        --traces s3://night --output s3://night-fleet --by device --compare version=1.2..1.3

Workers need the frametool binary at the given path, pyarrow, and the folders of traces and results. Without
--scheduler, the work is done on this machine. What the output folder contains is in frametool_traces.py.
"""

import sys

from dask.distributed import Client, LocalCluster, as_completed

import frametool_traces

# How many parts are merged by a task.
BRANCHES = 8


def main():
    words = frametool_traces.parser(__doc__)
    words.add_argument("--scheduler", help="the address of the scheduler (default: this machine)")
    options = frametool_traces.parsed(words)
    client = Client(options.scheduler or LocalCluster(threads_per_worker=1, dashboard_address=None))
    client.upload_file(frametool_traces.__file__)
    cores = sum(client.ncores().values())
    fleet = frametool_traces.Fleet(options)
    parts = fleet.parts(options.parts or 4 * cores)
    fleet.start()
    work = client.map(summarize, [options] * len(parts), range(len(parts)), parts, retries=2, pure=False)
    for done, _ in enumerate(as_completed(work), 1):
        print(f"{done} of {len(parts)} parts", file=sys.stderr)
    while len(work) > BRANCHES:
        groups = [work[start : start + BRANCHES] for start in range(0, len(work), BRANCHES)]
        work = [client.submit(merge, options, group, pure=False) for group in groups]
    status = fleet.finish([line for lines in client.gather(work) for line in lines])
    client.close()
    sys.exit(status)


def summarize(options, part, names):
    return frametool_traces.Fleet(options).summarize(part, names)


def merge(options, parts):
    return frametool_traces.Fleet(options).merge([line for lines in parts for line in lines])


if __name__ == "__main__":
    main()
