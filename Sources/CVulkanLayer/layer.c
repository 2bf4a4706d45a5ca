#define _GNU_SOURCE
#include "layer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define LAYER_NAME "VK_LAYER_FRAMETOOL_capture"
#define EXPORTED __attribute__((visibility("default")))

// There are few items in each list, and they are created and destroyed rarely, but read by many threads at once.
static pthread_rwlock_t lists = PTHREAD_RWLOCK_INITIALIZER;
static instance *instances;
static device *devices;
static surface *surfaces;
_Atomic uint64_t latest_frame;

/// The loader's dispatch table, which all handles of one instance or device share.
static void *key_of(const void *dispatchable) { return *(void *const *)dispatchable; }

#define FIND(list, condition)                        \
  pthread_rwlock_rdlock(&lists);                     \
  __auto_type found = list;                          \
  while (found && !(condition)) found = found->next; \
  pthread_rwlock_unlock(&lists);                     \
  return found

instance *instance_of(const void *dispatchable) {
  FIND(instances, found->key == key_of(dispatchable));
}

device *device_of(const void *dispatchable) { FIND(devices, found->key == key_of(dispatchable)); }

surface *surface_of(VkSurfaceKHR handle) { FIND(surfaces, found->handle == handle); }

#define REMOVE(list, condition)                        \
  pthread_rwlock_wrlock(&lists);                       \
  __typeof__(list) *place = &(list);                   \
  while (*place && !(condition)) place = &(*place)->next; \
  __typeof__(list) removed = *place;                   \
  if (removed) *place = removed->next;                 \
  pthread_rwlock_unlock(&lists)

#define ADD(list, item)          \
  pthread_rwlock_wrlock(&lists); \
  (item)->next = list;           \
  list = item;                   \
  pthread_rwlock_unlock(&lists)

surface *add_surface(VkSurfaceKHR handle, const char *kind, uint64_t number) {
  surface *added = calloc(1, sizeof *added);
  if (!added) return NULL;
  added->handle = handle;
  added->references = 1;
  snprintf(added->label, sizeof added->label, "%s %llu", kind, (unsigned long long)number);
  ADD(surfaces, added);
  return added;
}

void remove_surface(VkSurfaceKHR handle) {
  REMOVE(surfaces, (*place)->handle == handle);
  if (removed) release_surface(removed);
}

void release_surface(surface *released) {
  pthread_rwlock_wrlock(&lists);
  const bool is_last = --released->references == 0;
  pthread_rwlock_unlock(&lists);
  // The remainder of the feedback belongs to a connection that may be closed.
  if (!is_last) return;
  free(released->cells);
  free(released);
}

void use_surface(surface *used) {
  pthread_rwlock_wrlock(&lists);
  used->references++;
  const bool is_first = used->chains++ == 0;
  pthread_rwlock_unlock(&lists);
  if (is_first && used->window) used->feedback = feedback_open(used->display, used->window);
}

void leave_surface(surface *left) {
  pthread_rwlock_wrlock(&lists);
  const bool is_last = --left->chains == 0;
  pthread_rwlock_unlock(&lists);
  if (!is_last) return;
  feedback_close(left->feedback);
  left->feedback = NULL;
}

// The recording.

static _Atomic(frame_recorder *) opened;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static bool was_opened;

/// A file with a lock that is held until this process ends, so that the recorder knows that the process is running.
static int held = -1;

/// After a fork, the child must not use its parent's recording.
static void after_fork(void) {
  // Another thread of the parent may have held a lock, which no thread of the child can release.
  pthread_rwlock_init(&lists, NULL);
  atomic_store(&opened, NULL);
  was_opened = false;
  // The lock stays with the parent.
  if (held >= 0) close(held);
  held = -1;
  pthread_mutex_init(&opening, NULL);
}

/// A path at which no file exists yet: a process may execute another program, and processes in
/// different containers may have the same ID.
static bool free_path(char *path, size_t size, const char *folder, int folder_length) {
  for (int number = 0; number < 1000; number++) {
    const int length =
        snprintf(path, size, "%.*s/%d-%d.ring", folder_length, folder, (int)getpid(), number);
    if (length >= (int)size) return false;
    if (access(path, F_OK) != 0) return true;
  }
  return false;
}

static void hold(const char *path) {
  held = open(path, O_RDONLY | O_CLOEXEC);
  if (held >= 0) flock(held, LOCK_SH);
}

