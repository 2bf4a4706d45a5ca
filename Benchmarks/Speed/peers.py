"""usage: peers.py NAME FILE

What frametool is measured beside: other tools that are asked the same of the same file.
One thread each, as frametool takes one for a file; CPU time is what is compared.
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


def polars(path):
    """A MangoHud CSV: the quantiles of the frame times."""
    import polars

    times = polars.scan_csv(path, skip_rows=2).select("frametime")
    points = [0.5, 0.9, 0.95, 0.99]
    return times.select(
        [polars.col("frametime").quantile(p, "linear").alias(f"p{p}") for p in points]
    ).collect()


def simdjson(path):
    """A Chromium trace: how many frames were drawn, and how many were dropped."""
    import simdjson

    drawn = dropped = 0
    for event in simdjson.Parser().load(path)["traceEvents"]:
        name = event["name"]
        if name == "DrawFrame":
            drawn += 1
        elif name == "PipelineReporter" and event["ph"] == "b":
            # Older versions of Chromium use a different name.
            details = event["args"]
            name = "frame_reporter" if "frame_reporter" in details else "chrome_frame_reporter"
            dropped += details[name]["state"] == "STATE_DROPPED"
    return drawn, dropped


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
    """A Perfetto trace: how many frames of surfaces began, and how many were dropped."""
    import mmap

    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as trace

    began = dropped = place = 0
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
            if event.HasField("actual_surface_frame_start"):
                began += 1
                dropped += event.actual_surface_frame_start.present_type == 4
    return began, dropped


if __name__ == "__main__":
    peers = [duckdb, polars, simdjson, simdjson_lines, json_runs, upb]
    named = {peer.__name__.replace("_", "-"): peer for peer in peers}
    print(named[sys.argv[1]](sys.argv[2]))
