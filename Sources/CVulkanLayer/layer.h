// The capture layer that runs inside Vulkan programs.
//
// Purpose: a game that runs under Proton or X11 sends nothing to a Wayland compositor, and GPU
// times are only available inside the program. The loader inserts this layer between the program
// and the driver when `frametool capture vulkan` requests it through the environment.
//
// Constraints: it is plain C without a runtime. It never blocks the program's threads, changes no results, and forwards
// whatever it does not know. If its own work fails, it skips that work, and the program continues.
#ifndef FRAMETOOL_LAYER_H
#define FRAMETOOL_LAYER_H

#define VK_USE_PLATFORM_WAYLAND_KHR
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "frame_recorder.h"

/// The target of presents: one window, with successive swap chains.
typedef struct surface {
  struct surface *next;
  VkSurfaceKHR handle;
  /// The number of references: the program's handle, and the surface's swap chains, which a program may destroy after
  /// the surface.
  int references;
  /// The window that the compositor knows; null pointers for other surfaces.
  void *display, *window;
  /// The number of swap chains that use the feedback.
  int chains;
  /// The surface's name in the recording; 0 until the first swap chain.
  uint16_t name;
  char label[48];
  bool is_wayland;
  /// The compositor's display time feedback; a null pointer if there is none.
  struct feedback *feedback;
  /// The number of swap chains so far, which distinguishes their buffers.
  uint32_t generation;
  /// The surface's last picture, as the worker compares it; a null pointer if pictures are not read.
  struct picture_cells *cells;
} surface;

/// A program's description of an X11 window, as in vulkan_xcb.h and vulkan_xlib.h, which need the X11 headers.
typedef struct xcb_surface_info {
  VkStructureType type;
  const void *next;
  VkFlags flags;
  void *connection;
  uint32_t window;
} xcb_surface_info;

typedef struct xlib_surface_info {
  VkStructureType type;
  const void *next;
  VkFlags flags;
  void *display;
  unsigned long window;
} xlib_surface_info;

typedef VkResult(VKAPI_PTR *create_x11_surface)(
    VkInstance, const void *, const VkAllocationCallbacks *, VkSurfaceKHR *);

enum { MOST_IMAGES = 32, MARKED_FRAMES = 16 };

/// The latest frame markers from a program that sends them to the driver.
struct markers {
  struct {
    uint64_t id;
    /// The start of the frame's simulation; 0 if unknown.
    int64_t simulation;
  } frames[MARKED_FRAMES];
  /// The latest simulation start that no present has used yet.
  int64_t latest;
};

/// How long a thread has run, and how long it has waited for a processor, in ns since the thread's start.
struct thread_times {
  int64_t ran, starved;
  /// The layer's number for the thread.
  uint64_t thread;
};

typedef struct swapchain {
  struct swapchain *next;
  VkSwapchainKHR handle;
  surface *surface;
  uint32_t generation;
  uint32_t image_count;
  /// When the program last started and finished waiting for each image.
  int64_t acquire_begin[MOST_IMAGES], acquire_end[MOST_IMAGES];
  /// When the program's last present call returned; 0 before the first one.
  int64_t present_end;
  /// The times of the thread that made that call, when the call returned; `is_timed` is false if the times are unknown.
  struct thread_times presenter_times;
  bool is_timed;
  struct markers markers;
  /// The stage for which VK_EXT_present_timing is requested; 0 if it is not used.
  struct {
    VkFlags stage;
    uint64_t domain_id;
    /// Whether the stage's times are on a clock specific to the stage.
    bool is_local;
  } timing;
  /// The thread that waits for the swap chain's presents; a null pointer if there is none.
  struct present_wait *wait;
  /// The copies of the swap chain's pictures; a null pointer if pictures are not read.
  struct pictures *pictures;
} swapchain;

typedef struct instance {
  struct instance *next;
  void *key;
  VkInstance handle;
  PFN_vkGetInstanceProcAddr next_proc;
  PFN_vkDestroyInstance destroy;
  PFN_vkDestroySurfaceKHR destroy_surface;
  PFN_vkCreateWaylandSurfaceKHR create_wayland_surface;
  create_x11_surface create_xcb_surface, create_xlib_surface;
  PFN_vkEnumerateDeviceExtensionProperties device_extensions;
  PFN_vkGetPhysicalDeviceProperties properties;
  PFN_vkGetPhysicalDeviceQueueFamilyProperties queue_families;
  /// Null pointers if the program did not enable the corresponding extensions.
  PFN_vkGetPhysicalDeviceFeatures2 features2;
  PFN_vkGetPhysicalDeviceProperties2 properties2;
  PFN_vkGetPhysicalDeviceSurfaceCapabilities2KHR surface_capabilities2;
  PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT time_domains, time_domains_khr;
} instance;

