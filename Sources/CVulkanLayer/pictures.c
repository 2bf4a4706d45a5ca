#include <stdlib.h>
#include <string.h>

#include "layer.h"

// Changes in the pictures that a program presents, so that a recorder can find the frame that responds to an input.
//
// Before a present, the queue copies a few lines of pixels of the image to memory of the layer. The lines are a 64th of
// the height apart, so nothing that is at least this high is missed, however narrow. The worker thread compares the
// lines with those of the previous frame, in cells of a grid, and records which cells changed. The program's threads
// make one more submission, and never wait: if the last copy of an image has not been examined yet, the picture is
// skipped, which the recorder notices.

enum {
  LINES = 64,
  GRID = 16,
  MASKS = GRID * GRID / 64,
  MOST_QUEUE_NAMES = 32,
  MOST_WAITS = 16,
  /// How many copies the worker compares before it does other work.
  MOST_AT_ONCE = 64,
  /// The number of semaphores of former swap chains to keep. After that many later presents, a present that waits for a
  /// semaphore has long ended.
  MOST_RETIRED = 1024
};
/// VK_SWAPCHAIN_CREATE_DEFERRED_MEMORY_ALLOCATION_BIT_EXT, as defined in its specification.
static const VkFlags DEFERRED_MEMORY = 0x8;
_Static_assert(MASKS * 64 == GRID * GRID, "the cells fill the numbers that say which of them changed");

/// The copy of an image's lines.
typedef struct {
  VkCommandBuffer commands;
  VkFence fence;
  /// The semaphore for which the present waits. The image is not acquired again before that wait ends.
  VkSemaphore copied;
  const uint32_t *lines;
  uint64_t frame;
  /// Whether the copy was submitted and has not been examined.
  _Atomic bool is_busy;
} copy;

struct pictures {
  struct pictures *next;
  device *device;
  surface *surface;
  VkSwapchainKHR chain;
  VkExtent2D size;
  VkFormat format;
  /// The number of 32-bit words of a pixel, and their visible bits.
  uint32_t words, seen[2];
  uint32_t line_count, count;
  /// The queue family for which the command buffers are made.
  uint32_t family;
  bool is_open, is_broken, is_refusal_noted;
  VkCommandPool pool;
  VkBuffer buffer;
  VkDeviceMemory memory;
  copy copies[MOST_IMAGES];
};

/// The cells of the last picture of a window.
struct picture_cells {
  VkExtent2D size;
  VkFormat format;
  uint64_t cells[GRID * GRID];
};

/// A device's data for the pictures of its swap chains.
struct picture_queues {
  /// The lock is held while pictures are compared or removed, and never by a thread that presents.
  pthread_mutex_t lock;
  struct pictures *all;
  struct {
    VkQueue handle;
    uint32_t family;
  } queues[MOST_QUEUE_NAMES];
  _Atomic int queue_count;
  /// Semaphores of destroyed swap chains, for which a present may still wait; the newest replaces the oldest.
  VkSemaphore retired[MOST_RETIRED];
  size_t retired_count;
  /// Pictures that a lost device may still use; they are kept until the device ends.
  struct pictures *stuck;
};

bool pictures_are_wanted(void) {
  const char *value = getenv("FRAMETOOL_PICTURES");
  return value && strcmp(value, "1") == 0;
}

struct picture_queues *picture_queues_open(void) {
  struct picture_queues *made = pictures_are_wanted() ? calloc(1, sizeof *made) : NULL;
  if (made) pthread_mutex_init(&made->lock, NULL);
  return made;
}