/// Opens a recording in the first folder of a list that this process can write to: a container may not see all of them.
static frame_recorder *open_in(const char *folders, const char *program) {
  frame_recorder *made = NULL;
  while (folders && *folders && !made) {
    const int length = (int)strcspn(folders, ":");
    char path[4096];
    if (free_path(path, sizeof path, folders, length)) {
      made = frame_recorder_open(path, program, 1 << 16);
      if (made) hold(path);
    }
    folders += length;
    folders += *folders == ':';
  }
  return made;
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, after_fork); }

frame_recorder *recording(void) {
  frame_recorder *found = atomic_load_explicit(&opened, memory_order_acquire);
  if (found) return found;
  pthread_mutex_lock(&opening);
  if (!was_opened) {
    was_opened = true;
    const char *folders = getenv("FRAMETOOL_CAPTURE");
    char program[64] = "";
    if (folders) {
      FILE *name = fopen("/proc/self/comm", "re");
      if (name) {
        if (!fgets(program, sizeof program, name)) program[0] = 0;
        fclose(name);
        program[strcspn(program, "\n")] = 0;
      }
      atomic_store(&opened, open_in(folders, program));
    }
  }
  pthread_mutex_unlock(&opening);
  return atomic_load(&opened);
}

void record_setting(const char *key, const char *value) {
  frame_recorder *recorder = recording();
  char text[64];
  if (!recorder || !*value) return;
  snprintf(text, sizeof text, "%s=%s", key, value);
  frame_recorder_number(
      recorder, FRAME_RECORDER_SETTING, frame_recorder_name(recorder, text), 0, 0);
}

void record_note(const char *words, uint16_t surface_name) {
  frame_recorder *recorder = recording();
  frame_recorder_number(
      recorder, FRAME_RECORDER_NOTE, frame_recorder_name(recorder, words), surface_name, 0);
}

// Instances.

static PFN_vkVoidFunction instance_proc(VkInstance handle, const char *name);
static PFN_vkVoidFunction device_proc(VkDevice handle, const char *name);

#define FUNCTION(table, handle, name) ((PFN_##name)(table)(handle, #name))

bool is_named(const char *const *names, uint32_t count, const char *name) {
  for (uint32_t place = 0; place < count; place++) {
    if (strcmp(names[place], name) == 0) return true;
  }
  return false;
}

/// Whether the layer needs an extension that the program does not enable, as is possible for
/// programs written for Vulkan 1.0.
static bool needs_properties2(const VkInstanceCreateInfo *info) {
  const VkApplicationInfo *program = info->pApplicationInfo;
  return !(program && program->apiVersion >= VK_API_VERSION_1_1) &&
         !is_named(info->ppEnabledExtensionNames, info->enabledExtensionCount,
                   VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME);
}

/// The program's list of extensions, with the additional extension.
static const char **with_properties2(const VkInstanceCreateInfo *info) {
  const char **list = malloc((info->enabledExtensionCount + 1) * sizeof *list);
  if (!list) return NULL;
  for (uint32_t place = 0; place < info->enabledExtensionCount; place++) {
    list[place] = info->ppEnabledExtensionNames[place];
  }
  list[info->enabledExtensionCount] = VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME;
  return list;
}

