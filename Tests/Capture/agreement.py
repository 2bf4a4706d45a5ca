"""What the layer and the compositor's messages say of the same display times, one beside the other."""
import statistics

from compositors import Compositor
from processes import end_orphans
from recordings import Recording, is_message, lines_of
from report import Report, Skip, say

MOST = 50_000


def check_agreement(road, quick):
    if not (road.sees_wire and road.sees_gpu):
        return
    frames = 180 if quick else 900
    for kind in ("pixman", "gl"):
        with Compositor(kind) as compositor:
            for mode, number, count in (("FIFO", "2", frames), ("MAILBOX", "1", 5 * frames)):
                name = f"{road.name}: vkcube {mode} on {kind}"
                say(name)
                words = ["vkcube-wayland", "--c", str(count), "--present_mode", number]
                run = Recording(compositor, road, words, options=["--quiet"], name=f"agreement {name}")
                run.wait(90)
                end_orphans()
                agree(name, lines_of(run.path), count)


# The index of each clock in a line, by its number in wp_presentation.
PLACES = {0: 0, 1: 1, 4: 2, 7: 3}


def joined(lines):
    """A function from the compositor's clock to CLOCK_MONOTONIC."""
    number = next((line[6][0] for line in lines if is_message(line, "wp_presentation", "clock_id")), None)
    place = PLACES.get(number)
    pairs = [
        (line[6][place], line[6][1]) for line in lines
        if is_message(line, "capture", "clocks") and place is not None]
    if not pairs:
        raise Skip(f"no clocks are stated for the clock {number}")

    def join(at):
        for (a, b), (c, d) in zip(pairs, pairs[1:]):
            if a <= at <= c and c > a:
                return b + (at - a) * (d - b) / (c - a)
        nearest = min(pairs, key=lambda pair: abs(pair[0] - at))
        return at + nearest[1] - nearest[0]
    return join


def told(lines, surface):
    """By frame of the surface, when the messages say that it was displayed; on the compositor's clock."""
    asked, found, count = {}, {}, 0
    for line in lines:
        if is_message(line, "wp_presentation", "feedback") and line[6][0] == surface:
            # Object numbers are reused, so each stands for the newest request.
            asked[line[1], line[6][1]] = count
            count += 1
        elif is_message(line, "wp_presentation_feedback", "presented"):
            frame = asked.pop((line[1], line[4]), None)
            if frame is not None:
                found[frame] = line[6][0]
        elif is_message(line, "wp_presentation_feedback", "discarded"):
            asked.pop((line[1], line[4]), None)
    return count, found


def agree(name, lines, count):
    frames = {line[6][0]: line[6][8] for line in lines if is_message(line, "vulkan", "frame")}
    surfaces = {line[4] for line in lines if is_message(line, "vulkan", "frame")}
    if len(surfaces) != 1:
        Report.add("agreement", name, f"{len(surfaces)} surfaces", 0, False, "expected one")
        return
    try:
        join = joined(lines)
    except Skip as skip:
        Report.add("agreement", name, "", 0, False, str(skip))
        return
    asked, messages = told(lines, surfaces.pop())
    displayed = {frame: at for frame, at in frames.items() if at is not None}
    both = sorted(displayed.keys() & messages.keys())
    apart = [abs(join(messages[frame]) - displayed[frame]) / 1000 for frame in both]
    troubles = []
    if asked != count:
        troubles.append(f"{asked} feedbacks are asked for, {count} frames are drawn")
    # Either one can miss what comes after the program's last reading.
    if len(both) < max(2, 0.97 * max(len(displayed), len(messages)) - 3):
        troubles.append(f"displayed by the layer {len(displayed)}, by the messages {len(messages)}")
    if apart and max(apart) > MOST / 1000:
        over = sum(value > MOST / 1000 for value in apart)
        troubles.append(f"{over} of {len(apart)} more than {MOST // 1000} µs apart")
    measured = f"layer {len(displayed)}, messages {len(messages)}, both {len(both)}"
    if apart:
        measured += f", apart {statistics.median(apart):.1f} µs, {max(apart):.1f} at most"
    Report.add("agreement", name, measured, len(both), bool(both) and not troubles, "; ".join(troubles))