void picture_queues_add(device *own, VkQueue handle, uint32_t family) {
  struct picture_queues *queues = own->picture_queues;
  if (!queues) return;
  // A queue that can only copy has restrictions on what it can copy.
  VkQueueFamilyProperties families[32];
  uint32_t count = 32;
  own->instance->queue_families(own->physical, &count, families);
  const VkFlags usable = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  if (family >= count || !(families[family].queueFlags & usable)) return;
  pthread_mutex_lock(&queues->lock);
  const int known = atomic_load(&queues->queue_count);
  bool is_new = known < MOST_QUEUE_NAMES;
  for (int place = 0; place < known; place++) {
    if (queues->queues[place].handle == handle) is_new = false;
  }
  if (is_new) {
    queues->queues[known].handle = handle;
    queues->queues[known].family = family;
    atomic_store_explicit(&queues->queue_count, known + 1, memory_order_release);
  }
  pthread_mutex_unlock(&queues->lock);
}

/// The family of a queue; -1 if pictures cannot be copied on it.
static int64_t family_of(struct picture_queues *queues, VkQueue handle) {
  const int count = atomic_load_explicit(&queues->queue_count, memory_order_acquire);
  for (int place = 0; place < count; place++) {
    if (queues->queues[place].handle == handle) return queues->queues[place].family;
  }
  return -1;
}

/// The layout of a pixel; false for formats that are not compared.
/// - parameter is_opaque: Whether the compositor ignores the alpha channel.
static bool pixel_of(VkFormat format, bool is_opaque, uint32_t *words, uint32_t seen[2]) {
  seen[0] = seen[1] = UINT32_MAX;
  switch (format) {
    case VK_FORMAT_B8G8R8A8_UNORM:
    case VK_FORMAT_B8G8R8A8_SRGB:
    case VK_FORMAT_R8G8B8A8_UNORM:
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_A8B8G8R8_UNORM_PACK32:
    case VK_FORMAT_A8B8G8R8_SRGB_PACK32:
      *words = 1;
      if (is_opaque) seen[0] = 0x00ffffff;
      return true;
    case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
    case VK_FORMAT_A2R10G10B10_UNORM_PACK32:
      *words = 1;
      if (is_opaque) seen[0] = 0x3fffffff;
      return true;
    case VK_FORMAT_R16G16B16A16_SFLOAT:
    case VK_FORMAT_R16G16B16A16_UNORM:
      *words = 2;
      if (is_opaque) seen[1] = 0x0000ffff;
      return true;
    default: return false;
  }
}

#define FUNCTION(own, name) const PFN_##name name = (PFN_##name)(own)->next_proc((own)->handle, #name)