typedef struct device {
  struct device *next;
  void *key;
  VkDevice handle;
  VkPhysicalDevice physical;
  instance *instance;
  PFN_vkGetDeviceProcAddr next_proc;
  PFN_vkDestroyDevice destroy;
  PFN_vkCreateSwapchainKHR create_swapchain;
  PFN_vkDestroySwapchainKHR destroy_swapchain;
  PFN_vkGetSwapchainImagesKHR images;
  PFN_vkAcquireNextImageKHR acquire;
  PFN_vkAcquireNextImage2KHR acquire2;
  PFN_vkQueuePresentKHR present;
  PFN_vkQueueSubmit submit;
  PFN_vkQueueSubmit2 submit2, submit2_khr;
  PFN_vkGetDeviceQueue queue;
  PFN_vkGetDeviceQueue2 queue2;
  void (*set_latency_marker)(VkDevice, VkSwapchainKHR, const void *);
  void (*anti_lag)(VkDevice, const void *);
  /// Returns display times, if the layer enabled the extension of the driver.
  PFN_vkGetPastPresentationTimingGOOGLE past_timing;
  bool has_present_timing;
  PFN_vkVoidFunction past_presents;
  /// Waits for a present; a null pointer if neither the program nor the layer enabled the
  /// extension.
  PFN_vkWaitForPresentKHR wait_for_present;
  /// The number of presents for which the driver was asked for times, and the number it reported. A driver that never
  /// reports times is not asked again.
  _Atomic uint64_t asked, told;
  /// Extensions that only the layer enabled; their functions are hidden from the program.
  bool hides_clock, hides_display_timing, hides_present_timing, hides_present_wait;
  struct worker *worker;
  /// The loader's callback for command buffers that the layer creates.
  PFN_vkSetDeviceLoaderData set_loader_data;
  pthread_mutex_t lock;
  swapchain *swapchains;
  /// The number of the current frame.
  _Atomic uint64_t frame;
  struct gpu_times *gpu;
  /// The reader of pictures; a null pointer if the recorder did not request pictures.
  struct picture_queues *picture_queues;
} device;

/// The recording of this process; a null pointer if there is none. The first call in a process creates the recording.
frame_recorder *recording(void);

/// The highest frame number of this process plus 1; frames of later devices continue from there.
extern _Atomic uint64_t latest_frame;

/// Records a condition of the recording.
void record_setting(const char *key, const char *value);
/// Records a remark on a surface.
void record_note(const char *words, uint16_t surface_name);

instance *instance_of(const void *dispatchable);
device *device_of(const void *dispatchable);
surface *surface_of(VkSurfaceKHR handle);
surface *add_surface(VkSurfaceKHR handle, const char *kind, uint64_t number);
void remove_surface(VkSurfaceKHR handle);
/// Ends a reference to a surface.
void release_surface(surface *surface);
/// Adds a swap chain to a surface; the first swap chain requests display times from the compositor.
void use_surface(surface *surface);
/// Ends the use of a surface by a swap chain that the program destroys, while its connection is still open: a program
/// may close it before it destroys the surface or the device.
void leave_surface(surface *surface);

/// Gives a command buffer of the layer the dispatch table that the loader gives to programs' command buffers.
bool adopt_commands(device *device, VkCommandBuffer commands);

/// Whether a device supports an extension.
bool has_extension(instance *instance, VkPhysicalDevice physical, const char *name);
bool is_named(const char *const *names, uint32_t count, const char *name);

/// A function of the layer that replaces one of the driver.
typedef struct {
  const char *name;
  PFN_vkVoidFunction function;
} hook;
#define COUNT(array) (sizeof(array) / sizeof *(array))
PFN_vkVoidFunction find_hook(const hook *hooks, size_t count, const char *name);

/// The replacement for a presentation function; a null pointer for other functions.
PFN_vkVoidFunction presentation_hook(const char *name);
void remove_swapchains(device *device);

// Frame markers that programs send to drivers.

