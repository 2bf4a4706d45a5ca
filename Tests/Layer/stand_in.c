// A driver, a loader and a game in one program, to test the Vulkan layer where no driver has what it asks for.
//
// usage: stand_in MODE, with FRAMETOOL_CAPTURE set to the folder to record to
//   plain          no extension
//   clocks         calibrated time stamps
//   timing         those and VK_GOOGLE_display_timing
//   refusing       like timing, but a device with them cannot be made
//   present-timing those and VK_EXT_present_timing, with times on the stage's own clock, and now and then too
//                  many questions
//   markers        the game tells the driver where it is in a frame (VK_NV_low_latency2, present ids)
//   anti-lag       the game asks the driver when to begin a frame (VK_AMD_anti_lag)
//   waits          VK_KHR_present_wait, which only the layer asks for
//   own-waits      the same, which the game has asked for, and numbers its presents
//   pictures       the recorder asks for what changes in pictures, with FRAMETOOL_PICTURES=1
//   pictures-late  the same, and the copies of frames 10 to 12 take until frame 20
//   pictures-none  the same, and images cannot be copied
//   lost           the device is lost half way
//   wayland        a window of a compositor that tells when frames are displayed
//   wayland-closed the same, and the game closes its connection before it destroys the device, and destroys no swap
//                  chain
//   wayland-early  the same as wayland, and the game destroys the surface before the swap chain
//
// Prints what happened, as the driver and the game know it: a line of numbers for each frame.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#define VK_USE_PLATFORM_WAYLAND_KHR
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "stand_in_wayland.h"

enum { FRAMES = 40, IMAGES = 3 };

VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *versions);

static const char *mode;
static int has_clocks, has_timing, has_present_timing, has_waits, numbers_presents;

// VK_EXT_present_timing, as far as a driver needs it.
typedef struct {
  VkStructureType sType;
  void *pNext;
  uint32_t values[4];
} property_structure;
typedef struct {
  VkStructureType sType;
  void *pNext;
  uint32_t count;
  VkTimeDomainEXT *domains;
  uint64_t *ids;
} domain_properties;
typedef struct {
  uint32_t stage;
  uint64_t time;
} stage_time;
typedef struct {
  VkStructureType sType;
  void *pNext;
  uint64_t present_id, target;
  uint32_t stage_count;
  stage_time *stages;
  int32_t domain;
  uint64_t domain_id;
  VkBool32 is_complete;
} past_timing;
typedef struct {
  VkStructureType sType;
  void *pNext;
  uint64_t counters[2];
  uint32_t count;
  past_timing *timings;
} past_properties;
/// How far the stage's own clock is behind.
static const int64_t STAGE_OFFSET = 123456789;
static uint64_t asked_ids[64];

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void rest(int64_t until) {
  while (now() < until) usleep(50);
}

// The GPU's clock: steps of 2.5 ns from a zero of its own, of which 40 bits count.
static const double PERIOD = 2.5;
static uint64_t stamp_of(int64_t time) {
  return (uint64_t)((double)(time - 1000000) / PERIOD) & (((uint64_t)1 << 40) - 1);
}

typedef struct {
  void *table;
} handle;
static void *instance_table, *device_table;
static handle instance = {&instance_table}, physical = {&instance_table};
static handle device = {&device_table}, queue = {&device_table};

typedef struct {
  void *table;
  /// The query that it writes, and whether it does so before or after the work.
  uint32_t query;
  int is_end;
  int is_layers;
  /// The lines that it copies.
  uint32_t line_count;
  VkBufferImageCopy lines[64];
  int barriers;
} command_buffer;
static command_buffer buffers[512];
static int buffer_count;
static command_buffer games = {.table = &device_table};

static struct {
  uint64_t stamp;
  int64_t known;
} queries[256];

// The pictures: a window of 64 by 128 pixels, of which the memory of the layer's buffer gets lines.
enum { PICTURE_WIDTH = 64, PICTURE_HEIGHT = 128, GAMES_SEMAPHORE = 900 };
static uint32_t screen[PICTURE_HEIGHT][PICTURE_WIDTH];
static uint32_t picture_memory[IMAGES * PICTURE_WIDTH * PICTURE_HEIGHT];
static int takes_pictures, fences, semaphores, destroyed_fences, destroyed_semaphores;
static _Atomic int fence_is_done[16];

static struct truth {
  int64_t simulated, acquire_begin, acquire_end, present_begin, present_end, gpu_begin, gpu_end, displayed;
  int is_told;
} truth[FRAMES];
static _Atomic int frame;
static int trouble;

