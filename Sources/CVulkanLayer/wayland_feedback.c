#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wayland-util.h>

#include "layer.h"

// libwayland belongs to the program: the layer uses the loaded library, and does not link to it.
struct wl_proxy;
struct wl_display;
struct wl_event_queue;

typedef struct {
  struct wl_event_queue *(*create_queue)(struct wl_display *);
  void (*destroy_queue)(struct wl_event_queue *);
  int (*roundtrip)(struct wl_display *, struct wl_event_queue *);
  int (*dispatch_pending)(struct wl_display *, struct wl_event_queue *);
  int (*prepare_read)(struct wl_display *, struct wl_event_queue *);
  void (*cancel_read)(struct wl_display *);
  int (*read_events)(struct wl_display *);
  int (*flush)(struct wl_display *);
  int (*file)(struct wl_display *);
  void *(*create_wrapper)(void *);
  void (*destroy_wrapper)(void *);
  void (*set_queue)(struct wl_proxy *, struct wl_event_queue *);
  void (*destroy)(struct wl_proxy *);
  void (*marshal)(struct wl_proxy *, uint32_t, ...);
  struct wl_proxy *(*make)(struct wl_proxy *, uint32_t, const struct wl_interface *, ...);
  struct wl_proxy *(*make_versioned)(
      struct wl_proxy *, uint32_t, const struct wl_interface *, uint32_t, ...);
  int (*listen)(struct wl_proxy *, void (**)(void), void *);
  uint32_t (*number)(struct wl_proxy *);
  const struct wl_interface *registry, *surface, *output;
} wayland;

static wayland library;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_there;

static void name_types(void);

static void load(void) {
  // A program can only have passed a Wayland surface if it has loaded the library.
  void *file = dlopen("libwayland-client.so.0", RTLD_LAZY | RTLD_NOLOAD);
  if (!file) file = RTLD_DEFAULT;
  const struct {
    void *place;
    const char *name;
  } symbols[] = {
      {&library.create_queue, "wl_display_create_queue"},
      {&library.destroy_queue, "wl_event_queue_destroy"},
      {&library.roundtrip, "wl_display_roundtrip_queue"},
      {&library.dispatch_pending, "wl_display_dispatch_queue_pending"},
      {&library.prepare_read, "wl_display_prepare_read_queue"},
      {&library.cancel_read, "wl_display_cancel_read"},
      {&library.read_events, "wl_display_read_events"},
      {&library.flush, "wl_display_flush"},
      {&library.file, "wl_display_get_fd"},
      {&library.create_wrapper, "wl_proxy_create_wrapper"},
      {&library.destroy_wrapper, "wl_proxy_wrapper_destroy"},
      {&library.set_queue, "wl_proxy_set_queue"},
      {&library.destroy, "wl_proxy_destroy"},
      {&library.marshal, "wl_proxy_marshal"},
      {&library.make, "wl_proxy_marshal_constructor"},
      {&library.make_versioned, "wl_proxy_marshal_constructor_versioned"},
      {&library.listen, "wl_proxy_add_listener"},
      {&library.number, "wl_proxy_get_id"},
      {&library.registry, "wl_registry_interface"},
      {&library.surface, "wl_surface_interface"},
      {&library.output, "wl_output_interface"},
  };
  is_there = true;
  for (size_t place = 0; place < sizeof symbols / sizeof *symbols; place++) {
    void *found = dlsym(file, symbols[place].name);
    if (!found) is_there = false;
    memcpy(symbols[place].place, &found, sizeof found);
  }
  name_types();
}

