#include <stdlib.h>
#include <string.h>

#include "layer.h"

// Each submission to a graphics queue gets a timestamp before and after its work. The command
// buffers that write the timestamps are recorded once, in slots that are used in turn. The layer's
// worker thread reads the results of a slot, because drivers may block in that call.

enum { SLOTS = 256, MOST_SUBMITS = 16, MOST_BUFFERS = 256, FRAMES = 64, MOST_QUEUES = 16 };

typedef struct {
  VkCommandBuffer begin, end;
  uint64_t frame;
  /// The previous results, which a query returns until it is written again.
  uint64_t last_begin, last_end;
  _Atomic bool is_busy;
} slot;

typedef struct {
  VkQueue handle;
  uint64_t mask;
  VkCommandPool pool;
  VkQueryPool queries;
  slot slots[SLOTS];
  /// Only the thread that submits to the queue uses these; they are too large for the stack of a
  /// fiber.
  uint32_t next;
  VkSubmitInfo submits[MOST_SUBMITS];
  VkSubmitInfo2 submits2[MOST_SUBMITS];
  VkCommandBuffer begin[MOST_BUFFERS], end[MOST_BUFFERS];
  VkCommandBufferSubmitInfo begin2[MOST_BUFFERS], end2[MOST_BUFFERS];
} queue_times;

typedef struct gpu_times {
  device *device;
  PFN_vkGetCalibratedTimestampsEXT calibrate;
  PFN_vkGetQueryPoolResults results;
  double period;
  /// The queues; entries below the count never change.
  queue_times *queues[MOST_QUEUES];
  _Atomic int queue_count;
  /// The surface on which each recent frame was presented.
  struct {
    _Atomic uint64_t frame;
    _Atomic uint16_t name;
    /// The number of a frame with a submission that could not be timed, plus 1; the times of such a
    /// frame would be incomplete.
    _Atomic uint64_t partial;
  } frames[FRAMES];
  bool is_partial_noted;
  /// The time at which both clocks were last read; 0 if not yet.
  int64_t read, monotonic;
  uint64_t stamp;
} gpu_times;

/// No frame yet.
static const uint64_t NONE = UINT64_MAX;
/// How often both clocks are read, because they drift against each other.
static const int64_t CALIBRATION_INTERVAL = 250000000;
/// The largest accepted deviation between the two clock reads, in ns.
static const uint64_t CLOSE_ENOUGH = 20000;
/// A time farther away than this, in ns, comes from unwritten memory.
static const int64_t FARTHEST = 10000000000;

const char *gpu_clock_extension(instance *instance, VkPhysicalDevice physical) {
  static const char *const names[] = {"VK_KHR_calibrated_timestamps", "VK_EXT_calibrated_timestamps"};
  for (int wanted = 0; wanted < 2; wanted++) {
    if (has_extension(instance, physical, names[wanted])) return names[wanted];
  }
  return NULL;
}

/// Whether the GPU's clock can be read together with the recording's clock.
static bool has_clocks(device *own, bool is_khr) {
  const PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT list =
      is_khr ? own->instance->time_domains_khr : own->instance->time_domains;
  VkTimeDomainEXT domains[16];
  uint32_t count = 16;
  if (!list || list(own->physical, &count, domains) < 0) return false;
  bool has_device = false, has_monotonic = false;
  for (uint32_t place = 0; place < count; place++) {
    if (domains[place] == VK_TIME_DOMAIN_DEVICE_EXT) has_device = true;
    if (domains[place] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT) has_monotonic = true;
  }
  return has_device && has_monotonic;
}

struct gpu_times *gpu_times_open(device *own, const char *extension) {
  if (!extension) return NULL;
  const bool is_khr = strstr(extension, "KHR") != NULL;
  gpu_times *times = has_clocks(own, is_khr) ? calloc(1, sizeof *times) : NULL;
  if (!times) return NULL;
  VkPhysicalDeviceProperties properties;
  own->instance->properties(own->physical, &properties);
  times->device = own;
  times->period = properties.limits.timestampPeriod;
  times->results = (PFN_vkGetQueryPoolResults)own->next_proc(own->handle, "vkGetQueryPoolResults");
  times->calibrate = (PFN_vkGetCalibratedTimestampsEXT)own->next_proc(
      own->handle, is_khr ? "vkGetCalibratedTimestampsKHR" : "vkGetCalibratedTimestampsEXT");
  for (int place = 0; place < FRAMES; place++) atomic_store(&times->frames[place].frame, NONE);
  if (times->calibrate && times->results) return times;
  free(times);
  return NULL;
}