#define EXPECT(condition)                                        \
  if (!(condition)) {                                            \
    fprintf(stderr, "%d: expected %s\n", __LINE__, #condition); \
    trouble = 1;                                                 \
  }

// The driver.

static VkResult driver_create_instance(
    const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator, VkInstance *made) {
  (void)info, (void)allocator;
  *made = (VkInstance)&instance;
  return VK_SUCCESS;
}

static void destroy(void *any, const void *allocator) { (void)any, (void)allocator; }

static VkResult driver_extensions(
    VkPhysicalDevice any, const char *layer, uint32_t *count, VkExtensionProperties *found) {
  (void)any, (void)layer;
  const char *names[5];
  uint32_t there = 0;
  if (has_present_timing) {
    names[there++] = "VK_EXT_present_timing";
    names[there++] = "VK_KHR_present_id2";
    names[there++] = "VK_KHR_calibrated_timestamps";
  }
  if (has_clocks) names[there++] = VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME;
  if (has_timing) names[there++] = VK_GOOGLE_DISPLAY_TIMING_EXTENSION_NAME;
  if (has_waits) {
    names[there++] = VK_KHR_PRESENT_ID_EXTENSION_NAME;
    names[there++] = VK_KHR_PRESENT_WAIT_EXTENSION_NAME;
  }
  for (uint32_t place = 0; found && place < there && place < *count; place++) {
    strcpy(found[place].extensionName, names[place]);
  }
  *count = there;
  return VK_SUCCESS;
}

static void driver_properties(VkPhysicalDevice any, VkPhysicalDeviceProperties *properties) {
  (void)any;
  memset(properties, 0, sizeof *properties);
  properties->limits.timestampPeriod = (float)PERIOD;
}

static void driver_families(VkPhysicalDevice any, uint32_t *count, VkQueueFamilyProperties *families) {
  (void)any;
  if (families) {
    memset(families, 0, sizeof *families);
    families[0].queueFlags = VK_QUEUE_GRAPHICS_BIT;
    families[0].queueCount = 1;
    families[0].timestampValidBits = 40;
  }
  *count = 1;
}

static void driver_features(VkPhysicalDevice any, VkPhysicalDeviceFeatures2 *features) {
  (void)any;
  for (property_structure *found = features->pNext; found; found = found->pNext) {
    found->values[0] = VK_TRUE;
  }
}

static VkResult driver_surface(
    VkPhysicalDevice any, const VkPhysicalDeviceSurfaceInfo2KHR *info,
    VkSurfaceCapabilities2KHR *capabilities) {
  (void)any, (void)info;
  for (property_structure *found = capabilities->pNext; found; found = found->pNext) {
    found->values[0] = VK_TRUE;
    // The first pixel's coming out is told of, its being visible is not.
    if (found->sType == (VkStructureType)1000208008) found->values[3] = 4;
  }
  return VK_SUCCESS;
}

static VkResult driver_chain_domains(
    VkDevice any, VkSwapchainKHR chain, domain_properties *found, uint64_t *counter) {
  (void)any, (void)chain, (void)counter;
  EXPECT(found->count >= 1);
  found->domains[0] = (VkTimeDomainEXT)1000208000;
  found->ids[0] = 31;
  found->count = 1;
  return VK_SUCCESS;
}

static VkResult driver_queue_size(VkDevice any, VkSwapchainKHR chain, uint32_t size) {
  (void)any, (void)chain;
  EXPECT(size >= 8);
  return VK_SUCCESS;
}

static VkResult driver_past_presents(VkDevice any, const void *info, past_properties *told) {
  (void)any, (void)info;
  uint32_t found = 0;
  for (int past = 0; past <= frame && found < told->count; past++) {
    if (truth[past].is_told || !asked_ids[past] || truth[past].displayed > now()) continue;
    past_timing *one = &told->timings[found++];
    EXPECT(one->stage_count >= 1);
    one->present_id = asked_ids[past];
    one->stage_count = 1;
    one->stages[0].stage = 4;
    one->stages[0].time = (uint64_t)(truth[past].displayed - STAGE_OFFSET);
    one->domain_id = 31;
    one->is_complete = VK_TRUE;
    truth[past].is_told = 1;
  }
  told->count = found;
  return VK_SUCCESS;
}

static VkResult driver_domains(VkPhysicalDevice any, uint32_t *count, VkTimeDomainEXT *domains) {
  (void)any;
  if (domains) {
    domains[0] = VK_TIME_DOMAIN_DEVICE_EXT;
    domains[1] = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
  }
  *count = 2;
  return VK_SUCCESS;
}

static VkResult driver_create_device(
    VkPhysicalDevice any, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *allocator,
    VkDevice *made) {
  (void)any, (void)allocator;
  // The loader's own device comes down, also at another attempt.
  EXPECT(*made == (VkDevice)&device);
  if (strcmp(mode, "refusing") == 0 && info->enabledExtensionCount > 1) {
    *made = NULL;
    return VK_ERROR_EXTENSION_NOT_PRESENT;
  }
  const int adds_waits = has_waits && strcmp(mode, "own-waits") != 0;
  const uint32_t added =
      strcmp(mode, "refusing") == 0
          ? 0
          : (uint32_t)(has_clocks + has_timing + 2 * has_present_timing + 2 * adds_waits);
  if (adds_waits) {
    const VkPhysicalDevicePresentWaitFeaturesKHR *waits = info->pNext;
    EXPECT(waits->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR &&
           waits->presentWait);
    const VkPhysicalDevicePresentIdFeaturesKHR *ids = waits->pNext;
    EXPECT(ids->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR &&
           ids->presentId);
  }
  EXPECT(info->enabledExtensionCount == (strcmp(mode, "own-waits") == 0 ? 3 : 1) + added);
  *made = (VkDevice)&device;
  return VK_SUCCESS;
}

static void driver_queue(VkDevice any, uint32_t family, uint32_t index, VkQueue *found) {
  (void)any, (void)family, (void)index;
  *found = (VkQueue)&queue;
}

static VkResult make(VkDevice any, const void *info, const VkAllocationCallbacks *allocator, uint64_t *made) {
  (void)any, (void)info, (void)allocator;
  *made = 77;
  return VK_SUCCESS;
}

static VkResult driver_surface_of_wayland(
    VkInstance any, const VkWaylandSurfaceCreateInfoKHR *info, const VkAllocationCallbacks *allocator,
    VkSurfaceKHR *made) {
  (void)any, (void)info, (void)allocator;
  *made = (VkSurfaceKHR)(uintptr_t)5;
  return VK_SUCCESS;
}

static VkResult driver_capabilities(
    VkPhysicalDevice any, VkSurfaceKHR surface, VkSurfaceCapabilitiesKHR *capabilities) {
  (void)any, (void)surface;
  memset(capabilities, 0, sizeof *capabilities);
  if (strcmp(mode, "pictures-none") != 0) capabilities->supportedUsageFlags = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  return VK_SUCCESS;
}

static void driver_memory(VkPhysicalDevice any, VkPhysicalDeviceMemoryProperties *memory) {
  (void)any;
  memset(memory, 0, sizeof *memory);
  memory->memoryTypeCount = 2;
  memory->memoryTypes[0].propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  memory->memoryTypes[1].propertyFlags =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
}

static void driver_needs(VkDevice any, VkBuffer buffer, VkMemoryRequirements *needs) {
  (void)any, (void)buffer;
  *needs = (VkMemoryRequirements){.size = sizeof picture_memory, .alignment = 4, .memoryTypeBits = 3};
}

static VkResult driver_allocate_memory(
    VkDevice any, const VkMemoryAllocateInfo *info, const void *allocator, VkDeviceMemory *made) {
  EXPECT(info->memoryTypeIndex == 1);
  return make(any, info, allocator, (uint64_t *)made);
}

static VkResult driver_bind(VkDevice any, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset) {
  (void)any, (void)buffer, (void)memory;
  EXPECT(offset == 0);
  return VK_SUCCESS;
}

static VkResult driver_map(
    VkDevice any, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size, VkFlags flags, void **bytes) {
  (void)any, (void)memory, (void)offset, (void)size, (void)flags;
  *bytes = picture_memory;
  return VK_SUCCESS;
}

static VkResult make_fence(VkDevice any, const void *info, const void *allocator, uint64_t *made) {
  (void)any, (void)info, (void)allocator;
  *made = (uint64_t)++fences;
  return VK_SUCCESS;
}

static VkResult make_semaphore(VkDevice any, const void *info, const void *allocator, uint64_t *made) {
  (void)any, (void)info, (void)allocator;
  *made = GAMES_SEMAPHORE + (uint64_t)++semaphores;
  return VK_SUCCESS;
}

static void destroy_fence(VkDevice any, VkFence fence, const void *allocator) {
  (void)any, (void)allocator;
  // The copy that it tells of is over.
  EXPECT(!fence_is_done[(uintptr_t)fence] || frame == FRAMES - 1);
  destroyed_fences++;
}

static void destroy_semaphore(VkDevice any, VkSemaphore semaphore, const void *allocator) {
  (void)any, (void)semaphore, (void)allocator;
  destroyed_semaphores++;
}

static VkResult driver_fence(VkDevice any, VkFence fence) {
  (void)any;
  return fence_is_done[(uintptr_t)fence] ? VK_SUCCESS : VK_NOT_READY;
}

static VkResult driver_reset_fences(VkDevice any, uint32_t count, const VkFence *found) {
  (void)any;
  EXPECT(count == 1 && fence_is_done[(uintptr_t)found[0]]);
  fence_is_done[(uintptr_t)found[0]] = 0;
  return VK_SUCCESS;
}

static VkResult driver_wait_fences(
    VkDevice any, uint32_t count, const VkFence *found, VkBool32 all, uint64_t timeout) {
  (void)any, (void)all, (void)timeout;
  EXPECT(count == 1);
  return fence_is_done[(uintptr_t)found[0]] ? VK_SUCCESS : VK_TIMEOUT;
}

static void driver_barrier(
    VkCommandBuffer buffer, VkFlags from, VkFlags to, VkFlags flags, uint32_t memories, const VkMemoryBarrier *memory,
    uint32_t buffer_barriers, const void *buffer_barrier, uint32_t images, const VkImageMemoryBarrier *image) {
  (void)from, (void)to, (void)flags, (void)memory, (void)buffer_barrier;
  command_buffer *own = (command_buffer *)buffer;
  EXPECT(images == 1 && buffer_barriers == 0 && memories == (uint32_t)own->barriers);
  const VkImageLayout present = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, copied = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  EXPECT(image->oldLayout == (own->barriers ? copied : present));
  EXPECT(image->newLayout == (own->barriers ? present : copied));
  own->barriers++;
}

static void driver_copy(
    VkCommandBuffer buffer, VkImage image, VkImageLayout layout, VkBuffer to, uint32_t count,
    const VkBufferImageCopy *lines) {
  (void)image, (void)layout, (void)to;
  command_buffer *own = (command_buffer *)buffer;
  EXPECT(count == 64 && own->barriers == 1);
  own->line_count = count;
  memcpy(own->lines, lines, count * sizeof *lines);
}

/// A driver waits for the compositor's answers when it makes a swap chain.
static VkResult driver_create_chain(
    VkDevice any, const VkSwapchainCreateInfoKHR *info, const VkAllocationCallbacks *allocator,
    VkSwapchainKHR *made) {
  driver_has_read = 1;
  const int is_read = takes_pictures && strcmp(mode, "pictures-none") != 0;
  EXPECT(!(info->imageUsage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT) == !is_read);
  return make(any, info, allocator, (uint64_t *)made);
}

static VkResult driver_images(VkDevice any, VkSwapchainKHR chain, uint32_t *count, VkImage *images) {
  (void)any, (void)chain, (void)images;
  *count = IMAGES;
  return VK_SUCCESS;
}

static VkResult driver_allocate(
    VkDevice any, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *made) {
  (void)any;
  for (uint32_t place = 0; place < info->commandBufferCount; place++) {
    buffers[buffer_count] = (command_buffer){.is_layers = 1};
    made[place] = (VkCommandBuffer)&buffers[buffer_count++];
  }
  return VK_SUCCESS;
}

static VkResult set_loader_data(VkDevice any, void *made) {
  (void)any;
  ((command_buffer *)made)->table = &device_table;
  return VK_SUCCESS;
}

static VkResult begin(VkCommandBuffer buffer, const VkCommandBufferBeginInfo *info) {
  (void)info;
  EXPECT(((command_buffer *)buffer)->table == &device_table);
  return VK_SUCCESS;
}

static VkResult end(VkCommandBuffer buffer) {
  (void)buffer;
  return VK_SUCCESS;
}

static void reset(VkCommandBuffer buffer, VkQueryPool pool, uint32_t first, uint32_t count) {
  (void)buffer, (void)pool, (void)first;
  EXPECT(count == 1);
}

static void write_stamp(
    VkCommandBuffer buffer, VkPipelineStageFlagBits stage, VkQueryPool pool, uint32_t query) {
  (void)pool;
  ((command_buffer *)buffer)->query = query;
  ((command_buffer *)buffer)->is_end = stage == VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
}

static int is_lost(void) { return strcmp(mode, "lost") == 0 && frame >= FRAMES / 2; }

/// Copies the lines of the picture that the game presents.
static VkResult copy_picture(uint32_t count, const VkSubmitInfo *submits, VkFence fence) {
  EXPECT(count == 1 && submits->waitSemaphoreCount == 1 && submits->signalSemaphoreCount == 1);
  EXPECT(submits->pWaitSemaphores[0] == (VkSemaphore)(uintptr_t)GAMES_SEMAPHORE);
  EXPECT(submits->pSignalSemaphores[0] == (VkSemaphore)(uintptr_t)(GAMES_SEMAPHORE + 1 + frame % IMAGES));
  EXPECT(!fence_is_done[(uintptr_t)fence]);
  const command_buffer *buffer = (const void *)submits->pCommandBuffers[0];
  for (uint32_t line = 0; line < buffer->line_count; line++) {
    const VkBufferImageCopy *copy = &buffer->lines[line];
    EXPECT(copy->imageExtent.width == PICTURE_WIDTH && copy->imageExtent.height == 1);
    memcpy((char *)picture_memory + copy->bufferOffset, screen[copy->imageOffset.y], sizeof screen[0]);
  }
  const int is_late = strcmp(mode, "pictures-late") == 0 && frame >= 10 && frame < 20;
  if (!is_late) __atomic_store_n(&fence_is_done[(uintptr_t)fence], 1, __ATOMIC_RELEASE);
  return VK_SUCCESS;
}

/// Works for 2 ms, from 300 µs after it was told on.
static VkResult driver_submit(VkQueue any, uint32_t count, const VkSubmitInfo *submits, VkFence fence) {
  (void)any;
  if (is_lost()) return VK_ERROR_DEVICE_LOST;
  if (fence) return copy_picture(count, submits, fence);
  const int is_timed = has_clocks && strcmp(mode, "refusing") != 0;
  EXPECT(count == 2 && submits[0].commandBufferCount == 0);
  EXPECT(submits[1].commandBufferCount == (is_timed ? 3u : 1u));
  const int64_t start = now() + 300000;
  truth[frame].gpu_begin = start;
  truth[frame].gpu_end = start + 2000000;
  for (uint32_t place = 0; place < submits[1].commandBufferCount; place++) {
    const command_buffer *buffer = (const void *)submits[1].pCommandBuffers[place];
    EXPECT(buffer->is_layers == (place != (is_timed ? 1u : 0u)));
    if (!buffer->is_layers) continue;
    const int64_t time = buffer->is_end ? truth[frame].gpu_end : start;
    queries[buffer->query].stamp = stamp_of(time);
    queries[buffer->query].known = time;
  }
  return VK_SUCCESS;
}

static VkResult driver_results(
    VkDevice any, VkQueryPool pool, uint32_t first, uint32_t count, size_t size, void *data,
    VkDeviceSize stride, VkQueryResultFlags flags) {
  (void)any, (void)pool, (void)size, (void)stride;
  EXPECT(count == 2 && !(flags & VK_QUERY_RESULT_WAIT_BIT));
  if (is_lost()) return VK_ERROR_DEVICE_LOST;
  uint64_t(*found)[2] = data;
  for (uint32_t place = 0; place < count; place++) {
    found[place][0] = queries[first + place].stamp;
    found[place][1] = queries[first + place].known && queries[first + place].known <= now();
  }
  return VK_SUCCESS;
}

static VkResult driver_calibrate(
    VkDevice any, uint32_t count, const VkCalibratedTimestampInfoEXT *clocks, uint64_t *found,
    uint64_t *deviation) {
  (void)any;
  EXPECT(count == 2);
  const int64_t time = now();
  const int is_stage = (int)clocks[0].timeDomain == 1000208000;
  EXPECT(is_stage == (clocks[0].pNext != NULL));
  found[0] = is_stage ? (uint64_t)(time - STAGE_OFFSET) : stamp_of(time);
  found[1] = (uint64_t)time;
  *deviation = 0;
  return VK_SUCCESS;
}

static VkResult driver_acquire(
    VkDevice any, VkSwapchainKHR chain, uint64_t timeout, VkSemaphore semaphore, VkFence fence,
    uint32_t *image) {
  (void)any, (void)chain, (void)timeout, (void)semaphore, (void)fence;
  if (is_lost()) return VK_ERROR_DEVICE_LOST;
  truth[frame].acquire_begin = now();
  rest(now() + 500000);
  *image = (uint32_t)frame % IMAGES;
  truth[frame].acquire_end = now();
  return VK_SUCCESS;
}

static VkResult driver_present(VkQueue any, const VkPresentInfoKHR *info) {
  (void)any;
  truth[frame].present_begin = now();
  if (is_lost()) return VK_ERROR_DEVICE_LOST;
  if (takes_pictures) {
    EXPECT(info->waitSemaphoreCount == 1);
    // A picture that is not copied is presented as the game asks.
    const uintptr_t waited = (uintptr_t)info->pWaitSemaphores[0];
    const int is_copied = strcmp(mode, "pictures") == 0 || (strcmp(mode, "pictures-late") == 0 && frame < 13);
    const int may_be = strcmp(mode, "pictures-late") == 0 && frame >= 13;
    EXPECT(may_be || waited == (uintptr_t)(GAMES_SEMAPHORE + (is_copied ? 1 + frame % IMAGES : 0)));
  }
  if (has_waits) {
    const VkPresentIdKHR *ids = info->pNext;
    EXPECT(ids && ids->sType == VK_STRUCTURE_TYPE_PRESENT_ID_KHR && ids->swapchainCount == 1);
    EXPECT(numbers_presents == (ids->pPresentIds[0] >= 100));
    asked_ids[frame] = ids->pPresentIds[0];
  }
  const VkPresentTimesInfoGOOGLE *times = info->pNext;
  if (has_present_timing) {
    const VkBaseInStructure *first = info->pNext;
    EXPECT(!first || (first->sType == (VkStructureType)1000208003 && first->pNext));
    // Now and then the driver has no room for another question.
    if (first && frame % 10 == 5) return (VkResult)-1000208000;
    if (first) {
      const struct {
        VkStructureType type;
        const void *next;
        uint32_t count;
        const uint64_t *ids;
      } *ids = (const void *)first->pNext;
      EXPECT(ids->count == 1);
      asked_ids[frame] = ids->ids[0];
    }
  }
  const int is_asked = has_timing && !has_present_timing && strcmp(mode, "refusing") != 0;
  EXPECT(!is_asked || times->sType == VK_STRUCTURE_TYPE_PRESENT_TIMES_INFO_GOOGLE);
  EXPECT(!is_asked || times->pTimes[0].presentID == (uint32_t)frame);
  rest(now() + 1000000);
  // Written last, for the thread that waits for it.
  __atomic_store_n(&truth[frame].displayed, truth[frame].gpu_end + 10000000, __ATOMIC_RELEASE);
  truth[frame].present_end = now();
  return VK_SUCCESS;
}

static VkResult driver_past_timing(
    VkDevice any, VkSwapchainKHR chain, uint32_t *count, VkPastPresentationTimingGOOGLE *told) {
  (void)any, (void)chain;
  uint32_t found = 0;
  for (int past = 0; past <= frame && found < *count; past++) {
    if (truth[past].is_told || truth[past].displayed > now()) continue;
    told[found++] = (VkPastPresentationTimingGOOGLE){
        .presentID = (uint32_t)past, .actualPresentTime = (uint64_t)truth[past].displayed};
    truth[past].is_told = 1;
  }
  *count = found;
  return VK_SUCCESS;
}

/// Returns at the first moment that a present of that number, or a later one, is on the display.
static VkResult driver_wait(VkDevice any, VkSwapchainKHR chain, uint64_t id, uint64_t timeout) {
  (void)any, (void)chain;
  const int64_t start = now();
  int past = 0;
  while (past < FRAMES && asked_ids[past] != id) past++;
  EXPECT(past < FRAMES);
  do {
    const int64_t displayed = __atomic_load_n(&truth[past].displayed, __ATOMIC_ACQUIRE);
    if (displayed && displayed <= now()) {
      truth[past].is_told = 1;
      return VK_SUCCESS;
    }
    usleep(20);
  } while (now() - start < (int64_t)timeout);
  return VK_TIMEOUT;
}

static void driver_anti_lag(VkDevice any, const void *data) { (void)any, (void)data; }

static VkResult driver_marker(VkDevice any, VkSwapchainKHR chain, const void *info) {
  (void)any, (void)chain, (void)info;
  return VK_SUCCESS;
}

static PFN_vkVoidFunction driver_device_proc(VkDevice any, const char *name);

static PFN_vkVoidFunction driver_proc(VkInstance any, const char *name) {
  const struct {
    const char *name;
    PFN_vkVoidFunction function;
  } functions[] = {
      {"vkCreateInstance", (PFN_vkVoidFunction)driver_create_instance},
      {"vkDestroyInstance", (PFN_vkVoidFunction)destroy},
      {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)driver_extensions},
      {"vkGetPhysicalDeviceProperties", (PFN_vkVoidFunction)driver_properties},
      {"vkGetPhysicalDeviceQueueFamilyProperties", (PFN_vkVoidFunction)driver_families},
      {"vkGetPhysicalDeviceCalibrateableTimeDomainsEXT", (PFN_vkVoidFunction)driver_domains},
      {"vkCreateDevice", (PFN_vkVoidFunction)driver_create_device},
      {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)driver_features},
      {"vkGetPhysicalDeviceSurfaceCapabilities2KHR", (PFN_vkVoidFunction)driver_surface},
      {"vkGetPhysicalDeviceCalibrateableTimeDomainsKHR", (PFN_vkVoidFunction)driver_domains},
      {"vkCreateWaylandSurfaceKHR", (PFN_vkVoidFunction)driver_surface_of_wayland},
      {"vkDestroySurfaceKHR", (PFN_vkVoidFunction)destroy},
      {"vkGetPhysicalDeviceSurfaceCapabilitiesKHR", (PFN_vkVoidFunction)driver_capabilities},
      {"vkGetPhysicalDeviceMemoryProperties", (PFN_vkVoidFunction)driver_memory},
  };
  for (size_t place = 0; place < sizeof functions / sizeof *functions; place++) {
    if (strcmp(functions[place].name, name) == 0) return functions[place].function;
  }
  return any ? driver_device_proc((VkDevice)&device, name) : NULL;
}