// presentation-time.xml of wayland-protocols, version 1. The argument types are filled in once
// libwayland is found.
static const struct wl_interface *feedback_types[9];
static const struct wl_message feedback_events[] = {
    {"sync_output", "o", feedback_types},
    {"presented", "uuuuuuu", feedback_types + 1},
    {"discarded", "", feedback_types},
};
static const struct wl_interface feedback_interface = {
    "wp_presentation_feedback", 1, 0, NULL, 3, feedback_events,
};
static const struct wl_interface *presentation_types[2];
static const struct wl_message presentation_requests[] = {
    {"destroy", "", presentation_types},
    {"feedback", "on", presentation_types},
};
static const struct wl_message presentation_events[] = {{"clock_id", "u", feedback_types + 1}};
static const struct wl_interface presentation_interface = {
    "wp_presentation", 1, 2, presentation_requests, 1, presentation_events,
};

static void name_types(void) {
  feedback_types[0] = library.output;
  presentation_types[0] = library.surface;
  presentation_types[1] = &feedback_interface;
}

/// A frame for which a report was requested.
typedef struct {
  struct feedback *owner;
  struct wl_proxy *proxy;
  uint64_t frame;
  uint16_t name;
} question;

enum { MOST_QUESTIONS = 64 };

struct feedback {
  struct wl_display *display;
  struct wl_event_queue *queue;
  struct wl_proxy *registry, *presentation, *surface;
  uint32_t clock;
  /// Whether the compositor's reply has been waited for.
  bool is_searched;
  question questions[MOST_QUESTIONS];
  int64_t interval;
};

static int64_t time_on(clockid_t clock) {
  struct timespec time;
  return clock_gettime(clock, &time) == 0 ? (int64_t)time.tv_sec * 1000000000 + time.tv_nsec : 0;
}

/// A time on the compositor's clock, converted to the recording's clock.
static int64_t on_recording_clock(uint32_t clock, int64_t time) {
  if (clock == CLOCK_MONOTONIC) return time;
  const int64_t before = frame_recorder_now();
  const int64_t other = time_on((clockid_t)clock);
  const int64_t after = frame_recorder_now();
  return time + before + (after - before) / 2 - other;
}

static void answered(question *question) {
  library.destroy(question->proxy);
  question->proxy = NULL;
}

static void on_sync_output(void *data, struct wl_proxy *proxy, struct wl_proxy *output) {
  (void)data, (void)proxy, (void)output;
}

static void on_presented(
    void *data, struct wl_proxy *proxy, uint32_t high, uint32_t low, uint32_t nanoseconds,
    uint32_t refresh, uint32_t sequence_high, uint32_t sequence_low, uint32_t flags) {
  (void)proxy, (void)sequence_high, (void)sequence_low, (void)flags;
  question *asked = data;
  frame_recorder *recorder = recording();
  const int64_t time = ((int64_t)high << 32 | low) * 1000000000 + nanoseconds;
  frame_recorder_event_at(
      recorder, FRAME_RECORDER_DISPLAYED, asked->name, asked->frame,
      on_recording_clock(asked->owner->clock, time));
  if (refresh && asked->owner->interval != refresh) {
    asked->owner->interval = refresh;
    frame_recorder_number(recorder, FRAME_RECORDER_REFRESH_INTERVAL, asked->name, 0, refresh);
  }
  answered(asked);
}

static void on_discarded(void *data, struct wl_proxy *proxy) {
  (void)proxy;
  question *asked = data;
  frame_recorder_event(recording(), FRAME_RECORDER_DISCARDED, asked->name, asked->frame);
  answered(asked);
}

static void on_clock(void *data, struct wl_proxy *proxy, uint32_t clock) {
  (void)proxy;
  ((struct feedback *)data)->clock = clock;
}

static void on_global(
    void *data, struct wl_proxy *registry, uint32_t name, const char *interface, uint32_t version) {
  (void)version;
  struct feedback *own = data;
  if (own->presentation || strcmp(interface, presentation_interface.name) != 0) return;
  static void (*const listener[])(void) = {(void (*)(void))on_clock};
  own->presentation = library.make_versioned(
      registry, 0, &presentation_interface, 1, name, presentation_interface.name, 1, NULL);
  if (own->presentation) library.listen(own->presentation, (void (**)(void))listener, own);
}