/// The valid bits of a queue family's timestamps; 0 if it has no timestamps or no graphics.
static uint64_t stamp_mask(device *own, uint32_t family) {
  VkQueueFamilyProperties families[32];
  uint32_t count = 32;
  own->instance->queue_families(own->physical, &count, families);
  if (family >= count || !(families[family].queueFlags & VK_QUEUE_GRAPHICS_BIT)) return 0;
  const uint32_t bits = families[family].timestampValidBits;
  return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/// Records the command buffers of a slot.
static bool record(
    device *own, queue_times *queue, uint32_t number, const VkCommandBuffer buffers[2]) {
  const PFN_vkGetDeviceProcAddr next = own->next_proc;
  const PFN_vkBeginCommandBuffer begin = (PFN_vkBeginCommandBuffer)next(own->handle, "vkBeginCommandBuffer");
  const PFN_vkEndCommandBuffer end = (PFN_vkEndCommandBuffer)next(own->handle, "vkEndCommandBuffer");
  const PFN_vkCmdResetQueryPool reset = (PFN_vkCmdResetQueryPool)next(own->handle, "vkCmdResetQueryPool");
  const PFN_vkCmdWriteTimestamp stamp = (PFN_vkCmdWriteTimestamp)next(own->handle, "vkCmdWriteTimestamp");
  const VkCommandBufferBeginInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      // An available timestamp does not mean that the driver is finished with the command buffer
      // that wrote it.
      .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
  for (uint32_t place = 0; place < 2; place++) {
    if (!adopt_commands(own, buffers[place])) return false;
    if (begin(buffers[place], &info) != VK_SUCCESS) return false;
    const uint32_t query = 2 * number + place;
    reset(buffers[place], queue->queries, query, 1);
    stamp(
        buffers[place],
        place ? VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT : VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
        queue->queries, query);
    if (end(buffers[place]) != VK_SUCCESS) return false;
  }
  queue->slots[number].begin = buffers[0];
  queue->slots[number].end = buffers[1];
  return true;
}

static void close_queue(device *own, queue_times *queue) {
  const PFN_vkDestroyCommandPool destroy_pool =
      (PFN_vkDestroyCommandPool)own->next_proc(own->handle, "vkDestroyCommandPool");
  const PFN_vkDestroyQueryPool destroy_queries =
      (PFN_vkDestroyQueryPool)own->next_proc(own->handle, "vkDestroyQueryPool");
  if (queue->pool) destroy_pool(own->handle, queue->pool, NULL);
  if (queue->queries) destroy_queries(own->handle, queue->queries, NULL);
  free(queue);
}

static bool open_queue(device *own, queue_times *queue, uint32_t family) {
  const PFN_vkGetDeviceProcAddr next = own->next_proc;
  const PFN_vkCreateCommandPool create_pool = (PFN_vkCreateCommandPool)next(own->handle, "vkCreateCommandPool");
  const PFN_vkCreateQueryPool create_queries = (PFN_vkCreateQueryPool)next(own->handle, "vkCreateQueryPool");
  const PFN_vkAllocateCommandBuffers allocate =
      (PFN_vkAllocateCommandBuffers)next(own->handle, "vkAllocateCommandBuffers");
  const VkCommandPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family};
  const VkQueryPoolCreateInfo queries = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
      .queryType = VK_QUERY_TYPE_TIMESTAMP,
      .queryCount = 2 * SLOTS};
  if (create_pool(own->handle, &pool, NULL, &queue->pool) != VK_SUCCESS) return false;
  if (create_queries(own->handle, &queries, NULL, &queue->queries) != VK_SUCCESS) return false;
  VkCommandBuffer buffers[2 * SLOTS];
  const VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = queue->pool,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = 2 * SLOTS};
  if (allocate(own->handle, &info, buffers) != VK_SUCCESS) return false;
  for (uint32_t number = 0; number < SLOTS; number++) {
    if (!record(own, queue, number, buffers + 2 * number)) return false;
  }
  return true;
}

static queue_times *queue_of(gpu_times *times, VkQueue handle) {
  const int count = atomic_load_explicit(&times->queue_count, memory_order_acquire);
  for (int place = 0; place < count; place++) {
    if (times->queues[place]->handle == handle) return times->queues[place];
  }
  return NULL;
}