const char *pictures_prevented(device *own, const VkSwapchainCreateInfoKHR *info) {
  uint32_t words, seen[2];
  if (!pixel_of(info->imageFormat, false, &words, seen)) return "pictures not read: unknown format";
  if (info->flags & VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR) return "pictures not read: protected";
  // Such an image is never in the layout for presents, and is shown while it is drawn.
  if (info->presentMode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR ||
      info->presentMode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR) {
    return "pictures not read: shared images";
  }
  // An image has no memory before it is first acquired, so its commands cannot be recorded in advance.
  if (info->flags & DEFERRED_MEMORY) return "pictures not read: deferred memory";
  // A smaller picture would have cells without a pixel.
  if (info->imageExtent.width < GRID || info->imageExtent.height < GRID) return "pictures not read: too small";
  const PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR capabilities_of =
      (PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR)own->instance->next_proc(
          own->instance->handle, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
  VkSurfaceCapabilitiesKHR capabilities;
  if (!capabilities_of || capabilities_of(own->physical, info->surface, &capabilities) != VK_SUCCESS ||
      !(capabilities.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_SRC_BIT)) {
    return "pictures not read: the images cannot be copied";
  }
  return NULL;
}

struct pictures *pictures_open(device *own, surface *target, VkSwapchainKHR chain, const VkSwapchainCreateInfoKHR *info) {
  struct pictures *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  const bool is_opaque = info->compositeAlpha == VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  if (!target->cells) target->cells = calloc(1, sizeof *target->cells);
  if (!target->cells || !pixel_of(info->imageFormat, is_opaque, &made->words, made->seen)) {
    free(made);
    return NULL;
  }
  made->device = own;
  made->surface = target;
  made->chain = chain;
  made->size = info->imageExtent;
  made->format = info->imageFormat;
  made->line_count = info->imageExtent.height < LINES ? info->imageExtent.height : LINES;
  pthread_mutex_lock(&own->picture_queues->lock);
  made->next = own->picture_queues->all;
  own->picture_queues->all = made;
  pthread_mutex_unlock(&own->picture_queues->lock);
  return made;
}

/// The row of pixels copied by a line.
static uint32_t row_of(const struct pictures *own, uint32_t line) {
  return (uint32_t)(((uint64_t)2 * line + 1) * own->size.height / (2 * own->line_count));
}

static size_t line_bytes(const struct pictures *own) { return (size_t)own->size.width * own->words * 4; }

/// Memory accessible to both the GPU and the worker, preferably cached by the processor.
static bool open_memory(struct pictures *own) {
  device *device = own->device;
  FUNCTION(device, vkCreateBuffer);
  FUNCTION(device, vkGetBufferMemoryRequirements);
  FUNCTION(device, vkAllocateMemory);
  FUNCTION(device, vkBindBufferMemory);
  FUNCTION(device, vkMapMemory);
  const PFN_vkGetPhysicalDeviceMemoryProperties properties_of =
      (PFN_vkGetPhysicalDeviceMemoryProperties)device->instance->next_proc(
          device->instance->handle, "vkGetPhysicalDeviceMemoryProperties");
  const size_t copy_bytes = line_bytes(own) * own->line_count;
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = copy_bytes * own->count,
      .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  if (!properties_of || vkCreateBuffer(device->handle, &info, NULL, &own->buffer) != VK_SUCCESS) return false;
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device->handle, own->buffer, &needs);
  VkPhysicalDeviceMemoryProperties kinds;
  properties_of(device->physical, &kinds);
  const VkFlags least = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  int found = -1;
  for (int turn = 0; turn < 2 && found < 0; turn++) {
    const VkFlags wanted = least | (turn ? 0 : VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    for (uint32_t kind = 0; kind < kinds.memoryTypeCount && found < 0; kind++) {
      const bool fits = (needs.memoryTypeBits >> kind & 1) && (kinds.memoryTypes[kind].propertyFlags & wanted) == wanted;
      if (fits) found = (int)kind;
    }
  }
  const VkMemoryAllocateInfo memory = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = needs.size,
      .memoryTypeIndex = (uint32_t)found};
  if (found < 0 || vkAllocateMemory(device->handle, &memory, NULL, &own->memory) != VK_SUCCESS) return false;
  void *bytes = NULL;
  if (vkBindBufferMemory(device->handle, own->buffer, own->memory, 0) != VK_SUCCESS ||
      vkMapMemory(device->handle, own->memory, 0, VK_WHOLE_SIZE, 0, &bytes) != VK_SUCCESS) {
    return false;
  }
  for (uint32_t image = 0; image < own->count; image++) {
    own->copies[image].lines = (const uint32_t *)((const char *)bytes + image * copy_bytes);
  }
  return true;
}

/// Records the commands that copy an image's lines. The program provides the image in the layout for presents.
static bool record(struct pictures *own, copy *made, VkImage image, size_t start) {
  device *device = own->device;
  FUNCTION(device, vkBeginCommandBuffer);
  FUNCTION(device, vkCmdPipelineBarrier);
  FUNCTION(device, vkCmdCopyImageToBuffer);
  FUNCTION(device, vkEndCommandBuffer);
  if (!adopt_commands(device, made->commands)) return false;
  const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  if (vkBeginCommandBuffer(made->commands, &info) != VK_SUCCESS) return false;
  VkImageMemoryBarrier turn = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
      .oldLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
      .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  // Wait for all earlier work, because a program may present without a semaphore on the queue on which it drew.
  vkCmdPipelineBarrier(
      made->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &turn);
  VkBufferImageCopy lines[LINES];
  for (uint32_t line = 0; line < own->line_count; line++) {
    lines[line] = (VkBufferImageCopy){
        .bufferOffset = start + line * line_bytes(own),
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageOffset = {0, (int32_t)row_of(own, line), 0},
        .imageExtent = {own->size.width, 1, 1}};
  }
  vkCmdCopyImageToBuffer(
      made->commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, own->buffer, own->line_count, lines);
  turn.srcAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  turn.dstAccessMask = 0;
  turn.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  turn.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
  const VkMemoryBarrier read = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(
      made->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &read, 0, NULL, 1, &turn);
  return vkEndCommandBuffer(made->commands) == VK_SUCCESS;
}

