#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "layer.h"

typedef struct worker {
  device *device;
  pthread_t thread;
  /// The process that has the thread; a forked child does not.
  pid_t process;
  _Atomic bool stops;
} worker;

/// The sleep times, in ns, while frames arrive and after some time without any.
static const long NAP = 4000000, LONG_NAP = 50000000;
/// The sleep time while pictures are read; there is room for only one picture of each image.
static const long PICTURE_NAP = 1000000;
enum { NAPS_TO_LONG = 250 };

/// Processes the reports of the GPU. Reports of a compositor arrive on a connection that the program may close during
/// processing.
static void look(device *own) {
  if (own->gpu) gpu_times_collect(own->gpu);
  pictures_compare(own);
}

static void *work(void *data) {
  worker *own = data;
  uint64_t last = 0;
  int idle = 0;
  while (!atomic_load_explicit(&own->stops, memory_order_acquire)) {
    // The frames that respond to an input come after a pause, and none of their pictures may be missed.
    const struct timespec nap = {
        0, own->device->picture_queues ? PICTURE_NAP : idle > NAPS_TO_LONG ? LONG_NAP : NAP};
    nanosleep(&nap, NULL);
    const uint64_t frame = atomic_load_explicit(&own->device->frame, memory_order_relaxed);
    idle = frame == last ? idle + 1 : 0;
    last = frame;
    look(own->device);
  }
  return NULL;
}

bool start_thread(pthread_t *thread, void *(*body)(void *), void *data) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool is_started = pthread_create(thread, NULL, body, data) == 0;
  if (is_started) pthread_setname_np(*thread, "frametool");
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return is_started;
}

void worker_start(device *device) {
  pthread_mutex_lock(&device->lock);
  worker *made = device->worker ? NULL : calloc(1, sizeof *made);
  if (made) {
    made->device = device;
    made->process = getpid();
    if (start_thread(&made->thread, work, made)) {
      device->worker = made;
    } else {
      free(made);
    }
  }
  pthread_mutex_unlock(&device->lock);
}

void worker_stop(device *device) {
  worker *own = device->worker;
  if (!own) return;
  if (own->process == getpid()) {
    atomic_store_explicit(&own->stops, true, memory_order_release);
    pthread_join(own->thread, NULL);
    look(device);
  }
  device->worker = NULL;
  free(own);
}
