#include "remote_desktop.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)

#include <dbus/dbus.h>

static const char *const REMOTE = "org.gnome.Mutter.RemoteDesktop";
static const char *const REMOTE_PATH = "/org/gnome/Mutter/RemoteDesktop";
static const char *const REMOTE_SESSION = "org.gnome.Mutter.RemoteDesktop.Session";
static const char *const CAST = "org.gnome.Mutter.ScreenCast";
static const char *const CAST_PATH = "/org/gnome/Mutter/ScreenCast";
static const char *const CAST_SESSION = "org.gnome.Mutter.ScreenCast.Session";

/// The maximum time for a reply, in ms.
enum { PATIENCE = 5000 };

struct remote_desktop {
  DBusConnection *bus;
  char *path, *stream;
};

static DBusMessage *call(const char *service, const char *path, const char *interface,
                         const char *name) {
  return dbus_message_new_method_call(service, path, interface, name);
}

/// The reply to a call, which is released; NULL with the reason on failure.
static DBusMessage *answer(DBusConnection *bus, DBusMessage *message, char *problem, size_t count) {
  DBusError error;
  dbus_error_init(&error);
  DBusMessage *found =
      message ? dbus_connection_send_with_reply_and_block(bus, message, PATIENCE, &error) : NULL;
  if (!found) snprintf(problem, count, "%s", error.message ? error.message : "no memory");
  dbus_error_free(&error);
  if (message) dbus_message_unref(message);
  return found;
}

/// The first argument of a reply, a string or an object's path, which the caller frees.
static char *text_of(DBusMessage *message, int type) {
  char *found = NULL;
  DBusMessageIter place, inner;
  if (message && dbus_message_iter_init(message, &place)) {
    if (dbus_message_iter_get_arg_type(&place) == DBUS_TYPE_VARIANT) {
      dbus_message_iter_recurse(&place, &inner);
      place = inner;
    }
    if (dbus_message_iter_get_arg_type(&place) == type) {
      const char *text;
      dbus_message_iter_get_basic(&place, &text);
      found = strdup(text);
    }
  }
  if (message) dbus_message_unref(message);
  return found;
}

/// Adds a table of names and strings with at most one entry.
static void add_table(DBusMessage *message, const char *key, const char *text) {
  DBusMessageIter place, table, entry, value;
  dbus_message_iter_init_append(message, &place);
  dbus_message_iter_open_container(&place, DBUS_TYPE_ARRAY, "{sv}", &table);
  if (key) {
    dbus_message_iter_open_container(&table, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &value);
    dbus_message_iter_append_basic(&value, DBUS_TYPE_STRING, &text);
    dbus_message_iter_close_container(&entry, &value);
    dbus_message_iter_close_container(&table, &entry);
  }
  dbus_message_iter_close_container(&place, &table);
}

/// The session's name, by which a recording of the screen is joined to the session.
static char *identifier(remote_desktop *session, char *problem, size_t count) {
  DBusMessage *message =
      call(REMOTE, session->path, "org.freedesktop.DBus.Properties", "Get");
  const char *name = "SessionId";
  if (message) {
    dbus_message_append_args(message, DBUS_TYPE_STRING, &REMOTE_SESSION, DBUS_TYPE_STRING, &name,
                             DBUS_TYPE_INVALID);
  }
  return text_of(answer(session->bus, message, problem, count), DBUS_TYPE_STRING);
}

/// Records the first monitor, because coordinates are relative to a recording.
static char *stream(remote_desktop *session, char *problem, size_t count) {
  char *name = identifier(session, problem, count);
  if (!name) return NULL;
  DBusMessage *message = call(CAST, CAST_PATH, CAST, "CreateSession");
  if (message) add_table(message, "remote-desktop-session-id", name);
  free(name);
  char *path = text_of(answer(session->bus, message, problem, count), DBUS_TYPE_OBJECT_PATH);
  if (!path) return NULL;
  message = call(CAST, path, CAST_SESSION, "RecordMonitor");
  const char *monitor = "";
  if (message) {
    dbus_message_append_args(message, DBUS_TYPE_STRING, &monitor, DBUS_TYPE_INVALID);
    DBusMessageIter place, table;
    dbus_message_iter_init_append(message, &place);
    dbus_message_iter_open_container(&place, DBUS_TYPE_ARRAY, "{sv}", &table);
    dbus_message_iter_close_container(&place, &table);
  }
  free(path);
  return text_of(answer(session->bus, message, problem, count), DBUS_TYPE_OBJECT_PATH);
}