static PFN_vkVoidFunction driver_device_proc(VkDevice any, const char *name) {
  (void)any;
  const struct {
    const char *name;
    PFN_vkVoidFunction function;
    int is_there;
  } functions[] = {
      {"vkDestroyDevice", (PFN_vkVoidFunction)destroy, 1},
      {"vkGetDeviceQueue", (PFN_vkVoidFunction)driver_queue, 1},
      {"vkCreateSwapchainKHR", (PFN_vkVoidFunction)driver_create_chain, 1},
      {"vkDestroySwapchainKHR", (PFN_vkVoidFunction)destroy, 1},
      {"vkGetSwapchainImagesKHR", (PFN_vkVoidFunction)driver_images, 1},
      {"vkAcquireNextImageKHR", (PFN_vkVoidFunction)driver_acquire, 1},
      {"vkQueuePresentKHR", (PFN_vkVoidFunction)driver_present, 1},
      {"vkQueueSubmit", (PFN_vkVoidFunction)driver_submit, 1},
      {"vkCreateCommandPool", (PFN_vkVoidFunction)make, 1},
      {"vkDestroyCommandPool", (PFN_vkVoidFunction)destroy, 1},
      {"vkCreateQueryPool", (PFN_vkVoidFunction)make, 1},
      {"vkDestroyQueryPool", (PFN_vkVoidFunction)destroy, 1},
      {"vkAllocateCommandBuffers", (PFN_vkVoidFunction)driver_allocate, 1},
      {"vkBeginCommandBuffer", (PFN_vkVoidFunction)begin, 1},
      {"vkEndCommandBuffer", (PFN_vkVoidFunction)end, 1},
      {"vkCmdResetQueryPool", (PFN_vkVoidFunction)reset, 1},
      {"vkCmdWriteTimestamp", (PFN_vkVoidFunction)write_stamp, 1},
      {"vkGetQueryPoolResults", (PFN_vkVoidFunction)driver_results, 1},
      {"vkGetCalibratedTimestampsEXT", (PFN_vkVoidFunction)driver_calibrate, has_clocks},
      {"vkGetCalibratedTimestampsKHR", (PFN_vkVoidFunction)driver_calibrate, has_present_timing},
      {"vkGetPastPresentationTimingEXT", (PFN_vkVoidFunction)driver_past_presents, has_present_timing},
      {"vkGetSwapchainTimeDomainPropertiesEXT", (PFN_vkVoidFunction)driver_chain_domains, 1},
      {"vkSetSwapchainPresentTimingQueueSizeEXT", (PFN_vkVoidFunction)driver_queue_size, 1},
      {"vkGetPastPresentationTimingGOOGLE", (PFN_vkVoidFunction)driver_past_timing, has_timing},
      {"vkSetLatencyMarkerNV", (PFN_vkVoidFunction)driver_marker, strcmp(mode, "markers") == 0},
      {"vkAntiLagUpdateAMD", (PFN_vkVoidFunction)driver_anti_lag, strcmp(mode, "anti-lag") == 0},
      {"vkWaitForPresentKHR", (PFN_vkVoidFunction)driver_wait, has_waits},
      {"vkCreateBuffer", (PFN_vkVoidFunction)make, 1},
      {"vkDestroyBuffer", (PFN_vkVoidFunction)destroy, 1},
      {"vkGetBufferMemoryRequirements", (PFN_vkVoidFunction)driver_needs, 1},
      {"vkAllocateMemory", (PFN_vkVoidFunction)driver_allocate_memory, 1},
      {"vkFreeMemory", (PFN_vkVoidFunction)destroy, 1},
      {"vkBindBufferMemory", (PFN_vkVoidFunction)driver_bind, 1},
      {"vkMapMemory", (PFN_vkVoidFunction)driver_map, 1},
      {"vkCreateFence", (PFN_vkVoidFunction)make_fence, 1},
      {"vkDestroyFence", (PFN_vkVoidFunction)destroy_fence, 1},
      {"vkGetFenceStatus", (PFN_vkVoidFunction)driver_fence, 1},
      {"vkResetFences", (PFN_vkVoidFunction)driver_reset_fences, 1},
      {"vkWaitForFences", (PFN_vkVoidFunction)driver_wait_fences, 1},
      {"vkCreateSemaphore", (PFN_vkVoidFunction)make_semaphore, 1},
      {"vkDestroySemaphore", (PFN_vkVoidFunction)destroy_semaphore, 1},
      {"vkCmdPipelineBarrier", (PFN_vkVoidFunction)driver_barrier, 1},
      {"vkCmdCopyImageToBuffer", (PFN_vkVoidFunction)driver_copy, 1},
  };
  for (size_t place = 0; place < sizeof functions / sizeof *functions; place++) {
    if (functions[place].is_there && strcmp(functions[place].name, name) == 0) {
      return functions[place].function;
    }
  }
  return NULL;
}