/// Creates the resources for copies, at the first present.
static bool open_copies(struct pictures *own, uint32_t family) {
  device *device = own->device;
  FUNCTION(device, vkCreateCommandPool);
  FUNCTION(device, vkAllocateCommandBuffers);
  FUNCTION(device, vkCreateFence);
  FUNCTION(device, vkCreateSemaphore);
  VkImage images[MOST_IMAGES];
  own->count = MOST_IMAGES;
  if (device->images(device->handle, own->chain, &own->count, images) != VK_SUCCESS || !open_memory(own)) return false;
  own->family = family;
  const VkCommandPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family};
  if (vkCreateCommandPool(device->handle, &pool, NULL, &own->pool) != VK_SUCCESS) return false;
  VkCommandBuffer buffers[MOST_IMAGES];
  const VkCommandBufferAllocateInfo wanted = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = own->pool,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = own->count};
  if (vkAllocateCommandBuffers(device->handle, &wanted, buffers) != VK_SUCCESS) return false;
  const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  for (uint32_t image = 0; image < own->count; image++) {
    copy *made = &own->copies[image];
    made->commands = buffers[image];
    const bool is_made =
        vkCreateFence(device->handle, &fence, NULL, &made->fence) == VK_SUCCESS &&
        vkCreateSemaphore(device->handle, &semaphore, NULL, &made->copied) == VK_SUCCESS &&
        record(own, made, images[image], image * line_bytes(own) * own->line_count);
    if (!is_made) return false;
  }
  return true;
}

/// Records once why the pictures of a swap chain are not read although they were requested.
static const VkPresentInfoKHR *refuse(struct pictures *own, const VkPresentInfoKHR *info, const char *words) {
  if (!own->is_refusal_noted) record_note(words, own->surface->name);
  own->is_refusal_noted = true;
  return info;
}

const VkPresentInfoKHR *pictures_take(
    device *own, VkQueue queue, const VkPresentInfoKHR *info, uint64_t frame, VkPresentInfoKHR *room) {
  if (!own->picture_queues || info->swapchainCount == 0) return info;
  pthread_mutex_lock(&own->lock);
  swapchain *chain = swapchain_of(own, info->pSwapchains[0]);
  struct pictures *pictures = chain ? chain->pictures : NULL;
  pthread_mutex_unlock(&own->lock);
  if (!pictures) return info;
  if (info->swapchainCount > 1) return refuse(pictures, info, "pictures not read: several windows in a present");
  if (info->waitSemaphoreCount > MOST_WAITS) return refuse(pictures, info, "pictures not read: too many semaphores");
  const int64_t family = family_of(own->picture_queues, queue);
  if (family < 0) return refuse(pictures, info, "pictures not read: the queue cannot copy");
  if (!pictures->is_open) {
    pictures->is_open = true;
    pictures->is_broken = !open_copies(pictures, (uint32_t)family);
  }
  const uint32_t image = info->pImageIndices[0];
  if (pictures->is_broken) return refuse(pictures, info, "pictures not read: a call of the driver failed");
  if (pictures->family != family) return refuse(pictures, info, "pictures not read: presents from several queues");
  if (image >= pictures->count) return refuse(pictures, info, "pictures not read: too many images");
  copy *taken = &pictures->copies[image];
  if (atomic_load_explicit(&taken->is_busy, memory_order_acquire)) return info;
  VkPipelineStageFlags stages[MOST_WAITS];
  for (uint32_t place = 0; place < info->waitSemaphoreCount; place++) stages[place] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  const VkSubmitInfo submission = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .waitSemaphoreCount = info->waitSemaphoreCount,
      .pWaitSemaphores = info->pWaitSemaphores,
      .pWaitDstStageMask = stages,
      .commandBufferCount = 1,
      .pCommandBuffers = &taken->commands,
      .signalSemaphoreCount = 1,
      .pSignalSemaphores = &taken->copied};
  if (own->submit(queue, 1, &submission, taken->fence) != VK_SUCCESS) return info;
  taken->frame = frame;
  atomic_store_explicit(&taken->is_busy, true, memory_order_release);
  *room = *info;
  room->waitSemaphoreCount = 1;
  room->pWaitSemaphores = &taken->copied;
  return room;
}

