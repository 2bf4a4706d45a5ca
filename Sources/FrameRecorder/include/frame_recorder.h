// Records frames and touches of a program, for frametool to read.
//
// An event costs tens of nanoseconds on any thread: one clock read, and 32 bytes written to memory
// shared with the file. After a recorder is open, nothing is allocated, locked or waited for.
// Recorded events survive the end of the program, whatever its cause; only a crash of the machine
// can lose them.
//
// The capacity of the file, in events, is fixed when it is opened. When it is full, new events
// replace the oldest ones.
//
//     frame_recorder *recorder = frame_recorder_open("run.frames", "my game", 1 << 20);
//     const uint16_t window = frame_recorder_name(recorder, "main window");
//     for (uint64_t frame = 0; ...; frame++) {
//       frame_recorder_event(recorder, FRAME_RECORDER_APP_BEGIN, window, frame);
//       ...
//       frame_recorder_event(recorder, FRAME_RECORDER_COMMIT, window, frame);
//     }
//     frame_recorder_close(recorder);
//
// It needs only the C library, and is the same in C, C++, Swift and Objective-C.
#ifndef FRAME_RECORDER_H
#define FRAME_RECORDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A file to which events are recorded.
typedef struct frame_recorder frame_recorder;

/// The kind of an event. Record what is known about a frame; omit what the program cannot see.
enum frame_recorder_kind {
  /// The app started working on a frame.
  FRAME_RECORDER_APP_BEGIN = 1,
  /// The app finished working on the frame, if it did so before handing the frame over.
  FRAME_RECORDER_APP_END = 2,
  /// The app handed the frame over: commit, submit, swap, present.
  FRAME_RECORDER_COMMIT = 3,
  /// A compositor within the program started and finished working on the frame.
  FRAME_RECORDER_COMPOSITOR_BEGIN = 4,
  FRAME_RECORDER_COMPOSITOR_END = 5,
  /// The GPU started and finished working on the frame. If the work has several parts, the first
  /// start and the last end count.
  FRAME_RECORDER_GPU_BEGIN = 6,
  FRAME_RECORDER_GPU_END = 7,
  /// The finished buffer was queued for the display.
  FRAME_RECORDER_QUEUED = 8,
  /// The frame appeared on the display.
  FRAME_RECORDER_DISPLAYED = 9,
  /// The frame was never displayed.
  FRAME_RECORDER_DISCARDED = 10,
  /// The app started and stopped waiting for a buffer for the frame.
  FRAME_RECORDER_BUFFER_WAIT_BEGIN = 11,
  FRAME_RECORDER_BUFFER_WAIT_END = 12,
  /// A touch or another input that the frame shows: its time of occurrence, and the time at which the app received it.
  /// Each occurrence is followed by its delivery on the same thread.
  FRAME_RECORDER_TOUCH = 13,
  FRAME_RECORDER_TOUCH_DELIVERED = 14,
  /// A refresh of the display; `frame` is the number of the refresh.
  FRAME_RECORDER_REFRESH = 15,
  /// A time interval; `name` is its name instead of a surface, and `frame` distinguishes intervals
  /// with the same name.
  FRAME_RECORDER_SIGNPOST_BEGIN = 16,
  FRAME_RECORDER_SIGNPOST_END = 17,
  /// A named instant.
  FRAME_RECORDER_MARK = 18,
  /// Numbers instead of instants, recorded with `frame_recorder_number`: the buffer of the frame,
  /// the number of buffers of the surface, and the interval between refreshes of its display, in
  /// nanoseconds.
  FRAME_RECORDER_BUFFER = 19,
  FRAME_RECORDER_BUFFER_COUNT = 20,
  FRAME_RECORDER_REFRESH_INTERVAL = 21,
  /// The driver generated the frame between two frames of the app.
  FRAME_RECORDER_GENERATED = 22,
  /// A note about the recording; `name` is its text.
  FRAME_RECORDER_NOTE = 23,
  /// A condition of the recording; `name` is its text: `gpu=`, `driver=`, `resolution=`, `presentMode=` or
  /// `compositor=`, and the value.
  FRAME_RECORDER_SETTING = 24,
  /// Numbers, recorded with `frame_recorder_number`: how long, in nanoseconds, the thread that handed the frame over
  /// ran for the frame, and how long it waited for a processor in that time. On Linux, the sources are the clock
  /// `CLOCK_THREAD_CPUTIME_ID` and the second number of `/proc/thread-self/schedstat`.
  FRAME_RECORDER_THREAD_RAN = 25,
  FRAME_RECORDER_THREAD_STARVED = 26,
  /// Numbers, five for a frame, one after another on one thread, for a recorder that searches for the response to an
  /// input. The first is the width of the picture, times 2^32, plus its height. The others are 256 bits for cells in 16
  /// rows of 16 from the top left, the lowest bits first; each bit states whether the cell changed since the surface's
  /// last such frame.
  FRAME_RECORDER_PICTURE = 27,
};

/// Opens a file with room for a number of events, at least 1,024. The disk space, 32 bytes for each
/// event, is reserved at once, so that the disk cannot become full later. An existing file is
/// replaced; only the current user can read the new one. On failure, returns a null pointer and
/// sets `errno`.
frame_recorder *frame_recorder_open(const char *path, const char *process, uint64_t events);

/// Returns the number of a surface's or a signpost's name, from 1, and always the same number for the same name;
/// returns 0, which means no name, if there are already 4,095 names. Names longer than 55 bytes are truncated. This
/// takes longer than an event, so call it in advance.
uint16_t frame_recorder_name(frame_recorder *recorder, const char *name);

/// Records an event at the current time. Does nothing if the recorder is null.
void frame_recorder_event(
    frame_recorder *recorder, enum frame_recorder_kind kind, uint16_t name, uint64_t frame);

/// Records an event at a time from another source: a GPU timer, a compositor's feedback, or a
/// touch's timestamp. The time is in nanoseconds on the clock of `frame_recorder_now`.
void frame_recorder_event_at(
    frame_recorder *recorder, enum frame_recorder_kind kind, uint16_t name, uint64_t frame,
    int64_t time);

/// Records a number for a frame or a surface, for the kinds that are not instants.
void frame_recorder_number(
    frame_recorder *recorder, enum frame_recorder_kind kind, uint16_t name, uint64_t frame,
    int64_t number);

/// Returns the current time on the clock of recordings: `CLOCK_MONOTONIC`, in nanoseconds.
int64_t frame_recorder_now(void);

/// Closes the file. No thread may use the recorder afterwards, so stop all recording threads first.
void frame_recorder_close(frame_recorder *recorder);

#ifdef __cplusplus
}
#endif
#endif