// The game.

#define LOAD(name) const PFN_##name name##_ = (PFN_##name)device_proc((VkDevice)&device, #name)

static PFN_vkDestroySurfaceKHR destroy_surface;

/// Draws a bar that changes with each frame, a mark that changes once, and alpha that nobody sees.
static void draw_picture(void) {
  for (int column = 0; column < PICTURE_WIDTH; column++) {
    for (int row = 120; row < 124; row++) screen[row][column] = 0xff000000 | (uint32_t)frame;
    for (int row = 0; row < 120; row++) screen[row][column] = frame < 25 ? 0xff102030 : 0x80102030;
  }
  for (int row = 40; row < 42; row++) screen[row][33] = frame < 20 ? 0xff102030 : 0xffffffff;
}

static void play(PFN_vkGetDeviceProcAddr device_proc) {
  LOAD(vkGetDeviceQueue);
  LOAD(vkCreateSwapchainKHR);
  LOAD(vkAcquireNextImageKHR);
  LOAD(vkQueueSubmit);
  LOAD(vkQueuePresentKHR);
  LOAD(vkDestroySwapchainKHR);
  VkResult (*set_marker)(VkDevice, VkSwapchainKHR, const void *) =
      (void *)device_proc((VkDevice)&device, "vkSetLatencyMarkerNV");
  void (*anti_lag)(VkDevice, const void *) =
      (void *)device_proc((VkDevice)&device, "vkAntiLagUpdateAMD");
  // Who has asked for it may wait, too.
  EXPECT(!device_proc((VkDevice)&device, "vkWaitForPresentKHR") == (strcmp(mode, "own-waits") != 0));
  EXPECT(!device_proc((VkDevice)&device, "vkQueueSubmit2"));
  EXPECT(!device_proc((VkDevice)&device, "vkNobodyKnows"));
  // What only the layer has asked for is not the game's.
  const char *layers[] = {
      "vkGetCalibratedTimestampsEXT", "vkGetPastPresentationTimingGOOGLE", "vkGetPastPresentationTimingEXT"};
  for (int place = 0; place < 3 && strcmp(mode, "refusing") != 0; place++) {
    EXPECT(!device_proc((VkDevice)&device, layers[place]));
  }
  EXPECT(!set_marker == (strcmp(mode, "markers") != 0));
  VkQueue found;
  vkGetDeviceQueue_((VkDevice)&device, 0, 0, &found);
  vkGetDeviceQueue_((VkDevice)&device, 0, 0, &found);
  const VkSwapchainCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
      .surface = (VkSurfaceKHR)(uintptr_t)5,
      .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
      .imageExtent = {PICTURE_WIDTH, PICTURE_HEIGHT},
      .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .presentMode = VK_PRESENT_MODE_FIFO_KHR};
  VkSwapchainKHR chain;
  EXPECT(vkCreateSwapchainKHR_((VkDevice)&device, &info, NULL, &chain) == VK_SUCCESS);
  for (frame = 0; frame < FRAMES; frame++) {
    const uint64_t id = 100 + (uint64_t)frame;
    if (set_marker) {
      const struct {
        VkStructureType type;
        const void *next;
        uint64_t id;
        int32_t marker;
      } start = {1000505002, NULL, id, 0};
      set_marker((VkDevice)&device, chain, &start);
      truth[frame].simulated = now();
      rest(now() + 400000);
    }
    if (anti_lag) {
      const struct {
        VkStructureType type;
        const void *next;
        int32_t stage;
        uint64_t index;
      } input = {1000476002, NULL, 0, id};
      const struct {
        VkStructureType type;
        const void *next;
        int32_t mode;
        uint32_t most_fps;
        const void *presentation;
      } data = {1000476001, NULL, 1, 0, &input};
      anti_lag((VkDevice)&device, &data);
      truth[frame].simulated = now();
      rest(now() + 400000);
    }
    uint32_t image = (uint32_t)frame % IMAGES;
    vkAcquireNextImageKHR_((VkDevice)&device, chain, UINT64_MAX, VK_NULL_HANDLE, VK_NULL_HANDLE, &image);
    rest(now() + 700000);
    const VkCommandBuffer buffer = (VkCommandBuffer)&games;
    const VkSubmitInfo submits[] = {
        {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO},
        {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &buffer}};
    vkQueueSubmit_(found, 2, submits, VK_NULL_HANDLE);
    draw_picture();
    const VkSemaphore drawn = (VkSemaphore)(uintptr_t)GAMES_SEMAPHORE;
    if (frame == 20 && strcmp(mode, "pictures-late") == 0) {
      for (int fence = 1; fence <= fences; fence++) fence_is_done[fence] = 1;
    }
    const VkPresentIdKHR ids = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_ID_KHR, .swapchainCount = 1, .pPresentIds = &id};
    const VkPresentInfoKHR present = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .pNext = numbers_presents ? &ids : NULL,
        .waitSemaphoreCount = takes_pictures ? 1 : 0,
        .pWaitSemaphores = &drawn,
        .swapchainCount = 1,
        .pSwapchains = &chain,
        .pImageIndices = &image};
    vkQueuePresentKHR_(found, &present);
    rest(now() + 2000000);
  }
  frame = FRAMES - 1;
  if (strcmp(mode, "wayland-closed") == 0) {
    connection_is_open = 0;
    rest(now() + 100000000);
    return;
  }
  if (strcmp(mode, "wayland-early") == 0) {
    destroy_surface((VkInstance)&instance, info.surface, NULL);
    rest(now() + 20000000);
  }
  vkDestroySwapchainKHR_((VkDevice)&device, chain, NULL);
  // The layer has destroyed what it made, and has never waited.
  if (strncmp(mode, "wayland", 7) == 0) {
    EXPECT(wayland_left == 0 && wayland_roundtrips == 0);
    connection_is_open = 0;
  }
  if (strcmp(mode, "wayland") == 0) destroy_surface((VkInstance)&instance, info.surface, NULL);
}