void pictures_presented(device *own, const VkPresentInfoKHR *info, const VkPresentInfoKHR *taken, VkResult result) {
  const bool has_waited = result >= 0 || result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_ERROR_SURFACE_LOST_KHR;
  if (taken == info || has_waited) return;
  // The semaphore may stay signaled, and cannot be used again.
  pthread_mutex_lock(&own->lock);
  swapchain *chain = swapchain_of(own, info->pSwapchains[0]);
  if (chain && chain->pictures) chain->pictures->is_broken = true;
  pthread_mutex_unlock(&own->lock);
}

// Comparing pictures.

/// The digest of each cell of a copy.
static void digest(const struct pictures *own, const copy *looked, uint64_t cells[GRID * GRID]) {
  memset(cells, 0, GRID * GRID * sizeof *cells);
  const uint32_t width = own->size.width, words = own->words;
  const uint32_t *pixels = looked->lines;
  for (uint32_t line = 0; line < own->line_count; line++) {
    uint64_t *row = cells + (size_t)row_of(own, line) * GRID / own->size.height * GRID;
    for (uint32_t column = 0; column < GRID; column++) {
      const uint32_t end = (uint32_t)((uint64_t)(column + 1) * width / GRID) * words;
      uint64_t sum = row[column];
      for (uint32_t place = (uint32_t)((uint64_t)column * width / GRID) * words; place < end; place++) {
        sum = (sum ^ (pixels[place] & own->seen[place % words])) * 0x9e3779b97f4a7c15;
        sum ^= sum >> 32;
      }
      row[column] = sum;
    }
    pixels += (size_t)width * words;
  }
}

/// Records which cells changed since the last picture of the window.
static void compare(struct pictures *own, const copy *looked) {
  struct picture_cells *last = own->surface->cells;
  uint64_t cells[GRID * GRID], masks[MASKS] = {0};
  digest(own, looked, cells);
  const bool is_alike = last->size.width == own->size.width && last->size.height == own->size.height &&
                        last->format == own->format;
  for (int cell = 0; cell < GRID * GRID; cell++) {
    if (!is_alike || cells[cell] != last->cells[cell]) masks[cell / 64] |= (uint64_t)1 << cell % 64;
  }
  memcpy(last->cells, cells, sizeof cells);
  last->size = own->size;
  last->format = own->format;
  frame_recorder *recorder = recording();
  const uint16_t name = own->surface->name;
  const uint64_t size = (uint64_t)own->size.width << 32 | own->size.height;
  frame_recorder_number(recorder, FRAME_RECORDER_PICTURE, name, looked->frame, (int64_t)size);
  for (int place = 0; place < MASKS; place++) {
    frame_recorder_number(recorder, FRAME_RECORDER_PICTURE, name, looked->frame, (int64_t)masks[place]);
  }
}

/// The oldest copy that has not been examined; a null pointer if there is none.
static copy *oldest(struct picture_queues *queues, struct pictures **owner) {
  copy *found = NULL;
  for (struct pictures *own = queues->all; own; own = own->next) {
    for (uint32_t image = 0; image < MOST_IMAGES; image++) {
      copy *other = &own->copies[image];
      if (!atomic_load_explicit(&other->is_busy, memory_order_acquire)) continue;
      if (found && found->frame <= other->frame) continue;
      found = other;
      *owner = own;
    }
  }
  return found;
}