static VkResult create_instance(
    const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator, VkInstance *handle) {
  static pthread_once_t watching = PTHREAD_ONCE_INIT;
  pthread_once(&watching, watch_forks);
  VkLayerInstanceCreateInfo *link = (void *)info->pNext;
  while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
                   link->function == VK_LAYER_LINK_INFO)) {
    link = (void *)link->pNext;
  }
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  VkLayerInstanceLink *const before = link->u.pLayerInfo;
  const PFN_vkGetInstanceProcAddr next = before->pfnNextGetInstanceProcAddr;
  const PFN_vkCreateInstance create = FUNCTION(next, NULL, vkCreateInstance);
  const VkInstance given = *handle;
  VkResult result = VK_ERROR_EXTENSION_NOT_PRESENT;
  link->u.pLayerInfo = before->pNext;
  // A program that only queries the available devices has a recording without frames, instead of no recording.
  const bool is_recording = recording() != NULL;
  const char **extensions = is_recording && needs_properties2(info) ? with_properties2(info) : NULL;
  const bool has_properties2 = extensions != NULL;
  if (extensions) {
    VkInstanceCreateInfo more = *info;
    more.enabledExtensionCount++;
    more.ppEnabledExtensionNames = extensions;
    result = create(&more, allocator, handle);
    free(extensions);
    if (result != VK_SUCCESS) {
      link->u.pLayerInfo = before->pNext;
      *handle = given;
    }
  }
  const bool is_added = has_properties2 && result == VK_SUCCESS;
  if (result != VK_SUCCESS) result = create(info, allocator, handle);
  instance *made = result == VK_SUCCESS ? calloc(1, sizeof *made) : NULL;
  if (!made) return result;
  made->key = key_of(*handle);
  made->handle = *handle;
  made->next_proc = next;
  made->destroy = FUNCTION(next, *handle, vkDestroyInstance);
  made->destroy_surface = FUNCTION(next, *handle, vkDestroySurfaceKHR);
  made->create_wayland_surface = FUNCTION(next, *handle, vkCreateWaylandSurfaceKHR);
  made->create_xcb_surface = (create_x11_surface)next(*handle, "vkCreateXcbSurfaceKHR");
  made->create_xlib_surface = (create_x11_surface)next(*handle, "vkCreateXlibSurfaceKHR");
  made->device_extensions = FUNCTION(next, *handle, vkEnumerateDeviceExtensionProperties);
  made->properties = FUNCTION(next, *handle, vkGetPhysicalDeviceProperties);
  made->queue_families = FUNCTION(next, *handle, vkGetPhysicalDeviceQueueFamilyProperties);
  if (is_named(info->ppEnabledExtensionNames, info->enabledExtensionCount,
               VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME)) {
    made->surface_capabilities2 = FUNCTION(next, *handle, vkGetPhysicalDeviceSurfaceCapabilities2KHR);
  }
  const VkApplicationInfo *program = info->pApplicationInfo;
  if (program && program->apiVersion >= VK_API_VERSION_1_1) {
    made->features2 = FUNCTION(next, *handle, vkGetPhysicalDeviceFeatures2);
    made->properties2 = FUNCTION(next, *handle, vkGetPhysicalDeviceProperties2);
  } else if (is_added || !needs_properties2(info)) {
    made->features2 =
        (PFN_vkGetPhysicalDeviceFeatures2)next(*handle, "vkGetPhysicalDeviceFeatures2KHR");
    made->properties2 =
        (PFN_vkGetPhysicalDeviceProperties2)next(*handle, "vkGetPhysicalDeviceProperties2KHR");
  }
  made->time_domains = FUNCTION(next, *handle, vkGetPhysicalDeviceCalibrateableTimeDomainsEXT);
  made->time_domains_khr = (PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)next(
      *handle, "vkGetPhysicalDeviceCalibrateableTimeDomainsKHR");
  ADD(instances, made);
  return result;
}

static void destroy_instance(VkInstance handle, const VkAllocationCallbacks *allocator) {
  if (!handle) return;
  REMOVE(instances, (*place)->key == key_of(handle));
  if (!removed) return;
  // The driver may be unloaded now, even if the program has not destroyed its devices.
  pthread_rwlock_rdlock(&lists);
  for (device *own = devices; own; own = own->next) {
    if (own->instance == removed) worker_stop(own);
  }
  pthread_rwlock_unlock(&lists);
  removed->destroy(handle, allocator);
  free(removed);
}

static VkResult create_wayland_surface(
    VkInstance handle, const VkWaylandSurfaceCreateInfoKHR *info,
    const VkAllocationCallbacks *allocator, VkSurfaceKHR *surface_handle) {
  instance *own = instance_of(handle);
  if (!own || !own->create_wayland_surface) return VK_ERROR_INITIALIZATION_FAILED;
  const VkResult result = own->create_wayland_surface(handle, info, allocator, surface_handle);
  if (result != VK_SUCCESS || !recording()) return result;
  surface *added =
      add_surface(*surface_handle, "wl_surface", feedback_surface_number(info->surface));
  if (added) {
    added->is_wayland = true;
    added->display = info->display;
    added->window = info->surface;
  }
  return result;
}

/// The name of an X11 window is its number, which a recorder of the X server also knows.
static void name_x11_window(VkSurfaceKHR surface_handle, uint64_t window) {
  if (recording()) add_surface(surface_handle, "x11_window", window);
}

static VkResult create_xcb_surface(
    VkInstance handle, const void *info, const VkAllocationCallbacks *allocator,
    VkSurfaceKHR *surface_handle) {
  instance *own = instance_of(handle);
  if (!own || !own->create_xcb_surface) return VK_ERROR_INITIALIZATION_FAILED;
  const VkResult result = own->create_xcb_surface(handle, info, allocator, surface_handle);
  if (result == VK_SUCCESS) {
    name_x11_window(*surface_handle, ((const xcb_surface_info *)info)->window);
  }
  return result;
}