int main(int count, char **arguments) {
  mode = count > 1 ? arguments[1] : "plain";
  has_timing = strcmp(mode, "timing") == 0 || strcmp(mode, "refusing") == 0;
  has_present_timing = strcmp(mode, "present-timing") == 0;
  // Who has the newer extension has the older ones, too.
  has_timing = has_timing || has_present_timing;
  has_clocks = has_timing || strcmp(mode, "clocks") == 0 || strcmp(mode, "lost") == 0;
  has_waits = strcmp(mode, "waits") == 0 || strcmp(mode, "own-waits") == 0;
  takes_pictures = strncmp(mode, "pictures", 8) == 0;
  if (takes_pictures) setenv("FRAMETOOL_PICTURES", "1", 1);
  numbers_presents = strcmp(mode, "markers") == 0 || strcmp(mode, "own-waits") == 0;
  VkNegotiateLayerInterface versions = {
      .sType = LAYER_NEGOTIATE_INTERFACE_STRUCT, .loaderLayerInterfaceVersion = 2};
  EXPECT(vkNegotiateLoaderLayerInterfaceVersion(&versions) == VK_SUCCESS);
  VkLayerInstanceLink link = {.pfnNextGetInstanceProcAddr = driver_proc};
  VkLayerInstanceCreateInfo chain = {
      .sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
      .function = VK_LAYER_LINK_INFO,
      .u.pLayerInfo = &link};
  const char *instance_names[] = {VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME};
  const VkApplicationInfo game = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
  const VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pNext = &chain,
      .pApplicationInfo = &game,
      .enabledExtensionCount = 1,
      .ppEnabledExtensionNames = instance_names};
  const PFN_vkCreateInstance create =
      (PFN_vkCreateInstance)versions.pfnGetInstanceProcAddr(NULL, "vkCreateInstance");
  VkInstance made;
  EXPECT(create(&info, NULL, &made) == VK_SUCCESS);
  const PFN_vkCreateDevice create_device =
      (PFN_vkCreateDevice)versions.pfnGetInstanceProcAddr(made, "vkCreateDevice");
  VkLayerDeviceLink device_link = {
      .pfnNextGetInstanceProcAddr = driver_proc, .pfnNextGetDeviceProcAddr = driver_device_proc};
  VkLayerDeviceCreateInfo data = {
      .sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
      .function = VK_LOADER_DATA_CALLBACK,
      .u.pfnSetDeviceLoaderData = set_loader_data};
  VkLayerDeviceCreateInfo device_chain = {
      .sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
      .pNext = &data,
      .function = VK_LAYER_LINK_INFO,
      .u.pLayerInfo = &device_link};
  const char *names[] = {
      VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_PRESENT_ID_EXTENSION_NAME,
      VK_KHR_PRESENT_WAIT_EXTENSION_NAME};
  VkPhysicalDevicePresentIdFeaturesKHR id_feature = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR, NULL, VK_TRUE};
  VkPhysicalDevicePresentWaitFeaturesKHR wait_feature = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR, &id_feature, VK_TRUE};
  const int waits_itself = strcmp(mode, "own-waits") == 0;
  if (waits_itself) data.pNext = &wait_feature;
  const VkDeviceCreateInfo device_info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = &device_chain,
      .enabledExtensionCount = waits_itself ? 3 : 1,
      .ppEnabledExtensionNames = names};
  VkDevice made_device = (VkDevice)&device;
  EXPECT(create_device((VkPhysicalDevice)&physical, &device_info, NULL, &made_device) == VK_SUCCESS);
  destroy_surface = (PFN_vkDestroySurfaceKHR)versions.pfnGetInstanceProcAddr(made, "vkDestroySurfaceKHR");
  if (strncmp(mode, "wayland", 7) == 0) {
    const VkWaylandSurfaceCreateInfoKHR window = {
        .sType = VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR,
        .display = (void *)&connection_is_open,
        .surface = (void *)&connection_is_open};
    VkSurfaceKHR surface;
    EXPECT(((PFN_vkCreateWaylandSurfaceKHR)versions.pfnGetInstanceProcAddr(
               made, "vkCreateWaylandSurfaceKHR"))(made, &window, NULL, &surface) == VK_SUCCESS);
  }
  play(versions.pfnGetDeviceProcAddr);
  ((PFN_vkDestroyDevice)versions.pfnGetDeviceProcAddr(made_device, "vkDestroyDevice"))(made_device, NULL);
  ((PFN_vkDestroyInstance)versions.pfnGetInstanceProcAddr(made, "vkDestroyInstance"))(made, NULL);
  EXPECT(destroyed_fences == fences && destroyed_semaphores == semaphores);
  EXPECT(!takes_pictures == !fences || strcmp(mode, "pictures-none") == 0);
  for (int place = 0; place < FRAMES; place++) {
    const struct truth *t = &truth[place];
    printf("%lld %lld %lld %lld %lld %lld %lld %lld %d\n", (long long)t->simulated,
           (long long)t->acquire_begin, (long long)t->acquire_end, (long long)t->present_begin,
           (long long)t->present_end, (long long)t->gpu_begin, (long long)t->gpu_end,
           (long long)t->displayed, t->is_told);
  }
  return trouble;
}
