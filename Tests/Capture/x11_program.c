// usage: x11_program FRAMES [WORK_MS [WINDOWS]]
//
// Presents pixmaps to windows as a driver does, each when the one before it was shown, and prints what the X server
// told it: a line with the window, the serial, the number of the refresh, its time in µs and the mode for each.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/present.h>
#include <xcb/xcb.h>

enum { PIXMAPS = 3, MOST_WINDOWS = 8 };

static bool await(xcb_connection_t *connection, int count) {
  while (count > 0) {
    xcb_generic_event_t *event = xcb_wait_for_event(connection);
    if (!event) return false;
    const xcb_present_complete_notify_event_t *told = (const void *)event;
    if ((event->response_type & 0x7f) == XCB_GE_GENERIC && told->kind == XCB_PRESENT_COMPLETE_KIND_PIXMAP) {
      printf("%u %u %llu %llu %u\n", told->window, told->serial, (unsigned long long)told->msc,
             (unsigned long long)told->ust, told->mode);
      count--;
    }
    free(event);
  }
  return true;
}

int main(int count, char **words) {
  const int frames = count > 1 ? atoi(words[1]) : 60;
  const int work = count > 2 ? atoi(words[2]) : 4;
  const int wanted = count > 3 ? atoi(words[3]) : 1;
  const int windows = wanted < MOST_WINDOWS ? wanted : MOST_WINDOWS;
  xcb_connection_t *connection = xcb_connect(NULL, NULL);
  if (xcb_connection_has_error(connection)) return 69;
  const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
  xcb_window_t window[MOST_WINDOWS];
  xcb_pixmap_t pixmap[MOST_WINDOWS][PIXMAPS];
  for (int place = 0; place < windows; place++) {
    window[place] = xcb_generate_id(connection);
    xcb_create_window(connection, XCB_COPY_FROM_PARENT, window[place], screen->root, 0, 0, 200, 200, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, NULL);
    char title[16];
    snprintf(title, sizeof title, "window %d", place + 1);
    xcb_change_property(connection, XCB_PROP_MODE_REPLACE, window[place], XCB_ATOM_WM_NAME,
                        XCB_ATOM_STRING, 8, (uint32_t)strlen(title), title);
    xcb_map_window(connection, window[place]);
    xcb_present_select_input(connection, xcb_generate_id(connection), window[place],
                             XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY);
    for (int number = 0; number < PIXMAPS; number++) {
      pixmap[place][number] = xcb_generate_id(connection);
      xcb_create_pixmap(connection, screen->root_depth, pixmap[place][number], window[place], 200, 200);
    }
  }
  for (int frame = 0; frame < frames; frame++) {
    usleep((useconds_t)work * 1000);
    for (int place = 0; place < windows; place++) {
      xcb_present_pixmap(connection, window[place], pixmap[place][frame % PIXMAPS], (uint32_t)frame + 1, 0,
                         0, 0, 0, 0, 0, 0, XCB_PRESENT_OPTION_NONE, 0, 0, 0, 0, NULL);
    }
    xcb_flush(connection);
    if (!await(connection, windows)) return 70;
  }
  return 0;
}