void gpu_times_queue(gpu_times *times, VkQueue handle, uint32_t family, bool can_stamp) {
  device *own = times->device;
  const uint64_t mask = can_stamp ? stamp_mask(own, family) : 0;
  if (!mask) return;
  pthread_mutex_lock(&own->lock);
  const int count = atomic_load(&times->queue_count);
  queue_times *queue =
      !queue_of(times, handle) && count < MOST_QUEUES ? calloc(1, sizeof *queue) : NULL;
  if (queue) {
    queue->handle = handle;
    queue->mask = mask;
    if (open_queue(own, queue, family)) {
      times->queues[count] = queue;
      atomic_store_explicit(&times->queue_count, count + 1, memory_order_release);
    } else {
      close_queue(own, queue);
    }
  }
  pthread_mutex_unlock(&own->lock);
}

// Submissions.

/// Whether a submission has parameters for its command buffers that would not apply to the layer's.
static bool is_particular(const void *next) {
  for (const VkBaseInStructure *found = next; found; found = found->pNext) {
    if (found->sType == VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO ||
        found->sType == VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO) {
      return true;
    }
  }
  return false;
}

/// The slot for the next submission; a null pointer if all slots are waiting for the GPU.
static slot *take_slot(gpu_times *times, queue_times *queue) {
  slot *next = &queue->slots[queue->next % SLOTS];
  if (atomic_load_explicit(&next->is_busy, memory_order_acquire)) return NULL;
  queue->next++;
  next->frame = atomic_load_explicit(&times->device->frame, memory_order_relaxed);
  return next;
}

/// Records that a submission of the current frame is not timed.
static bool leave_out(gpu_times *times) {
  const uint64_t frame = atomic_load_explicit(&times->device->frame, memory_order_relaxed);
  atomic_store_explicit(&times->frames[frame % FRAMES].partial, frame + 1, memory_order_release);
  return false;
}

bool gpu_times_submit(
    gpu_times *times, VkQueue handle, uint32_t count, const VkSubmitInfo *submits, VkFence fence,
    VkResult *result) {
  queue_times *queue = queue_of(times, handle);
  if (!queue || count == 0) return false;
  if (count > MOST_SUBMITS) return leave_out(times);
  uint32_t first = count, last = 0;
  for (uint32_t place = 0; place < count; place++) {
    if (is_particular(submits[place].pNext)) return leave_out(times);
    if (!submits[place].commandBufferCount) continue;
    if (submits[place].commandBufferCount > MOST_BUFFERS - 2) return leave_out(times);
    if (first == count) first = place;
    last = place;
  }
  if (first == count) return false;
  slot *used = take_slot(times, queue);
  if (!used) return leave_out(times);
  VkSubmitInfo *more = queue->submits;
  VkCommandBuffer *begin = queue->begin, *end = queue->end;
  memcpy(more, submits, count * sizeof *more);
  begin[0] = used->begin;
  memcpy(begin + 1, more[first].pCommandBuffers, more[first].commandBufferCount * sizeof *begin);
  more[first].pCommandBuffers = begin;
  more[first].commandBufferCount++;
  memcpy(end, more[last].pCommandBuffers, more[last].commandBufferCount * sizeof *end);
  end[more[last].commandBufferCount] = used->end;
  more[last].pCommandBuffers = end;
  more[last].commandBufferCount++;
  *result = times->device->submit(handle, count, more, fence);
  atomic_store_explicit(&used->is_busy, *result == VK_SUCCESS, memory_order_release);
  return true;
}

bool gpu_times_submit2(
    gpu_times *times, VkQueue handle, PFN_vkQueueSubmit2 next, uint32_t count,
    const VkSubmitInfo2 *submits, VkFence fence, VkResult *result) {
  queue_times *queue = queue_of(times, handle);
  if (!queue || count == 0) return false;
  if (count > MOST_SUBMITS) return leave_out(times);
  uint32_t first = count, last = 0;
  for (uint32_t place = 0; place < count; place++) {
    if (is_particular(submits[place].pNext) || submits[place].flags) return leave_out(times);
    if (!submits[place].commandBufferInfoCount) continue;
    if (submits[place].commandBufferInfoCount > MOST_BUFFERS - 2) return leave_out(times);
    if (first == count) first = place;
    last = place;
  }
  if (first == count) return false;
  slot *used = take_slot(times, queue);
  if (!used) return leave_out(times);
  VkSubmitInfo2 *more = queue->submits2;
  VkCommandBufferSubmitInfo *begin = queue->begin2, *end = queue->end2;
  memcpy(more, submits, count * sizeof *more);
  begin[0] = (VkCommandBufferSubmitInfo){
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = used->begin};
  memcpy(begin + 1, more[first].pCommandBufferInfos,
         more[first].commandBufferInfoCount * sizeof *begin);
  more[first].pCommandBufferInfos = begin;
  more[first].commandBufferInfoCount++;
  memcpy(end, more[last].pCommandBufferInfos, more[last].commandBufferInfoCount * sizeof *end);
  end[more[last].commandBufferInfoCount] = (VkCommandBufferSubmitInfo){
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = used->end};
  more[last].pCommandBufferInfos = end;
  more[last].commandBufferInfoCount++;
  *result = next(handle, count, more, fence);
  atomic_store_explicit(&used->is_busy, *result == VK_SUCCESS, memory_order_release);
  return true;
}

