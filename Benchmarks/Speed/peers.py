"""usage: peers.py NAME FILE

What frametool is measured beside: other tools that read the same file, and answer one question or scan it.
One thread each; CPU time is what is compared.
"""

import sys


def duckdb(path):
    """A PresentMon CSV: for each process the quantiles of frame time and display latency, and the
    share that was never displayed."""
    import duckdb

    question = """
        select Application, ProcessID, count(*),
          quantile_cont(FrameTime, [0.5, 0.9, 0.95, 0.99]), min(FrameTime), avg(FrameTime), max(FrameTime),
          quantile_cont(DisplayLatency, [0.5, 0.9, 0.95, 0.99]), min(DisplayLatency),
          avg(DisplayLatency), max(DisplayLatency), 100.0 * avg((DisplayLatency is null)::int)
        from read_csv(?, nullstr = 'NA')
        group by all"""
    connection = duckdb.connect()
    connection.execute("set threads = 1")
    return connection.execute(question, [path]).fetchall()


def duckdb_columns(path):
    """A PresentMon CSV: for each process the quantiles of each column of numbers."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("set threads = 1")
    file = "from read_csv(?, nullstr = 'NA')"
    names = [
        name
        for name, kind, *_ in connection.execute(f"describe select * {file}", [path]).fetchall()
        if kind == "DOUBLE"
    ]
    columns = [
        f'quantile_cont("{name}", [0.5, 0.9, 0.95, 0.99]), min("{name}"), avg("{name}"), max("{name}")'
        for name in names
    ]
    question = f"select Application, ProcessID, count(*), {', '.join(columns)} {file} group by all"
    return connection.execute(question, [path]).fetchall()


def quantiles(values):
    """The quantiles that duckdb and polars are asked for."""
    values.sort()
    return [values[int(point * (len(values) - 1))] for point in (0.5, 0.9, 0.95, 0.99)]


def polars(path):
    """A MangoHud CSV: the quantiles of the frame times."""
    import polars

    times = polars.scan_csv(path, skip_rows=2).select("frametime")
    points = [0.5, 0.9, 0.95, 0.99]
    return times.select(
        [polars.col("frametime").quantile(p, "linear").alias(f"p{p}") for p in points]
    ).collect()


def simdjson(path):
    """A Chromium trace: for each process the quantiles of how long its frames took, and how many were dropped."""
    import simdjson

    begins, lengths, dropped = {}, {}, {}
    for event in simdjson.Parser().load(path)["traceEvents"]:
        if event["name"] != "PipelineReporter":
            continue
        process = event["pid"]
        frame = process, event["id2"]["local"]
        if event["ph"] == "b":
            begins[frame] = event["ts"]
            # Older versions of Chromium use a different name.
            details = event["args"]
            name = "frame_reporter" if "frame_reporter" in details else "chrome_frame_reporter"
            is_dropped = details[name]["state"] == "STATE_DROPPED"
            dropped[process] = dropped.get(process, 0) + is_dropped
        elif frame in begins:
            lengths.setdefault(process, []).append(event["ts"] - begins.pop(frame))
    return {process: (quantiles(own), dropped[process]) for process, own in lengths.items()}


def simdjson_lines(path):
    """frametool's own format: how many lines are frames."""
    import simdjson

    parser = simdjson.Parser()
    frames = 0
    with open(path, "rb") as lines:
        for line in lines:
            record = parser.parse(line)
            frames += "type" in record and record["type"] == "frame"
            # A parser is reused only once nothing refers to the record it parsed.
            del record
    return frames


def json_runs(path):
    """Summaries of runs: how many frames the runs of each scene and device have."""
    import json

    frames = {}
    with open(path, "rb") as lines:
        next(lines)
        for line in lines:
            run = json.loads(line)
            group = run["tags"]["scene"], run["tags"]["device"]
            frames[group] = frames.get(group, 0) + run["frames"]["n"]
    return frames


def upb(path):
    """A Perfetto trace: for each process the quantiles of how long its frames took, and how many were dropped."""
    import mmap

    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as trace

    begins, lengths, dropped = {}, {}, {}
    place = 0
    with open(path, "rb") as file:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    while place < len(content):
        place += 1
        length = shift = 0
        while True:
            byte = content[place]
            place += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        packet = trace.TracePacket.FromString(content[place : place + length])
        place += length
        if packet.HasField("frame_timeline_event"):
            event = packet.frame_timeline_event
            kind = event.WhichOneof("event")
            if kind == "actual_surface_frame_start":
                start = event.actual_surface_frame_start
                begins[start.cookie] = packet.timestamp, start.pid
                dropped[start.pid] = dropped.get(start.pid, 0) + (start.present_type == 4)
            elif kind == "frame_end" and event.frame_end.cookie in begins:
                start, process = begins.pop(event.frame_end.cookie)
                lengths.setdefault(process, []).append(packet.timestamp - start)
    return {process: (quantiles(own), dropped[process]) for process, own in lengths.items()}


if __name__ == "__main__":
    peers = [duckdb, duckdb_columns, polars, simdjson, simdjson_lines, json_runs, upb]
    named = {peer.__name__.replace("_", "-"): peer for peer in peers}
    print(named[sys.argv[1]](sys.argv[2]))