static int start(remote_desktop *session, char *problem, size_t count) {
  DBusMessage *message = call(REMOTE, REMOTE_PATH, REMOTE, "CreateSession");
  session->path = text_of(answer(session->bus, message, problem, count), DBUS_TYPE_OBJECT_PATH);
  if (!session->path) return -1;
  session->stream = stream(session, problem, count);
  if (!session->stream) return -1;
  message = answer(
      session->bus, call(REMOTE, session->path, REMOTE_SESSION, "Start"), problem, count);
  if (!message) return -1;
  dbus_message_unref(message);
  return 0;
}

remote_desktop *remote_desktop_open(char *problem, size_t count) {
  DBusError error;
  dbus_error_init(&error);
  snprintf(problem, count, "no answer");
  remote_desktop *session = calloc(1, sizeof *session);
  if (!session) return NULL;
  session->bus = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  if (!session->bus) {
    snprintf(problem, count, "%s", error.message ? error.message : "no bus");
    dbus_error_free(&error);
    free(session);
    return NULL;
  }
  dbus_connection_set_exit_on_disconnect(session->bus, FALSE);
  if (start(session, problem, count) == 0) return session;
  remote_desktop_close(session);
  return NULL;
}

void remote_desktop_close(remote_desktop *session) {
  dbus_connection_close(session->bus);
  dbus_connection_unref(session->bus);
  free(session->path);
  free(session->stream);
  free(session);
}

/// Sends a call without waiting for its reply, and discards messages that have arrived.
static int tell(remote_desktop *session, const char *name, int type, ...) {
  DBusMessage *message = call(REMOTE, session->path, REMOTE_SESSION, name);
  if (!message) return -1;
  va_list arguments;
  va_start(arguments, type);
  dbus_message_append_args_valist(message, type, arguments);
  va_end(arguments);
  dbus_message_set_no_reply(message, TRUE);
  const int is_sent = dbus_connection_send(session->bus, message, NULL);
  dbus_message_unref(message);
  dbus_connection_flush(session->bus);
  dbus_connection_read_write(session->bus, 0);
  for (DBusMessage *heard; (heard = dbus_connection_pop_message(session->bus));) {
    dbus_message_unref(heard);
  }
  return is_sent && dbus_connection_get_is_connected(session->bus) ? 0 : -1;
}

int remote_desktop_touch(remote_desktop *session, int is_down, double x, double y) {
  const dbus_uint32_t slot = 0;
  if (!is_down) {
    return tell(session, "NotifyTouchUp", DBUS_TYPE_UINT32, &slot, DBUS_TYPE_INVALID);
  }
  return tell(session, "NotifyTouchDown", DBUS_TYPE_STRING, &session->stream, DBUS_TYPE_UINT32,
              &slot, DBUS_TYPE_DOUBLE, &x, DBUS_TYPE_DOUBLE, &y, DBUS_TYPE_INVALID);
}

int remote_desktop_move(remote_desktop *session, double x, double y) {
  return tell(session, "NotifyPointerMotionAbsolute", DBUS_TYPE_STRING, &session->stream,
              DBUS_TYPE_DOUBLE, &x, DBUS_TYPE_DOUBLE, &y, DBUS_TYPE_INVALID);
}

int remote_desktop_button(remote_desktop *session, int32_t button, int is_down) {
  const dbus_bool_t state = is_down;
  return tell(session, "NotifyPointerButton", DBUS_TYPE_INT32, &button, DBUS_TYPE_BOOLEAN, &state,
              DBUS_TYPE_INVALID);
}

int remote_desktop_key(remote_desktop *session, uint32_t key, int is_down) {
  const dbus_bool_t state = is_down;
  return tell(session, "NotifyKeyboardKeycode", DBUS_TYPE_UINT32, &key, DBUS_TYPE_BOOLEAN, &state,
              DBUS_TYPE_INVALID);
}

#else

remote_desktop *remote_desktop_open(char *problem, size_t count) {
  snprintf(problem, count, "GNOME's remote desktop is on Linux only");
  return NULL;
}

void remote_desktop_close(remote_desktop *session) { (void)session; }

int remote_desktop_touch(remote_desktop *session, int is_down, double x, double y) { return -1; }

int remote_desktop_move(remote_desktop *session, double x, double y) { return -1; }

int remote_desktop_button(remote_desktop *session, int32_t button, int is_down) { return -1; }

int remote_desktop_key(remote_desktop *session, uint32_t key, int is_down) { return -1; }

#endif