void pictures_compare(device *own) {
  struct picture_queues *queues = own->picture_queues;
  if (!queues) return;
  FUNCTION(own, vkGetFenceStatus);
  FUNCTION(own, vkResetFences);
  pthread_mutex_lock(&queues->lock);
  struct pictures *owner = NULL;
  copy *next;
  // Pictures of a window are compared in the order of its frames.
  for (int turn = 0; turn < MOST_AT_ONCE && (next = oldest(queues, &owner)); turn++) {
    if (vkGetFenceStatus(own->handle, next->fence) != VK_SUCCESS) break;
    compare(owner, next);
    vkResetFences(own->handle, 1, &next->fence);
    atomic_store_explicit(&next->is_busy, false, memory_order_release);
  }
  pthread_mutex_unlock(&queues->lock);
}

// Cleanup.

/// Keeps a semaphore until enough later semaphores have been added.
static void retire(struct picture_queues *queues, device *device, VkSemaphore semaphore) {
  FUNCTION(device, vkDestroySemaphore);
  VkSemaphore *place = &queues->retired[queues->retired_count++ % MOST_RETIRED];
  if (*place) vkDestroySemaphore(device->handle, *place, NULL);
  *place = semaphore;
}

/// Destroys everything except the semaphores.
static void destroy_copies(struct pictures *own) {
  device *device = own->device;
  FUNCTION(device, vkDestroyFence);
  FUNCTION(device, vkDestroyCommandPool);
  FUNCTION(device, vkDestroyBuffer);
  FUNCTION(device, vkFreeMemory);
  for (uint32_t image = 0; image < MOST_IMAGES; image++) {
    if (own->copies[image].fence) vkDestroyFence(device->handle, own->copies[image].fence, NULL);
  }
  if (own->pool) vkDestroyCommandPool(device->handle, own->pool, NULL);
  if (own->buffer) vkDestroyBuffer(device->handle, own->buffer, NULL);
  if (own->memory) vkFreeMemory(device->handle, own->memory, NULL);
  free(own);
}

void pictures_close(struct pictures *own) {
  if (!own) return;
  device *device = own->device;
  struct picture_queues *queues = device->picture_queues;
  FUNCTION(device, vkWaitForFences);
  pictures_compare(device);
  pthread_mutex_lock(&queues->lock);
  struct pictures **place = &queues->all;
  while (*place && *place != own) place = &(*place)->next;
  if (*place) *place = own->next;
  bool is_idle = true;
  for (uint32_t image = 0; image < MOST_IMAGES; image++) {
    copy *closed = &own->copies[image];
    // The program has drawn what it presented, so this does not take long; a lost device is waited for only once.
    if (is_idle && atomic_load(&closed->is_busy)) {
      is_idle = vkWaitForFences(device->handle, 1, &closed->fence, VK_TRUE, 1000000000) == VK_SUCCESS;
    }
    if (closed->copied) retire(queues, device, closed->copied);
  }
  if (!is_idle) {
    own->next = queues->stuck;
    queues->stuck = own;
  }
  pthread_mutex_unlock(&queues->lock);
  if (is_idle) destroy_copies(own);
}

void picture_queues_close(device *own) {
  struct picture_queues *queues = own->picture_queues;
  if (!queues) return;
  FUNCTION(own, vkDestroySemaphore);
  for (size_t place = 0; place < MOST_RETIRED; place++) {
    if (queues->retired[place]) vkDestroySemaphore(own->handle, queues->retired[place], NULL);
  }
  while (queues->stuck) {
    struct pictures *next = queues->stuck->next;
    destroy_copies(queues->stuck);
    queues->stuck = next;
  }
  pthread_mutex_destroy(&queues->lock);
  free(queues);
}
