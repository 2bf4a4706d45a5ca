#include "x11_present.h"

#include <stdio.h>

#if defined(__linux__)

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xcb/present.h>
#include <xcb/record.h>
#include <xcb/res.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

/// RECORD's kinds of data, for which its header has no names.
enum { FROM_CLIENT = 1, CLIENT_STARTED = 2, CLIENT_DIED = 3 };

/// PresentPixmapSynced of version 1.4, with explicit synchronization, which older headers lack: its number, its length,
/// and the offsets of the fields that are read. Up to the serial, it is the same as PresentPixmap.
enum { SYNCED = 5, SYNCED_LENGTH = 88, SYNCED_OPTIONS = 56, SYNCED_TARGET = 64 };

/// Each request is preceded by the server's time of the request.
enum { TIME_LENGTH = 4 };

struct x11_present {
  /// The connection that sends requests and receives events, and the dedicated connection that RECORD needs.
  xcb_connection_t *own, *data;
  xcb_record_context_t context;
  unsigned int sequence;
  uint8_t present;
  xcb_atom_t net_wm_name, utf8;
  /// A reply of RECORD that may contain further requests, and the offset of the next request.
  xcb_record_enable_context_reply_t *reply;
  size_t place;
  int64_t arrival;
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static x11_present *failed(x11_present *session, const char *why, char *problem, size_t count) {
  snprintf(problem, count, "%s", why);
  x11_present_close(session);
  return NULL;
}

static xcb_atom_t atom(xcb_connection_t *connection, const char *name) {
  xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
      connection, xcb_intern_atom(connection, 0, (uint16_t)strlen(name), name), NULL);
  const xcb_atom_t found = reply ? reply->atom : XCB_ATOM_NONE;
  free(reply);
  return found;
}

static bool has(xcb_connection_t *connection, xcb_extension_t *extension) {
  const xcb_query_extension_reply_t *found = xcb_get_extension_data(connection, extension);
  return found && found->present;
}

/// The versions must be negotiated before any other request of an extension.
static bool agree(xcb_connection_t *own) {
  xcb_present_query_version_reply_t *present =
      xcb_present_query_version_reply(own, xcb_present_query_version(own, 1, 2), NULL);
  xcb_record_query_version_reply_t *record =
      xcb_record_query_version_reply(own, xcb_record_query_version(own, 1, 13), NULL);
  const bool agrees = present && record;
  free(present);
  free(record);
  return agrees;
}

x11_present *x11_present_open(const char *display, char *problem, size_t count) {
  x11_present *session = calloc(1, sizeof *session);
  if (!session) return failed(NULL, "there is no memory", problem, count);
  session->own = xcb_connect(display, NULL);
  session->data = xcb_connect(display, NULL);
  if (xcb_connection_has_error(session->own) || xcb_connection_has_error(session->data)) {
    return failed(session, "there is no X server, or it does not accept the connection", problem, count);
  }
  xcb_connection_t *own = session->own;
  if (!has(own, &xcb_present_id)) return failed(session, "the X server has no Present", problem, count);
  if (!has(own, &xcb_record_id)) return failed(session, "the X server has no RECORD", problem, count);
  // Otherwise, it would be unknown which windows belong to the program.
  if (!has(own, &xcb_res_id)) return failed(session, "the X server has no X-Resource", problem, count);
  if (!agree(own)) return failed(session, "the X server does not answer", problem, count);
  session->present = xcb_get_extension_data(own, &xcb_present_id)->major_opcode;
  session->net_wm_name = atom(own, "_NET_WM_NAME");
  session->utf8 = atom(own, "UTF8_STRING");

  xcb_record_range_t range = {
      .ext_requests =
          {
              .major = {.first = session->present, .last = session->present},
              .minor = {.first = XCB_PRESENT_PIXMAP, .last = SYNCED},
          },
      .client_started = 1,
      .client_died = 1,
  };
  const xcb_record_client_spec_t clients = XCB_RECORD_CS_ALL_CLIENTS;
  session->context = xcb_generate_id(own);
  xcb_generic_error_t *error = xcb_request_check(
      own, xcb_record_create_context_checked(
          own, session->context, XCB_RECORD_H_TYPE_FROM_CLIENT_TIME, 1, 1, &clients, &range));
  if (error) {
    free(error);
    return failed(session, "the X server does not allow RECORD", problem, count);
  }
  const uint32_t mask = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
  for (xcb_screen_iterator_t place = xcb_setup_roots_iterator(xcb_get_setup(own)); place.rem;
       xcb_screen_next(&place)) {
    xcb_change_window_attributes(own, place.data->root, XCB_CW_EVENT_MASK, &mask);
  }
  xcb_flush(own);
  session->sequence = xcb_record_enable_context(session->data, session->context).sequence;
  xcb_flush(session->data);
  return session;
}

void x11_present_close(x11_present *session) {
  if (!session) return;
  free(session->reply);
  if (session->data) xcb_disconnect(session->data);
  if (session->own) xcb_disconnect(session->own);
  free(session);
}

