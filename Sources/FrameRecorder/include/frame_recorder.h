// Records frames and touches of your own program, for frametool to read.
//
// An event costs tens of nanoseconds, from any thread: a look at the clock, and 32 bytes written to memory
// that the file shares. Nothing is allocated, locked or waited for after a recorder is open. What was written
// survives the program, however it ends; only the machine's end can lose it.
//
// The file has room for a number of events that is fixed when it is opened. When it is full, the oldest events
// give way to new ones.
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
// It needs the C library only, and is the same in C, C++, Swift and Objective-C.
#ifndef FRAME_RECORDER_H
#define FRAME_RECORDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A file that events are recorded to.
typedef struct frame_recorder frame_recorder;

/// What happened. Of a frame: what was seen of it; what your program cannot see is left out.
enum frame_recorder_kind {
  /// The app started to work on a frame.
  FRAME_RECORDER_APP_BEGIN = 1,
  /// The app was done with it, where that is not when it handed the frame over.
  FRAME_RECORDER_APP_END = 2,
  /// The app handed it over: commit, submit, swap, present.
  FRAME_RECORDER_COMMIT = 3,
  /// A compositor of your own started and finished work on it.
  FRAME_RECORDER_COMPOSITOR_BEGIN = 4,
  FRAME_RECORDER_COMPOSITOR_END = 5,
  /// The GPU started and finished work on it; of several pieces of work, the first start and the last end count.
  FRAME_RECORDER_GPU_BEGIN = 6,
  FRAME_RECORDER_GPU_END = 7,
  /// The finished buffer was queued for the display.
  FRAME_RECORDER_QUEUED = 8,
  /// The frame came onto the display.
  FRAME_RECORDER_DISPLAYED = 9,
  /// The frame was never displayed.
  FRAME_RECORDER_DISCARDED = 10,
  /// The app started and ended to wait for a buffer for the frame.
  FRAME_RECORDER_BUFFER_WAIT_BEGIN = 11,
  FRAME_RECORDER_BUFFER_WAIT_END = 12,
  /// A touch or another input that the frame shows: when it was made, and when the app received it. Each touch
  /// that is made is followed by when the same thread received it.
  FRAME_RECORDER_TOUCH = 13,
  FRAME_RECORDER_TOUCH_DELIVERED = 14,
  /// A refresh of the display; the frame is the number of the refresh.
  FRAME_RECORDER_REFRESH = 15,
  /// A stretch of time with the name in place of a surface; the frame tells stretches of one name apart.
  FRAME_RECORDER_SIGNPOST_BEGIN = 16,
  FRAME_RECORDER_SIGNPOST_END = 17,
  /// An instant with a name.
  FRAME_RECORDER_MARK = 18,
  /// Not instants, but numbers, which `frame_recorder_number` records: the buffer that the frame is in; how
  /// many buffers the surface has been given; the time between refreshes of its display, in nanoseconds.
  FRAME_RECORDER_BUFFER = 19,
  FRAME_RECORDER_BUFFER_COUNT = 20,
  FRAME_RECORDER_REFRESH_INTERVAL = 21,
  /// The driver made the frame between two of the app's.
  FRAME_RECORDER_GENERATED = 22,
  /// Something to know about the recording; the name is the words.
  FRAME_RECORDER_NOTE = 23,
};

/// Opens a file and makes room for so many events, at least 1,024; 32 bytes each are taken from the disk at
/// once, so that it cannot become full later. A file of that name is replaced; only this user can read the new one.
/// Returns a null pointer, and the reason in `errno`, when that is not possible.
frame_recorder *frame_recorder_open(const char *path, const char *process, uint64_t events);

/// The number of a surface's or a signpost's name, from 1 on, the same each time; 0, which stands for no name,
/// when there are 255 already. Names of more than 55 bytes are cut. Takes longer than an event: call it
/// beforehand.
uint16_t frame_recorder_name(frame_recorder *recorder, const char *name);

/// Records that something happened now. Does nothing without a recorder.
void frame_recorder_event(
    frame_recorder *recorder, enum frame_recorder_kind kind, uint16_t name, uint64_t frame);

/// Records that something happened at a time that something else tells: a GPU's timer, a compositor's
/// feedback, a touch's own time. In nanoseconds of the clock that `frame_recorder_now` looks at.
void frame_recorder_event_at(
    frame_recorder *recorder, enum frame_recorder_kind kind, uint16_t name, uint64_t frame,
    int64_t time);

/// Records a number of a frame or a surface, for those kinds that are not instants.
void frame_recorder_number(
    frame_recorder *recorder, enum frame_recorder_kind kind, uint16_t name, uint64_t frame,
    int64_t number);

/// The time on the clock of recordings: `CLOCK_MONOTONIC`, in nanoseconds.
int64_t frame_recorder_now(void);

/// Closes the file. No thread may use the recorder any more: let those that record end first.
void frame_recorder_close(frame_recorder *recorder);

#ifdef __cplusplus
}
#endif
#endif