static VkResult create_xlib_surface(
    VkInstance handle, const void *info, const VkAllocationCallbacks *allocator,
    VkSurfaceKHR *surface_handle) {
  instance *own = instance_of(handle);
  if (!own || !own->create_xlib_surface) return VK_ERROR_INITIALIZATION_FAILED;
  const VkResult result = own->create_xlib_surface(handle, info, allocator, surface_handle);
  if (result == VK_SUCCESS) {
    name_x11_window(*surface_handle, ((const xlib_surface_info *)info)->window);
  }
  return result;
}

static void destroy_surface(
    VkInstance handle, VkSurfaceKHR surface_handle, const VkAllocationCallbacks *allocator) {
  instance *own = instance_of(handle);
  remove_surface(surface_handle);
  if (own && own->destroy_surface) own->destroy_surface(handle, surface_handle, allocator);
}

// Devices.

bool has_extension(instance *instance, VkPhysicalDevice physical, const char *name) {
  uint32_t count = 0;
  if (instance->device_extensions(physical, NULL, &count, NULL) != VK_SUCCESS) return false;
  VkExtensionProperties *all = calloc(count ? count : 1, sizeof *all);
  bool is_there = false;
  if (all && instance->device_extensions(physical, NULL, &count, all) >= VK_SUCCESS) {
    for (uint32_t place = 0; place < count; place++) {
      if (strcmp(all[place].extensionName, name) == 0) is_there = true;
    }
  }
  free(all);
  return is_there;
}

enum { MOST_ADDED = 2 + PRESENT_TIMING_EXTENSIONS };

/// The program's list of extensions with additional ones; a null pointer if there is nothing to
/// add.
static const char **extensions_with(
    const VkDeviceCreateInfo *info, const char *const added[MOST_ADDED], uint32_t *count) {
  const char **list = malloc((info->enabledExtensionCount + MOST_ADDED) * sizeof *list);
  if (!list) return NULL;
  *count = 0;
  for (uint32_t place = 0; place < info->enabledExtensionCount; place++) {
    list[(*count)++] = info->ppEnabledExtensionNames[place];
  }
  for (int place = 0; place < MOST_ADDED; place++) {
    if (added[place] && !is_named(list, *count, added[place])) list[(*count)++] = added[place];
  }
  if (*count > info->enabledExtensionCount) return list;
  free(list);
  return NULL;
}

static VkLayerDeviceCreateInfo *find_link(const void *start, VkLayerFunction function) {
  VkLayerDeviceCreateInfo *link = (void *)start;
  while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
                   link->function == function)) {
    link = (void *)link->pNext;
  }
  return link;
}

static void record_driver(const device *made) {
  VkPhysicalDeviceProperties properties;
  made->instance->properties(made->physical, &properties);
  record_setting("gpu", properties.deviceName);
  // A driver that does not know the structure leaves it empty.
  VkPhysicalDeviceDriverProperties driver = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  if (made->instance->properties2 && properties.apiVersion >= VK_API_VERSION_1_2) {
    VkPhysicalDeviceProperties2 more = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    made->instance->properties2(made->physical, &more);
  }
  char words[VK_MAX_DRIVER_NAME_SIZE + VK_MAX_DRIVER_INFO_SIZE + 2];
  snprintf(words, sizeof words, "%s %s", driver.driverName, driver.driverInfo);
  if (!driver.driverName[0]) snprintf(words, sizeof words, "%u", properties.driverVersion);
  record_setting("driver", words);
}

static void fill(device *made, PFN_vkGetDeviceProcAddr next) {
  const VkDevice handle = made->handle;
  made->next_proc = next;
  made->destroy = FUNCTION(next, handle, vkDestroyDevice);
  made->create_swapchain = FUNCTION(next, handle, vkCreateSwapchainKHR);
  made->destroy_swapchain = FUNCTION(next, handle, vkDestroySwapchainKHR);
  made->images = FUNCTION(next, handle, vkGetSwapchainImagesKHR);
  made->acquire = FUNCTION(next, handle, vkAcquireNextImageKHR);
  made->acquire2 = FUNCTION(next, handle, vkAcquireNextImage2KHR);
  made->present = FUNCTION(next, handle, vkQueuePresentKHR);
  made->submit = FUNCTION(next, handle, vkQueueSubmit);
  made->submit2 = FUNCTION(next, handle, vkQueueSubmit2);
  made->submit2_khr = (PFN_vkQueueSubmit2)next(handle, "vkQueueSubmit2KHR");
  made->queue = FUNCTION(next, handle, vkGetDeviceQueue);
  made->queue2 = FUNCTION(next, handle, vkGetDeviceQueue2);
  made->set_latency_marker =
      (void (*)(VkDevice, VkSwapchainKHR, const void *))next(handle, "vkSetLatencyMarkerNV");
  made->anti_lag = (void (*)(VkDevice, const void *))next(handle, "vkAntiLagUpdateAMD");
  pthread_mutex_init(&made->lock, NULL);
}