void x11_present_files(const x11_present *session, int files[2]) {
  files[0] = xcb_get_file_descriptor(session->own);
  files[1] = xcb_get_file_descriptor(session->data);
}

/// The next request of the reply that is being read. A reply ends after a complete request.
static bool next_request(x11_present *session, x11_event *event) {
  const xcb_record_enable_context_reply_t *reply = session->reply;
  const uint8_t *bytes = xcb_record_enable_context_data(reply);
  const size_t count = (size_t)xcb_record_enable_context_data_length(reply);
  while (session->place + TIME_LENGTH + 4 <= count) {
    const uint8_t *start = bytes + session->place + TIME_LENGTH;
    uint32_t time;
    memcpy(&time, bytes + session->place, sizeof time);
    size_t words = (size_t)start[2] | (size_t)start[3] << 8;
    if (reply->client_swapped) words = (size_t)start[3] | (size_t)start[2] << 8;
    // A request without a length cannot be skipped.
    if (words == 0 || session->place + TIME_LENGTH + words * 4 > count) return false;
    session->place += TIME_LENGTH + words * 4;
    const bool is_own = reply->xid_base == xcb_get_setup(session->own)->resource_id_base;
    if (start[0] != session->present || reply->client_swapped || is_own) continue;
    *event = (x11_event){
        .arrival = session->arrival, .server_time = time, .client = reply->xid_base};
    if (start[1] == XCB_PRESENT_SELECT_INPUT && words * 4 >= sizeof(xcb_present_select_input_request_t)) {
      xcb_present_select_input_request_t request;
      memcpy(&request, start, sizeof request);
      event->kind = X11_SELECTED;
      event->window = request.window;
      return true;
    }
    const bool is_present =
        start[1] == XCB_PRESENT_PIXMAP && words * 4 >= sizeof(xcb_present_pixmap_request_t);
    const bool is_synced = start[1] == SYNCED && words * 4 >= SYNCED_LENGTH;
    if (is_present || is_synced) {
      // Both requests begin with the same fields.
      xcb_present_pixmap_request_t request;
      memcpy(&request, start, sizeof request);
      event->kind = X11_PRESENT;
      event->window = request.window;
      event->serial = request.serial;
      event->pixmap = request.pixmap;
      event->options = request.options;
      event->target_msc = request.target_msc;
      if (is_synced) {
        memcpy(&event->options, start + SYNCED_OPTIONS, sizeof event->options);
        memcpy(&event->target_msc, start + SYNCED_TARGET, sizeof event->target_msc);
      }
      return true;
    }
  }
  return false;
}

/// The next event from RECORD.
static int next_recorded(x11_present *session, x11_event *event) {
  for (;;) {
    if (session->reply) {
      if (session->reply->category == FROM_CLIENT && next_request(session, event)) return 1;
      free(session->reply);
      session->reply = NULL;
    }
    void *reply = NULL;
    xcb_generic_error_t *error = NULL;
    if (!xcb_poll_for_reply(session->data, session->sequence, &reply, &error)) return 0;
    free(error);
    if (!reply) return -1;
    session->reply = reply;
    session->place = 0;
    session->arrival = now();
    const uint8_t category = session->reply->category;
    if (category == CLIENT_STARTED || category == CLIENT_DIED) {
      *event = (x11_event){
          .kind = category == CLIENT_STARTED ? X11_CONNECTED : X11_GONE,
          .arrival = session->arrival,
          .client = session->reply->xid_base};
      return 1;
    }
  }
}

/// The common prefix of a connection's resources, from one of the resources.
static uint32_t client_of(const x11_present *session, uint32_t resource) {
  return resource & ~xcb_get_setup(session->own)->resource_id_mask;
}

/// The next event from Present, or about new windows on the screen.
static int next_presented(x11_present *session, x11_event *event) {
  for (;;) {
    xcb_generic_event_t *found = xcb_poll_for_event(session->own);
    if (!found) return 0;
    const int64_t arrival = now();
    const xcb_present_generic_event_t *generic = (const void *)found;
    bool is_kept = false;
    if ((found->response_type & 0x7f) == XCB_CREATE_NOTIFY) {
      const xcb_create_notify_event_t *told = (const void *)found;
      is_kept = true;
      *event = (x11_event){
          .kind = X11_CREATED,
          .arrival = arrival,
          .window = told->window,
          .client = client_of(session, told->window)};
    } else if ((found->response_type & 0x7f) == XCB_GE_GENERIC && generic->extension == session->present) {
      if (generic->evtype == XCB_PRESENT_COMPLETE_NOTIFY) {
        const xcb_present_complete_notify_event_t *told = (const void *)found;
        // A program may also request the number of the refresh without a pixmap.
        is_kept = told->kind == XCB_PRESENT_COMPLETE_KIND_PIXMAP;
        *event = (x11_event){
            .kind = X11_COMPLETE,
            .arrival = arrival,
            .window = told->window,
            .serial = told->serial,
            .msc = told->msc,
            .ust = told->ust <= INT64_MAX / 1000 ? (int64_t)told->ust * 1000 : 0,
            .mode = told->mode};
      } else if (generic->evtype == XCB_PRESENT_IDLE_NOTIFY) {
        const xcb_present_idle_notify_event_t *told = (const void *)found;
        is_kept = true;
        *event = (x11_event){
            .kind = X11_IDLE,
            .arrival = arrival,
            .window = told->window,
            .serial = told->serial,
            .pixmap = told->pixmap};
      }
    }
    free(found);
    if (is_kept) return 1;
  }
}

