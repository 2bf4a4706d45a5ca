// The capture layer that runs inside of Vulkan programs.
//
// Why this exists: a game that runs under Proton or X11 says nothing to a Wayland compositor, and a GPU's times
// are to be had from inside only. The loader puts this layer between the program and the driver when
// `frametool capture vulkan` asks for it by the environment.
//
// What it must keep: it is C without any runtime. It never waits for anything in the program's threads, changes
// no result, and lets pass what it does not know. Where its own work fails, it is not done, and the
// program goes on.
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

/// Where the program presents to: one window, whose swap chains follow each other.
typedef struct surface {
  struct surface *next;
  VkSurfaceKHR handle;
  /// Its name in the recording; 0 until the first swap chain.
  uint16_t name;
  char label[48];
  bool is_wayland;
  /// What tells when frames are displayed; a null pointer where nothing does.
  struct feedback *feedback;
  /// How many swap chains it has had, which tells their buffers apart.
  uint32_t generation;
} surface;

enum { MOST_IMAGES = 32, MARKED_FRAMES = 16 };

/// What a program that tells the driver of its frames has said of the latest ones.
struct markers {
  struct {
    uint64_t id;
    /// When it began to simulate the frame; 0 for none.
    int64_t simulation;
  } frames[MARKED_FRAMES];
  /// The latest that no present has taken.
  int64_t latest;
};

typedef struct swapchain {
  struct swapchain *next;
  VkSwapchainKHR handle;
  surface *surface;
  uint32_t generation;
  uint32_t image_count;
  /// When the program last began and ended to wait for each image.
  int64_t acquire_begin[MOST_IMAGES], acquire_end[MOST_IMAGES];
  /// When the program got back from its last present; 0 before.
  int64_t present_end;
  struct markers markers;
  /// What of a present VK_EXT_present_timing is asked for; stage 0 where it is not.
  struct {
    VkFlags stage;
    uint64_t domain_id;
    /// Whether its times are on the stage's own clock.
    bool is_local;
  } timing;
  /// What waits for its presents; a null pointer where nothing does.
  struct present_wait *wait;
} swapchain;

typedef struct instance {
  struct instance *next;
  void *key;
  VkInstance handle;
  PFN_vkGetInstanceProcAddr next_proc;
  PFN_vkDestroyInstance destroy;
  PFN_vkDestroySurfaceKHR destroy_surface;
  PFN_vkCreateWaylandSurfaceKHR create_wayland_surface;
  PFN_vkEnumerateDeviceExtensionProperties device_extensions;
  PFN_vkGetPhysicalDeviceProperties properties;
  PFN_vkGetPhysicalDeviceQueueFamilyProperties queue_families;
  /// Null pointers where the program has not asked for the extensions that they are of.
  PFN_vkGetPhysicalDeviceFeatures2 features2;
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
  /// What tells when frames were displayed, where the layer has asked the driver for it.
  PFN_vkGetPastPresentationTimingGOOGLE past_timing;
  bool has_present_timing;
  PFN_vkVoidFunction past_presents;
  /// Waits for a present; a null pointer where neither the program nor the layer has asked for it.
  PFN_vkWaitForPresentKHR wait_for_present;
  /// How many presents the driver was asked about, and of how many it has told: one that does not answer is not
  /// asked any more.
  _Atomic uint64_t asked, told;
  /// The extensions that only the layer has asked for, whose functions are not the program's.
  bool hides_clock, hides_display_timing, hides_present_timing, hides_present_wait;
  struct worker *worker;
  /// What the loader needs to know of command buffers that the layer makes.
  PFN_vkSetDeviceLoaderData set_loader_data;
  pthread_mutex_t lock;
  swapchain *swapchains;
  /// The number of the frame that is being made.
  _Atomic uint64_t frame;
  struct gpu_times *gpu;
} device;

/// The recording of this process; a null pointer when there is none. The first call of a process makes it.
frame_recorder *recording(void);

/// 1 more than the highest number of a frame of this process: those of a later device go on from there.
extern _Atomic uint64_t latest_frame;

instance *instance_of(const void *dispatchable);
device *device_of(const void *dispatchable);
surface *surface_of(VkSurfaceKHR handle);
surface *add_surface(VkSurfaceKHR handle, const char *kind, uint64_t number);
void remove_surface(VkSurfaceKHR handle);

/// Whether a device can have an extension.
bool has_extension(instance *instance, VkPhysicalDevice physical, const char *name);
bool is_named(const char *const *names, uint32_t count, const char *name);

/// A function of the layer's that takes the place of the driver's.
typedef struct {
  const char *name;
  PFN_vkVoidFunction function;
} hook;
#define COUNT(array) (sizeof(array) / sizeof *(array))
PFN_vkVoidFunction find_hook(const hook *hooks, size_t count, const char *name);

/// The functions of presentation that take the place of the driver's; a null pointer for others.
PFN_vkVoidFunction presentation_hook(const char *name);
void remove_swapchains(device *device);

// What programs tell drivers of their frames.

/// The functions that take the place of the driver's; a null pointer for others.
PFN_vkVoidFunction marker_hook(const char *name);
/// The swap chain of a handle; a null pointer for one that the layer does not follow. The caller holds the
/// device's lock.
swapchain *swapchain_of(device *device, VkSwapchainKHR handle);
/// When the program began to simulate the frame that it presents; 0 where it does not tell.
int64_t simulation_begin(swapchain *chain, const VkPresentInfoKHR *info, uint32_t place);