/// The replacement for a marker function; a null pointer for other functions.
PFN_vkVoidFunction marker_hook(const char *name);
/// The swap chain for a handle; a null pointer if the layer does not follow it. The caller holds
/// the device's lock.
swapchain *swapchain_of(device *device, VkSwapchainKHR handle);
/// When the program began to simulate the frame that it presents; 0 if it does not report this.
int64_t simulation_begin(swapchain *chain, const VkPresentInfoKHR *info, uint32_t place);

// Display times reported by the driver.

/// The extension to enable; a null pointer if the driver does not have the extension or the program uses it itself.
const char *display_timing_extension(
    instance *instance, VkPhysicalDevice physical, const VkDeviceCreateInfo *info);

// VK_EXT_present_timing and VK_KHR_present_id2, as declared in their specifications.
typedef struct {
  VkStructureType sType;
  const void *pNext;
  uint32_t count;
  const uint64_t *ids;
} present_id2;
typedef struct {
  VkStructureType sType;
  const void *pNext;
  VkFlags flags;
  uint64_t target, domain_id;
  VkFlags stages, target_stage;
} present_timing;
typedef struct {
  VkStructureType sType;
  const void *pNext;
  uint32_t count;
  const present_timing *timings;
} present_timings;
typedef struct {
  struct {
    VkStructureType sType;
    void *pNext;
    VkBool32 timing, absolute, relative;
  } timing;
  struct {
    VkStructureType sType;
    void *pNext;
    VkBool32 present_id2;
  } id2;
} present_timing_features;

typedef struct {
  VkPhysicalDevicePresentWaitFeaturesKHR wait;
  VkPhysicalDevicePresentIdFeaturesKHR id;
} present_wait_features;

/// Storage for the extended information of a present.
typedef struct {
  VkPresentInfoKHR info;
  VkPresentTimesInfoGOOGLE times;
  VkPresentTimeGOOGLE frames[8];
  uint64_t id;
  present_id2 ids;
  present_timing timing;
  present_timings timings;
  VkPresentIdKHR wait_ids;
} timed_present;

enum { PRESENT_TIMING_EXTENSIONS = 3 };
/// Whether a device supports present timing; returns the extensions that it requires.
bool present_timing_extensions(
    instance *instance, VkPhysicalDevice physical, const char *names[PRESENT_TIMING_EXTENSIONS]);
/// Whether the program itself uses the extension or another kind of present IDs.
bool present_timing_is_used(const VkDeviceCreateInfo *info);
/// The features for creating a device, placed before the structures that follow.
const void *present_timing_chain(present_timing_features *features, const void *next);
/// The stage for which a surface can report times; 0 for none.
VkFlags present_timing_stage(device *own, VkSurfaceKHR surface_handle);
VkSwapchainCreateFlagsKHR present_timing_flags(void);
/// Prepares a swap chain that was created with these flags.
bool present_timing_open(device *own, swapchain *chain, VkFlags stage);
/// Requests the display time of a present that contains only this swap chain.
const VkPresentInfoKHR *present_timing_ask(
    const VkPresentInfoKHR *info, swapchain *chain, uint64_t frame, timed_present *room);
/// Whether a present was refused because too many requests were pending.
bool present_timing_is_full(VkResult result);
void present_timing_take(device *own, swapchain *chain);

enum { PRESENT_WAIT_EXTENSIONS = 2 };
typedef struct present_wait present_wait;
/// Whether a device supports present waiting; returns the extensions that it requires.
bool present_wait_extensions(
    instance *instance, VkPhysicalDevice physical, const char *names[PRESENT_WAIT_EXTENSIONS]);
/// Whether the program itself enabled the extension, so that its presents have their own IDs.
bool present_wait_is_used(const VkDeviceCreateInfo *info);
/// The features for creating a device, placed before the structures that follow.
const void *present_wait_chain(present_wait_features *features, const void *next);
/// Starts waiting for the presents of a swap chain; a null pointer if that is impossible.
present_wait *present_wait_open(device *device, VkSwapchainKHR chain, uint16_t name);
/// Assigns an ID to the present of one swap chain, unless the program does.
const VkPresentInfoKHR *present_wait_ask(
    const device *device, const VkPresentInfoKHR *info, uint64_t frame, timed_present *room);
/// The present ID for the swap chain at an index; 0 if it has none.
uint64_t present_id(const VkPresentInfoKHR *info, uint32_t place);
/// Adds a present to wait for.
void present_wait_add(present_wait *wait, uint64_t id, uint64_t frame);
/// Stops waiting, including for presents that are not displayed yet.
void present_wait_close(present_wait *wait);