// Reading the results.

static void calibrate(gpu_times *times) {
  const int64_t now = frame_recorder_now();
  if (times->read && now - times->read < CALIBRATION_INTERVAL) return;
  const VkCalibratedTimestampInfoEXT clocks[] = {
      {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
       .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
      {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
       .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT},
  };
  uint64_t best = UINT64_MAX;
  for (int turn = 0; turn < 3 && best > CLOSE_ENOUGH; turn++) {
    uint64_t found[2], deviation;
    if (times->calibrate(times->device->handle, 2, clocks, found, &deviation) != VK_SUCCESS) return;
    if (deviation >= best) continue;
    best = deviation;
    times->read = now;
    times->stamp = found[0];
    times->monotonic = (int64_t)found[1];
  }
}

/// A timestamp converted to the recording's clock; a counter with few bits may wrap around.
static int64_t on_recording_clock(const gpu_times *times, uint64_t stamp, uint64_t mask) {
  uint64_t distance = (stamp - times->stamp) & mask;
  const bool is_before = distance > mask / 2;
  if (is_before) distance = (times->stamp - stamp) & mask;
  const int64_t length = (int64_t)((double)distance * times->period);
  return times->monotonic + (is_before ? -length : length);
}

/// Reads the results of a slot.
static void collect(gpu_times *times, queue_times *queue, uint32_t number) {
  slot *used = &queue->slots[number];
  if (!atomic_load_explicit(&used->is_busy, memory_order_acquire)) return;
  // Wait if its frame is still being made or presented.
  const uint64_t known = atomic_load(&times->frames[used->frame % FRAMES].frame);
  const bool is_waiting = known == NONE || known < used->frame;
  if (is_waiting) return;
  uint64_t found[2][2];
  const VkResult result = times->results(
      times->device->handle, queue->queries, 2 * number, 2, sizeof found, found, sizeof found[0],
      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  if (result != VK_SUCCESS && result != VK_NOT_READY) return;
  const bool is_done = found[0][1] && found[1][1] && found[0][0] != used->last_begin &&
                       found[1][0] != used->last_end;
  if (!is_done) return;
  used->last_begin = found[0][0];
  used->last_end = found[1][0];
  const uint64_t frame = used->frame;
  atomic_store_explicit(&used->is_busy, false, memory_order_release);
  if (known != frame || !times->read) return;
  const uint16_t name = atomic_load(&times->frames[frame % FRAMES].name);
  frame_recorder *recorder = recording();
  if (atomic_load(&times->frames[frame % FRAMES].partial) == frame + 1) {
    if (!times->is_partial_noted) {
      times->is_partial_noted = true;
      record_note("more GPU work than can be timed, left out", name);
    }
    return;
  }
  const int64_t begin = on_recording_clock(times, found[0][0], queue->mask);
  const int64_t end = on_recording_clock(times, found[1][0], queue->mask);
  if (end < begin || begin < times->monotonic - FARTHEST || end > times->monotonic + FARTHEST) return;
  frame_recorder_event_at(recorder, FRAME_RECORDER_GPU_BEGIN, name, frame, begin);
  frame_recorder_event_at(recorder, FRAME_RECORDER_GPU_END, name, frame, end);
}

void gpu_times_presented(gpu_times *times, uint16_t name, uint64_t frame) {
  atomic_store(&times->frames[frame % FRAMES].name, name);
  atomic_store(&times->frames[frame % FRAMES].frame, frame);
}

void gpu_times_collect(gpu_times *times) {
  calibrate(times);
  const int count = atomic_load_explicit(&times->queue_count, memory_order_acquire);
  for (int place = 0; place < count; place++) {
    for (uint32_t number = 0; number < SLOTS; number++) {
      collect(times, times->queues[place], number);
    }
  }
}

void gpu_times_close(gpu_times *times) {
  if (!times) return;
  const int count = atomic_load(&times->queue_count);
  for (int place = 0; place < count; place++) close_queue(times->device, times->queues[place]);
  free(times);
}