// When frames are displayed, as the driver tells.

/// The extension to ask for; a null pointer where the driver has none, or the program uses it itself.
const char *display_timing_extension(
    instance *instance, VkPhysicalDevice physical, const VkDeviceCreateInfo *info);

// VK_EXT_present_timing and VK_KHR_present_id2, as their specifications declare them.
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

/// Room for what a present is asked with.
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
/// Whether a device can have it; gives the extensions that it takes.
bool present_timing_extensions(
    instance *instance, VkPhysicalDevice physical, const char *names[PRESENT_TIMING_EXTENSIONS]);
/// Whether the program has to do with it, or with other numbers of presents, itself.
bool present_timing_is_used(const VkDeviceCreateInfo *info);
/// The features that a device is made with, before those that follow.
const void *present_timing_chain(present_timing_features *features, const void *next);
/// What a surface can be asked for; 0 for nothing.
VkFlags present_timing_stage(device *own, VkSurfaceKHR surface_handle);
VkSwapchainCreateFlagsKHR present_timing_flags(void);
/// Gets a swap chain ready that was made with these flags.
bool present_timing_open(device *own, swapchain *chain, VkFlags stage);
/// Asks for the frame of a present of this swap chain alone.
const VkPresentInfoKHR *present_timing_ask(
    const VkPresentInfoKHR *info, swapchain *chain, uint64_t frame, timed_present *room);
/// Whether a present was refused because too much was asked for.
bool present_timing_is_full(VkResult result);
void present_timing_take(device *own, swapchain *chain);

enum { PRESENT_WAIT_EXTENSIONS = 2 };
typedef struct present_wait present_wait;
/// Whether a device can have it; gives the extensions that it takes.
bool present_wait_extensions(
    instance *instance, VkPhysicalDevice physical, const char *names[PRESENT_WAIT_EXTENSIONS]);
/// Whether the program has asked for it itself, so that its presents have numbers of its own.
bool present_wait_is_used(const VkDeviceCreateInfo *info);
/// The features that a device is made with, before those that follow.
const void *present_wait_chain(present_wait_features *features, const void *next);
/// Starts to wait for the presents of a swap chain; a null pointer where that is not possible.
present_wait *present_wait_open(device *device, VkSwapchainKHR chain, uint16_t name);
/// Numbers the present of one swap chain, unless the program does.
const VkPresentInfoKHR *present_wait_ask(
    const device *device, const VkPresentInfoKHR *info, uint64_t frame, timed_present *room);
/// The number of a present of the swap chain in that place; 0 where it has none.
uint64_t present_id(const VkPresentInfoKHR *info, uint32_t place);
/// Waits for a present, too.
void present_wait_add(present_wait *wait, uint64_t id, uint64_t frame);
/// Ends; what is not displayed by then is not waited for.
void present_wait_close(present_wait *wait);

/// Asks for a present's frames: gives the information to present with, in the room for it.
const VkPresentInfoKHR *display_timing_ask(
    device *device, const VkPresentInfoKHR *info, uint64_t frame, timed_present *room);
/// Records what the driver tells of earlier frames, the latest of which is given.
void display_timing_take(device *device, swapchain *chain, uint64_t frame);

// When frames are displayed, as the compositor tells.

/// Gets ready to ask for a Wayland surface's frames; a null pointer where the compositor does not tell.
struct feedback *feedback_open(void *display, void *wayland_surface);
uint32_t feedback_surface_number(void *wayland_surface);
/// Asks for the frame that is presented next.
void feedback_ask(struct feedback *feedback, uint16_t name, uint64_t frame);
/// Forgets a frame that was asked for and never handed over.
void feedback_forget(struct feedback *feedback, uint64_t frame);
/// Takes in what has been told, without waiting.
void feedback_take(struct feedback *feedback);
void feedback_close(struct feedback *feedback);

// What is not done while the program waits: a thread of the layer's own looks at what has been found.

/// Starts a thread that takes no signals, which are the program's; false where that is not possible.
bool start_thread(pthread_t *thread, void *(*body)(void *), void *data);
/// Starts it, if it does not run; there is one for each device that presents.
void worker_start(device *device);
/// Lets it look at what there is for the last time, and ends it.
void worker_stop(device *device);

// What the GPU did when, by its own clock.

/// The extension that joins the GPU's clock to the system's, if the device has one.
const char *gpu_clock_extension(instance *instance, VkPhysicalDevice physical);
struct gpu_times *gpu_times_open(device *device, const char *extension);
void gpu_times_queue(struct gpu_times *times, VkQueue queue, uint32_t family, bool can_stamp);
/// Submits with time stamps before and after; false where it has not submitted anything.
bool gpu_times_submit(
    struct gpu_times *times, VkQueue queue, uint32_t count, const VkSubmitInfo *submits,
    VkFence fence, VkResult *result);
bool gpu_times_submit2(
    struct gpu_times *times, VkQueue queue, PFN_vkQueueSubmit2 submit, uint32_t count,
    const VkSubmitInfo2 *submits, VkFence fence, VkResult *result);
/// Says on which surface a frame was presented.
void gpu_times_presented(struct gpu_times *times, uint16_t name, uint64_t frame);
/// Records what is known of frames that were presented. May take long: drivers may wait in it.
void gpu_times_collect(struct gpu_times *times);
void gpu_times_close(struct gpu_times *times);

#endif