/// Requests the display times of a present's frames: returns the information to present with,
/// stored in `room`.
const VkPresentInfoKHR *display_timing_ask(
    device *device, const VkPresentInfoKHR *info, uint64_t frame, timed_present *room);
/// Records the driver's reports on earlier frames, up to the given one.
void display_timing_take(device *device, swapchain *chain, uint64_t frame);

// Display times reported by the compositor.

// The connection belongs to the program, which may close it at any time after it has destroyed the swap chains.
// Therefore, these functions are called only in calls of the program that use the connection: creating and destroying a
// swap chain, acquiring from a swap chain and presenting to it.

/// Prepares requests for a Wayland surface; a null pointer without libwayland. Does not wait for the compositor.
struct feedback *feedback_open(void *display, void *wayland_surface);
/// Whether the compositor reports display times. Waits for the compositor's reply if the program's calls have not
/// received it.
bool feedback_is_there(struct feedback *feedback);
uint32_t feedback_surface_number(void *wayland_surface);
/// Requests the display time of the next presented frame.
void feedback_ask(struct feedback *feedback, uint16_t name, uint64_t frame);
/// Cancels the request for a frame that was not presented.
void feedback_forget(struct feedback *feedback, uint64_t frame);
/// Processes received reports, without waiting.
void feedback_take(struct feedback *feedback);
void feedback_close(struct feedback *feedback);

// A worker thread that collects results, so that the program does not have to wait.

/// Starts a thread that blocks all signals, which are left to the program; returns false on
/// failure.
bool start_thread(pthread_t *thread, void *(*body)(void *), void *data);
/// Starts the worker if it is not running; there is one for each device that presents.
void worker_start(device *device);
/// Lets the worker collect results one last time, and stops it.
void worker_stop(device *device);

// Times of the program's threads, as counted by the kernel.

/// Reads the times of the calling thread; returns false if the kernel does not count them.
bool thread_times_read(struct thread_times *times);

// Times of the GPU's work, on the GPU's clock.

/// The extension that relates the GPU's clock to the system's, if the device has one.
const char *gpu_clock_extension(instance *instance, VkPhysicalDevice physical);
struct gpu_times *gpu_times_open(device *device, const char *extension);
void gpu_times_queue(struct gpu_times *times, VkQueue queue, uint32_t family, bool can_stamp);
/// Submits work with timestamps before and after; returns false if it did not submit anything.
bool gpu_times_submit(
    struct gpu_times *times, VkQueue queue, uint32_t count, const VkSubmitInfo *submits,
    VkFence fence, VkResult *result);
bool gpu_times_submit2(
    struct gpu_times *times, VkQueue queue, PFN_vkQueueSubmit2 submit, uint32_t count,
    const VkSubmitInfo2 *submits, VkFence fence, VkResult *result);
/// Records the surface on which a frame was presented.
void gpu_times_presented(struct gpu_times *times, uint16_t name, uint64_t frame);
/// Records the known times of presented frames. This can take a long time, because drivers may block in this call.
void gpu_times_collect(struct gpu_times *times);
void gpu_times_close(struct gpu_times *times);

// Changes in pictures, for a recorder that injects inputs.

/// Whether the recorder requests pictures.
bool pictures_are_wanted(void);
/// The data that a device needs for pictures; a null pointer if pictures are not requested.
struct picture_queues *picture_queues_open(void);
/// Records a queue that may copy pictures.
void picture_queues_add(device *device, VkQueue queue, uint32_t family);
void picture_queues_close(device *device);
/// Why the pictures of a swap chain cannot be read; a null pointer if they can.
const char *pictures_prevented(device *device, const VkSwapchainCreateInfoKHR *info);
/// Reads the pictures of a swap chain from now on; a null pointer without memory.
struct pictures *pictures_open(
    device *device, surface *surface, VkSwapchainKHR chain, const VkSwapchainCreateInfoKHR *info);
/// Copies lines of the image before a present: returns the information to present with, stored in `room`, or the same
/// information if nothing was copied.
const VkPresentInfoKHR *pictures_take(
    device *device, VkQueue queue, const VkPresentInfoKHR *info, uint64_t frame, VkPresentInfoKHR *room);
/// Records the result of a present with such information.
void pictures_presented(
    device *device, const VkPresentInfoKHR *info, const VkPresentInfoKHR *taken, VkResult result);
/// Records the changes in copied pictures.
void pictures_compare(device *device);
/// Stops reading pictures of a swap chain, before it is destroyed.
void pictures_close(struct pictures *pictures);

#endif
