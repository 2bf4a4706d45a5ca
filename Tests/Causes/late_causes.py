"""What late frames have more of, from the kernel's log as text: a second computation, which shares no code with the first.

usage: late_causes.py LOG FRAMES

FRAMES is a JSON list of [start, end, is late] in ns, one for each frame. Prints a JSON object of late frames, by their
place: what the main thread or RenderThread had more of than for the frames in time. The rules are those of the page
"Why was this frame late?".
"""

import collections
import json
import re
import statistics
import sys

LINE = re.compile(r"^\s*(.+)-(\d+)\s+\(\s*(\S+)\)\s+\[(\d+)\]\s+\S+\s+(\d+)\.(\d+): (\w+): (.*)$")
SWITCH = re.compile(r"prev_comm=.* prev_pid=(\d+) prev_prio=\d+ prev_state=(\S+) ==> next_comm=(.*) next_pid=(\d+)")
BINDER = re.compile(r"transaction=(\d+) .*dest_thread=(\d+) reply=(\d+) flags=(0x[0-9a-f]+)")
WAKING = re.compile(r"comm=.* pid=(\d+) prio")


def read(path):
    """The states of each thread as (start, end, state, waker), and its slices as (start, end, name)."""
    states, current, slices, stack, names = (collections.defaultdict(list) for _ in range(5))
    current, names, answers, calls = {}, {}, {}, collections.defaultdict(list)

    def change(thread, time, state):
        if thread == 0:
            return
        if thread in current:
            start, last, waker = current[thread]
            states[thread].append((start, time, last, waker))
        current[thread] = (time, state, None)

    for text in open(path, encoding="utf-8"):
        match = LINE.match(text)
        if not match:
            continue
        name, thread, _, _, seconds, fraction, event, rest = match.groups()
        time = int(seconds) * 1_000_000_000 + int(fraction) * 1000
        thread = int(thread)
        names.setdefault(thread, name)
        if event == "sched_switch":
            before, letters, comm, following = SWITCH.match(rest).groups()
            change(int(before), time, "starved" if letters.startswith("R") else ("kernel" if letters[0] == "D" else "waiting"))
            change(int(following), time, "running")
            names.setdefault(int(following), comm)
        elif event == "sched_waking":
            woken = int(WAKING.match(rest).group(1))
            known = current.get(woken)
            if known and known[1] not in ("waiting", "kernel"):
                continue
            if known:
                current[woken] = (known[0], known[1], thread or None)
            change(woken, time, "starved")
        elif event == "binder_transaction":
            number, receiver, reply, flags = (int(one, 0) for one in BINDER.match(rest).groups())
            if reply:
                answers[number] = receiver
            elif not flags & 1:
                calls[thread].append(time)
        elif event == "binder_transaction_received":
            number = int(rest.split("=")[1])
            if answers.get(number) == thread and calls[thread]:
                slices[thread].append((calls[thread].pop(), time, "binder transaction"))
        elif event == "tracing_mark_write":
            if rest[0] == "B":
                stack[thread].append((time, rest.split("|", 2)[2]))
            elif stack[thread]:
                start, what = stack[thread].pop()
                slices[thread].append((start, time, what))
    return states, slices, names


def kind_of_wait(state, waker, around):
    """What a wait was for: what the innermost slice around its start says, else its state."""
    for _, _, name in sorted(around, key=lambda one: -one[0]):
        if name.startswith("monitor contention") or name.startswith("Lock contention"):
            return "lock"
        if name.startswith("binder "):
            return "binder"
        if name == "WaitForGcToComplete" or name.startswith("GC: "):
            return "garbage"
    if state == "kernel":
        return "uninterruptible"
    return "thread" if waker else "unrecorded"


def account(states, slices, start, end, begins):
    """How long a thread did what in a span; `begins` says whether the work begins on it."""
    times = collections.Counter()
    for first, last, state, waker in states:
        low, high = max(first, start), min(last, end)
        if high <= low:
            continue
        if state == "running":
            times["running"] += high - low
        elif state == "starved":
            times["processor"] += high - low
        elif last < end and (begins or first > start):
            around = [one for one in slices if one[0] <= low < one[1]]
            times[kind_of_wait(state, waker, around)] += high - low
    return times


def main():
    states, slices, names = read(sys.argv[1])
    frames = json.load(open(sys.argv[2], encoding="utf-8"))
    main_thread = 501
    drawing = [thread for thread, name in names.items() if name == "RenderThread"]
    found = {}
    best = {}
    for thread in [main_thread] + drawing:
        accounts = [account(states[thread], slices[thread], start, end, thread == main_thread) for start, end, _ in frames]
        usual = [times for times, (_, _, late) in zip(accounts, frames) if not late]
        kinds = {kind for times in accounts for kind in times}
        medians = {kind: statistics.median(times[kind] for times in usual) for kind in kinds}
        for place, (times, (_, _, late)) in enumerate(zip(accounts, frames)):
            for kind in times if late else []:
                excess = times[kind] - medians[kind]
                if excess > best.get(place, 1_000_000):
                    best[place], found[place] = excess, kind
    print(json.dumps(found, sort_keys=True))


main()