static VkResult create_device(
    VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkDevice *handle) {
  instance *own = instance_of(physical);
  VkLayerDeviceCreateInfo *link = find_link(info->pNext, VK_LAYER_LINK_INFO);
  if (!own || !link) return VK_ERROR_INITIALIZATION_FAILED;
  device *made = calloc(1, sizeof *made);
  if (!made) return VK_ERROR_OUT_OF_HOST_MEMORY;
  // The loader passes its device.
  const VkDevice given = *handle;
  const PFN_vkGetInstanceProcAddr next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr next = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  VkLayerDeviceLink *const before = link->u.pLayerInfo;
  link->u.pLayerInfo = before->pNext;
  const PFN_vkCreateDevice create = FUNCTION(next_instance, own->handle, vkCreateDevice);
  const char *added[MOST_ADDED] = {NULL};
  present_timing_features features;
  present_wait_features wait_features;
  bool has_present_timing = false, has_present_wait = false;
  VkDeviceCreateInfo more = *info;
  // The additions depend on VK_KHR_get_physical_device_properties2, which is part of Vulkan 1.1.
  if (recording() && own->features2) {
    added[0] = gpu_clock_extension(own, physical);
    added[1] = display_timing_extension(own, physical, info);
    has_present_timing =
        !present_timing_is_used(info) && present_timing_extensions(own, physical, added + 2);
    if (has_present_timing) {
      more.pNext = present_timing_chain(&features, info->pNext);
    } else {
      memset(added + 2, 0, sizeof *added * PRESENT_TIMING_EXTENSIONS);
      has_present_wait = !added[1] && !present_timing_is_used(info) &&
                         present_wait_extensions(own, physical, added + 2);
      if (has_present_wait) more.pNext = present_wait_chain(&wait_features, info->pNext);
    }
  }
  VkResult result = VK_ERROR_EXTENSION_NOT_PRESENT;
  const char **extensions = extensions_with(info, added, &more.enabledExtensionCount);
  if (extensions) {
    more.ppEnabledExtensionNames = extensions;
    result = create(physical, &more, allocator, handle);
    free(extensions);
    // The layer's additions must not make a program fail.
    if (result != VK_SUCCESS) {
      added[0] = added[1] = NULL;
      has_present_timing = has_present_wait = false;
      link->u.pLayerInfo = before->pNext;
      *handle = given;
    }
  }
  if (result != VK_SUCCESS) result = create(physical, info, allocator, handle);
  if (result != VK_SUCCESS) {
    free(made);
    return result;
  }
  made->key = key_of(*handle);
  made->handle = *handle;
  made->physical = physical;
  atomic_store(&made->frame, atomic_load(&latest_frame));
  made->instance = own;
  fill(made, next);
  VkLayerDeviceCreateInfo *data = find_link(info->pNext, VK_LOADER_DATA_CALLBACK);
  made->set_loader_data = data ? data->u.pfnSetDeviceLoaderData : NULL;
  made->gpu = gpu_times_open(made, added[0]);
  made->picture_queues = recording() ? picture_queues_open() : NULL;
  const char *const *enabled = info->ppEnabledExtensionNames;
  const uint32_t count = info->enabledExtensionCount;
  made->hides_clock = added[0] && !is_named(enabled, count, added[0]);
  made->hides_display_timing = added[1] != NULL;
  made->hides_present_timing = has_present_timing;
  made->hides_present_wait = has_present_wait;
  if (has_present_wait || present_wait_is_used(info)) {
    made->wait_for_present = FUNCTION(next, *handle, vkWaitForPresentKHR);
  }
  if (added[1]) {
    made->past_timing = FUNCTION(next, *handle, vkGetPastPresentationTimingGOOGLE);
  }
  if (has_present_timing) {
    made->past_presents = next(*handle, "vkGetPastPresentationTimingEXT");
    made->has_present_timing = made->past_presents != NULL;
  }
  ADD(devices, made);
  if (recording()) record_driver(made);
  return result;
}

