#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "frame_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// The file layout: a header, 4,095 names, and the events; all numbers are little-endian. The importer
// in FrameKit reads the same layout; a change requires a new version of both.
enum {
  VERSION = 2,
  NAME_COUNT = 4095,
  NAME_SIZE = 56,
  HEADER_SIZE = 256,
  EVENTS_START = HEADER_SIZE + (NAME_COUNT + 1) * NAME_SIZE,
  LEAST_EVENTS = 1024
};

typedef struct {
  /// The event's index among all events ever recorded, plus 1. It is written last; 0 means that the
  /// event is being written.
  _Atomic uint64_t number;
  int64_t time;
  uint64_t frame;
  uint16_t kind;
  uint16_t name;
  /// The recorder's number for the thread that recorded the event.
  uint32_t thread;
} event_record;

typedef struct {
  char magic[8];
  uint32_t version;
  uint32_t event_size;
  uint64_t capacity;
  /// The number of events ever recorded.
  _Atomic uint64_t count;
  uint64_t events_start;
  int64_t started_monotonic;
  int64_t started_realtime;
  uint64_t pid;
  char process[64];
  /// The number of names, and how often there was no room for another name. A name is complete before it is counted.
  _Atomic uint64_t names, names_missed;
} file_header;

_Static_assert(sizeof(event_record) == 32, "an event has 32 bytes");
_Static_assert(sizeof(file_header) <= HEADER_SIZE, "the header has room");

struct frame_recorder {
  file_header *header;
  char (*names)[NAME_SIZE];
  event_record *events;
  uint64_t capacity;
  size_t size;
  pthread_mutex_t lock;
};

static _Atomic uint32_t threads;
static _Thread_local uint32_t thread_number;

static int64_t time_on(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t frame_recorder_now(void) { return time_on(CLOCK_MONOTONIC); }

/// Reserves the disk space, so that later writes to memory cannot fail. Returns the error number,
/// or 0.
static int reserve(int file, size_t size) {
#if defined(__linux__)
  int failure;
  do {
    failure = posix_fallocate(file, 0, (off_t)size);
  } while (failure == EINTR);
  return failure;
#else
  fstore_t store = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, (off_t)size, 0};
  if (fcntl(file, F_PREALLOCATE, &store) < 0) return errno;
  return ftruncate(file, (off_t)size) < 0 ? errno : 0;
#endif
}

/// Copies a string with a terminating zero, truncated at a UTF-8 character boundary if it is too long.
static void copy_text(char *to, size_t size, const char *from) {
  size_t length = from ? strlen(from) : 0;
  if (length >= size) {
    length = size - 1;
    while (length > 0 && ((unsigned char)from[length] & 0xC0) == 0x80) length--;
  }
  memcpy(to, from ? from : "", length);
  to[length] = 0;
}

frame_recorder *frame_recorder_open(const char *path, const char *process, uint64_t events) {
  if (!path || events > SIZE_MAX / 64) {
    errno = EINVAL;
    return NULL;
  }
  const uint64_t capacity = events < LEAST_EVENTS ? LEAST_EVENTS : events;
  const size_t size = EVENTS_START + (size_t)capacity * sizeof(event_record);
  frame_recorder *recorder = calloc(1, sizeof *recorder);
  if (!recorder) return NULL;
  // An existing file is replaced by a new one. Nothing is written through a file that another user
  // placed there, and a reader of the old file keeps its data.
  unlink(path);
  const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  int failure = file < 0 ? errno : reserve(file, size);
  unsigned char *bytes = MAP_FAILED;
  if (!failure) {
    bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) failure = errno;
  }
  if (file >= 0) {
    // A file without a header is useless.
    if (failure) unlink(path);
    close(file);
  }
  if (failure) {
    free(recorder);
    errno = failure;
    return NULL;
  }
  // Touch all pages now, so that no event has to wait for a page fault.
  memset(bytes, 0, size);
  recorder->header = (file_header *)bytes;
  recorder->names = (char(*)[NAME_SIZE])(bytes + HEADER_SIZE);
  recorder->events = (event_record *)(bytes + EVENTS_START);
  recorder->capacity = capacity;
  recorder->size = size;
  pthread_mutex_init(&recorder->lock, NULL);
  file_header *header = recorder->header;
  header->version = VERSION;
  header->event_size = sizeof(event_record);
  header->capacity = capacity;
  header->events_start = EVENTS_START;
  header->started_monotonic = time_on(CLOCK_MONOTONIC);
  header->started_realtime = time_on(CLOCK_REALTIME);
  header->pid = (uint64_t)getpid();
  copy_text(header->process, sizeof header->process, process);
  // The magic number is written last: a file with the number has a complete header.
  atomic_thread_fence(memory_order_release);
  memcpy(header->magic, "FRAMEREC", sizeof header->magic);
  return recorder;
}

uint16_t frame_recorder_name(frame_recorder *recorder, const char *name) {
  if (!recorder || !name || !*name) return 0;
  char text[NAME_SIZE];
  copy_text(text, sizeof text, name);
  pthread_mutex_lock(&recorder->lock);
  file_header *header = recorder->header;
  const uint64_t count = atomic_load_explicit(&header->names, memory_order_relaxed);
  uint64_t place = 0;
  while (place < count && strcmp(recorder->names[place], text) != 0) place++;
  uint16_t number = 0;
  if (place < NAME_COUNT) {
    number = (uint16_t)(place + 1);
    if (place == count) {
      memcpy(recorder->names[place], text, sizeof text);
      atomic_store_explicit(&header->names, count + 1, memory_order_release);
    }
  } else {
    atomic_fetch_add_explicit(&header->names_missed, 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&recorder->lock);
  return number;
}

void frame_recorder_event_at(
    frame_recorder *recorder, enum frame_recorder_kind kind, uint16_t name, uint64_t frame,
    int64_t time) {
  if (!recorder) return;
  if (thread_number == 0) {
    thread_number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
  }
  const uint64_t place =
      atomic_fetch_add_explicit(&recorder->header->count, 1, memory_order_relaxed);
  event_record *event = &recorder->events[place % recorder->capacity];
  // A concurrent reader, or a reader after a crash at this point, sees that the event is incomplete.
  atomic_store_explicit(&event->number, 0, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  event->time = time;
  event->frame = frame;
  event->kind = (uint16_t)kind;
  event->name = name;
  event->thread = thread_number;
  atomic_store_explicit(&event->number, place + 1, memory_order_release);
}

void frame_recorder_event(
    frame_recorder *recorder, enum frame_recorder_kind kind, uint16_t name, uint64_t frame) {
  if (recorder) frame_recorder_event_at(recorder, kind, name, frame, time_on(CLOCK_MONOTONIC));
}

void frame_recorder_number(
    frame_recorder *recorder, enum frame_recorder_kind kind, uint16_t name, uint64_t frame,
    int64_t number) {
  frame_recorder_event_at(recorder, kind, name, frame, number);
}

void frame_recorder_close(frame_recorder *recorder) {
  if (!recorder) return;
  munmap(recorder->header, recorder->size);
  pthread_mutex_destroy(&recorder->lock);
  free(recorder);
}
