// libwayland and a compositor, as far as the layer needs them. Every call on a connection that the game has closed is
// reported and ends the test.
#include "stand_in_wayland.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wayland-util.h>

int connection_is_open = 1, driver_has_read, wayland_roundtrips, wayland_left;

typedef struct wl_proxy {
  const char *interface;
  void (**listener)(void);
  void *data;
  /// The refresh at which a frame is shown, in ns; 0 for other objects.
  int64_t shown;
  int is_told;
  struct wl_proxy *next;
} wl_proxy;

static wl_proxy *proxies;

#define USE()                                                            \
  if (!connection_is_open) {                                             \
    fprintf(stderr, "%s on a connection that is closed\n", __func__);    \
    exit(9);                                                             \
  }

const struct wl_interface wl_registry_interface = {"wl_registry", 1, 0, NULL, 0, NULL};
const struct wl_interface wl_surface_interface = {"wl_surface", 4, 0, NULL, 0, NULL};
const struct wl_interface wl_output_interface = {"wl_output", 1, 0, NULL, 0, NULL};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static wl_proxy *make(const char *interface) {
  wl_proxy *made = calloc(1, sizeof *made);
  *made = (wl_proxy){interface, NULL, NULL, 0, 0, proxies};
  proxies = made;
  wayland_left++;
  return made;
}

void *wl_display_create_queue(void *display) {
  USE();
  (void)display;
  wayland_left++;
  return malloc(1);
}

void wl_event_queue_destroy(void *queue) {
  USE();
  wayland_left--;
  free(queue);
}

static void deliver(void) {
  for (wl_proxy *own = proxies; own; own = own->next) {
    if (!own->listener || own->is_told) continue;
    if (strcmp(own->interface, "wl_registry") == 0) {
      own->is_told = 1;
      ((void (*)(void *, void *, uint32_t, const char *, uint32_t))own->listener[0])(
          own->data, own, 3, "wp_presentation", 1);
      return;
    }
    if (strcmp(own->interface, "wp_presentation") == 0) {
      own->is_told = 1;
      ((void (*)(void *, void *, uint32_t))own->listener[0])(own->data, own, CLOCK_MONOTONIC);
      return;
    }
    if (!own->shown || own->shown > now()) continue;
    own->is_told = 1;
    ((void (*)(void *, void *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t))
         own->listener[1])(
        own->data, own, 0, (uint32_t)(own->shown / 1000000000), (uint32_t)(own->shown % 1000000000),
        16666667, 0, 0, 0);
    return;
  }
}

int wl_display_dispatch_queue_pending(void *display, void *queue) {
  USE();
  (void)display, (void)queue;
  // Events come in with what the driver reads.
  for (int turn = 0; driver_has_read && turn < 8; turn++) deliver();
  return 0;
}

int wl_display_roundtrip_queue(void *display, void *queue) {
  USE();
  wayland_roundtrips++;
  driver_has_read = 1;
  return wl_display_dispatch_queue_pending(display, queue);
}

int wl_display_prepare_read_queue(void *display, void *queue) {
  USE();
  (void)display, (void)queue;
  return 0;
}
void wl_display_cancel_read(void *display) { USE(); (void)display; }
int wl_display_read_events(void *display) { USE(); (void)display; return 0; }
int wl_display_flush(void *display) { USE(); (void)display; return 0; }
int wl_display_get_fd(void *display) { USE(); (void)display; return -1; }
void *wl_proxy_create_wrapper(void *proxy) { USE(); return proxy; }
void wl_proxy_wrapper_destroy(void *proxy) { USE(); (void)proxy; }
void wl_proxy_set_queue(void *proxy, void *queue) { USE(); (void)proxy, (void)queue; }
uint32_t wl_proxy_get_id(void *proxy) { USE(); (void)proxy; return 7; }

void wl_proxy_destroy(void *proxy) {
  USE();
  wl_proxy **place = &proxies;
  while (*place && *place != proxy) place = &(*place)->next;
  if (!*place) {
    fprintf(stderr, "an object is destroyed that is not there\n");
    exit(9);
  }
  *place = (*place)->next;
  wayland_left--;
  free(proxy);
}

void wl_proxy_marshal(void *proxy, uint32_t opcode, ...) { USE(); (void)proxy, (void)opcode; }

void *wl_proxy_marshal_constructor(
    void *proxy, uint32_t opcode, const struct wl_interface *interface, ...) {
  USE();
  (void)proxy, (void)opcode;
  wl_proxy *made = make(interface->name);
  if (strcmp(interface->name, "wp_presentation_feedback") == 0) made->shown = now() + 5000000;
  return made;
}

void *wl_proxy_marshal_constructor_versioned(
    void *proxy, uint32_t opcode, const struct wl_interface *interface, uint32_t version, ...) {
  USE();
  (void)proxy, (void)opcode, (void)version;
  return make(interface->name);
}

int wl_proxy_add_listener(void *proxy, void (**listener)(void), void *data) {
  USE();
  ((wl_proxy *)proxy)->listener = listener;
  ((wl_proxy *)proxy)->data = data;
  return 0;
}