int x11_present_next(x11_present *session, x11_event *event) {
  // Requests come before the reports of what was shown.
  int found = next_recorded(session, event);
  if (found == 0) found = next_presented(session, event);
  if (found == 0 && (xcb_connection_has_error(session->own) || xcb_connection_has_error(session->data))) {
    return -1;
  }
  return found;
}

void x11_present_wake(x11_present *session) {
  // Any request with a reply has this effect; the reply is discarded.
  xcb_discard_reply(session->own, xcb_get_input_focus(session->own).sequence);
  xcb_flush(session->own);
}

int x11_present_follow(x11_present *session, uint32_t window) {
  xcb_generic_error_t *error = xcb_request_check(
      session->own,
      xcb_present_select_input_checked(
          session->own, xcb_generate_id(session->own), window,
          XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY | XCB_PRESENT_EVENT_MASK_IDLE_NOTIFY));
  const int result = error ? -1 : 0;
  free(error);
  return result;
}

size_t x11_present_clients(x11_present *session, uint32_t *clients, size_t count) {
  if (!has(session->own, &xcb_res_id)) return 0;
  xcb_res_query_clients_reply_t *reply =
      xcb_res_query_clients_reply(session->own, xcb_res_query_clients(session->own), NULL);
  if (!reply) return 0;
  size_t found = 0;
  for (xcb_res_client_iterator_t place = xcb_res_query_clients_clients_iterator(reply); place.rem;
       xcb_res_client_next(&place)) {
    if (found < count) clients[found] = place.data->resource_base;
    found++;
  }
  free(reply);
  return found;
}

int32_t x11_present_process(x11_present *session, uint32_t client) {
  if (!has(session->own, &xcb_res_id)) return 0;
  const xcb_res_client_id_spec_t wanted = {
      .client = client, .mask = XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
  xcb_res_query_client_ids_reply_t *reply = xcb_res_query_client_ids_reply(
      session->own, xcb_res_query_client_ids(session->own, 1, &wanted), NULL);
  if (!reply) return 0;
  int32_t process = 0;
  xcb_res_client_id_value_iterator_t place = xcb_res_query_client_ids_ids_iterator(reply);
  if (place.rem > 0 && xcb_res_client_id_value_value_length(place.data) > 0) {
    process = (int32_t)xcb_res_client_id_value_value(place.data)[0];
  }
  free(reply);
  return process;
}

void x11_present_title(x11_present *session, uint32_t window, char *text, size_t count) {
  if (count == 0) return;
  text[0] = 0;
  const xcb_atom_t names[] = {session->net_wm_name, XCB_ATOM_WM_NAME};
  for (size_t place = 0; place < 2 && !text[0]; place++) {
    xcb_get_property_reply_t *reply = xcb_get_property_reply(
        session->own,
        xcb_get_property(
            session->own, 0, window, names[place], XCB_GET_PROPERTY_TYPE_ANY, 0, 64),
        NULL);
    if (!reply) continue;
    const size_t length = (size_t)xcb_get_property_value_length(reply);
    const size_t kept = length < count - 1 ? length : count - 1;
    memcpy(text, xcb_get_property_value(reply), kept);
    text[kept] = 0;
    free(reply);
  }
}

#else

x11_present *x11_present_open(const char *display, char *problem, size_t count) {
  (void)display;
  snprintf(problem, count, "X11 is recorded on Linux only");
  return NULL;
}
void x11_present_close(x11_present *session) { (void)session; }
void x11_present_files(const x11_present *session, int files[2]) {
  (void)session;
  files[0] = files[1] = -1;
}
int x11_present_next(x11_present *session, x11_event *event) {
  (void)session, (void)event;
  return -1;
}
void x11_present_wake(x11_present *session) { (void)session; }
int x11_present_follow(x11_present *session, uint32_t window) {
  (void)session, (void)window;
  return -1;
}
size_t x11_present_clients(x11_present *session, uint32_t *clients, size_t count) {
  (void)session, (void)clients, (void)count;
  return 0;
}
int32_t x11_present_process(x11_present *session, uint32_t client) {
  (void)session, (void)client;
  return 0;
}
void x11_present_title(x11_present *session, uint32_t window, char *text, size_t count) {
  (void)session, (void)window;
  if (count) text[0] = 0;
}

#endif