bool adopt_commands(device *own, VkCommandBuffer commands) {
  if (own->set_loader_data) return own->set_loader_data(own->handle, commands) == VK_SUCCESS;
  *(void **)commands = *(void **)own->handle;
  return true;
}

static void destroy_device(VkDevice handle, const VkAllocationCallbacks *allocator) {
  if (!handle) return;
  REMOVE(devices, (*place)->key == key_of(handle));
  if (!removed) return;
  worker_stop(removed);
  gpu_times_close(removed->gpu);
  remove_swapchains(removed);
  picture_queues_close(removed);
  removed->destroy(handle, allocator);
  pthread_mutex_destroy(&removed->lock);
  free(removed);
}

// The entry points.

PFN_vkVoidFunction find_hook(const hook *hooks, size_t count, const char *name) {
  for (size_t place = 0; place < count; place++) {
    if (strcmp(hooks[place].name, name) == 0) return hooks[place].function;
  }
  return NULL;
}

static PFN_vkVoidFunction device_hook(const char *name) {
  static const hook hooks[] = {
      {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)device_proc},
      {"vkDestroyDevice", (PFN_vkVoidFunction)destroy_device},
  };
  const PFN_vkVoidFunction found = find_hook(hooks, COUNT(hooks), name);
  if (found) return found;
  const PFN_vkVoidFunction marker = marker_hook(name);
  return marker ? marker : presentation_hook(name);
}

/// Whether a function belongs to an extension that only the layer enabled: the program must see the
/// device as it created it.
static bool is_hidden(const device *own, const char *name) {
  static const char *const clock[] = {"vkGetCalibratedTimestampsKHR", "vkGetCalibratedTimestampsEXT"};
  static const char *const display[] = {
      "vkGetPastPresentationTimingGOOGLE", "vkGetRefreshCycleDurationGOOGLE"};
  static const char *const present[] = {
      "vkGetPastPresentationTimingEXT", "vkGetSwapchainTimingPropertiesEXT",
      "vkGetSwapchainTimeDomainPropertiesEXT", "vkSetSwapchainPresentTimingQueueSizeEXT"};
  return (own->hides_clock && is_named(clock, 2, name)) ||
         (own->hides_display_timing && is_named(display, 2, name)) ||
         (own->hides_present_timing && is_named(present, 4, name)) ||
         (own->hides_present_wait && strcmp(name, "vkWaitForPresentKHR") == 0);
}

static PFN_vkVoidFunction device_proc(VkDevice handle, const char *name) {
  device *own = device_of(handle);
  if (!own || is_hidden(own, name)) return NULL;
  const PFN_vkVoidFunction next = own->next_proc(handle, name);
  // Functions that the driver lacks must not appear to exist.
  if (!next) return NULL;
  const PFN_vkVoidFunction found = device_hook(name);
  return found ? found : next;
}

static PFN_vkVoidFunction instance_proc(VkInstance handle, const char *name) {
  static const hook global[] = {
      {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)instance_proc},
      {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
  };
  static const hook hooks[] = {
      {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance},
      {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
      {"vkCreateWaylandSurfaceKHR", (PFN_vkVoidFunction)create_wayland_surface},
      {"vkCreateXcbSurfaceKHR", (PFN_vkVoidFunction)create_xcb_surface},
      {"vkCreateXlibSurfaceKHR", (PFN_vkVoidFunction)create_xlib_surface},
      {"vkDestroySurfaceKHR", (PFN_vkVoidFunction)destroy_surface},
  };
  PFN_vkVoidFunction found = find_hook(global, COUNT(global), name);
  if (found) return found;
  instance *own = handle ? instance_of(handle) : NULL;
  if (!own) return NULL;
  const PFN_vkVoidFunction next = own->next_proc(handle, name);
  if (!next) return NULL;
  found = find_hook(hooks, COUNT(hooks), name);
  if (!found) found = device_hook(name);
  return found ? found : next;
}

EXPORTED VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *versions) {
  if (versions->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
      versions->loaderLayerInterfaceVersion < 2) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  versions->loaderLayerInterfaceVersion = 2;
  versions->pfnGetInstanceProcAddr = instance_proc;
  versions->pfnGetDeviceProcAddr = device_proc;
  versions->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