static void on_global_gone(void *data, struct wl_proxy *registry, uint32_t name) {
  (void)data, (void)registry, (void)name;
}

uint32_t feedback_surface_number(void *wayland_surface) {
  pthread_once(&once, load);
  return is_there ? library.number(wayland_surface) : 0;
}

struct feedback *feedback_open(void *display, void *wayland_surface) {
  pthread_once(&once, load);
  struct feedback *own = is_there ? calloc(1, sizeof *own) : NULL;
  if (!own) return NULL;
  own->display = display;
  own->surface = wayland_surface;
  own->clock = CLOCK_MONOTONIC;
  own->queue = library.create_queue(display);
  // Objects inherit the queue, so that the program's queue never receives their events.
  void *wrapper = own->queue ? library.create_wrapper(display) : NULL;
  if (wrapper) {
    library.set_queue(wrapper, own->queue);
    own->registry = library.make(wrapper, 1, library.registry, NULL);
    library.destroy_wrapper(wrapper);
  }
  if (own->registry) {
    static void (*const listener[])(void) = {
        (void (*)(void))on_global, (void (*)(void))on_global_gone};
    library.listen(own->registry, (void (**)(void))listener, own);
    return own;
  }
  feedback_close(own);
  return NULL;
}

bool feedback_is_there(struct feedback *own) {
  library.dispatch_pending(own->display, own->queue);
  if (!own->presentation && !own->is_searched) library.roundtrip(own->display, own->queue);
  own->is_searched = true;
  return own->presentation != NULL;
}

void feedback_ask(struct feedback *own, uint16_t name, uint64_t frame) {
  question *asked = own->questions;
  while (asked < own->questions + MOST_QUESTIONS && asked->proxy) asked++;
  // The compositor does not answer for a hidden window.
  if (asked == own->questions + MOST_QUESTIONS) return;
  static void (*const listener[])(void) = {
      (void (*)(void))on_sync_output, (void (*)(void))on_presented,
      (void (*)(void))on_discarded};
  *asked = (question){own, NULL, frame, name};
  if (!own->presentation) return;
  asked->proxy = library.make(own->presentation, 1, &feedback_interface, own->surface, NULL);
  if (asked->proxy) library.listen(asked->proxy, (void (**)(void))listener, asked);
}

void feedback_forget(struct feedback *own, uint64_t frame) {
  for (int place = 0; place < MOST_QUESTIONS; place++) {
    question *asked = &own->questions[place];
    if (asked->proxy && asked->frame == frame) answered(asked);
  }
}

void feedback_take(struct feedback *own) { library.dispatch_pending(own->display, own->queue); }

/// Processes the reports on the last frames, which may not have arrived yet; closing a window can wait a moment.
static void take_last(struct feedback *own) {
  library.dispatch_pending(own->display, own->queue);
  bool waits = false;
  for (int place = 0; place < MOST_QUESTIONS; place++) {
    if (own->questions[place].proxy) waits = true;
  }
  if (!waits || library.prepare_read(own->display, own->queue) != 0) return;
  library.flush(own->display);
  struct pollfd file = {library.file(own->display), POLLIN, 0};
  if (poll(&file, 1, 5) > 0) {
    library.read_events(own->display);
  } else {
    library.cancel_read(own->display);
  }
  library.dispatch_pending(own->display, own->queue);
}

void feedback_close(struct feedback *own) {
  if (!own) return;
  if (own->presentation) {
    take_last(own);
    for (int place = 0; place < MOST_QUESTIONS; place++) {
      if (own->questions[place].proxy) answered(&own->questions[place]);
    }
    library.marshal(own->presentation, 0);
    library.destroy(own->presentation);
  }
  if (own->registry) library.destroy(own->registry);
  if (own->queue) library.destroy_queue(own->queue);
  free(own);
}
