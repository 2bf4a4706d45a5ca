#include "layer.h"

// VK_NV_low_latency2 and VK_AMD_anti_lag: programs report their progress within a frame to the
// driver. The structures are declared here, because the headers of older systems lack them.

typedef struct {
  VkStructureType sType;
  const void *pNext;
  uint64_t present_id;
  /// 0 is the start of the simulation, 6 the sampling of inputs.
  int32_t marker;
} latency_marker;

enum { SIMULATION_START = 0, INPUT_SAMPLE = 6, STAGE_INPUT = 0 };

typedef struct {
  VkStructureType sType;
  const void *pNext;
  int32_t stage;
  uint64_t frame_index;
} anti_lag_presentation;

typedef struct {
  VkStructureType sType;
  const void *pNext;
  int32_t mode;
  uint32_t most_fps;
  const anti_lag_presentation *presentation;
} anti_lag_data;

static void set_latency_marker(VkDevice handle, VkSwapchainKHR chain_handle, const void *info) {
  device *own = device_of(handle);
  const int64_t now = frame_recorder_now();
  const latency_marker *told = info;
  frame_recorder *recorder = recording();
  pthread_mutex_lock(&own->lock);
  swapchain *chain = recorder && told ? swapchain_of(own, chain_handle) : NULL;
  if (chain && told->marker == SIMULATION_START) {
    const int place = (int)(told->present_id % MARKED_FRAMES);
    chain->markers.frames[place].id = told->present_id;
    chain->markers.frames[place].simulation = now;
    chain->markers.latest = now;
  } else if (chain && told->marker == INPUT_SAMPLE) {
    frame_recorder_event_at(
        recorder, FRAME_RECORDER_MARK, frame_recorder_name(recorder, "input sampled"),
        told->present_id, now);
  }
  pthread_mutex_unlock(&own->lock);
  own->set_latency_marker(handle, chain_handle, info);
}

static void anti_lag(VkDevice handle, const void *data) {
  device *own = device_of(handle);
  own->anti_lag(handle, data);
  const anti_lag_data *told = data;
  frame_recorder *recorder = recording();
  if (!recorder || !told || !told->presentation || told->presentation->stage != STAGE_INPUT) return;
  // The call returns when the program should read its inputs and begin.
  const int64_t now = frame_recorder_now();
  frame_recorder_event_at(
      recorder, FRAME_RECORDER_MARK, frame_recorder_name(recorder, "input sampled"),
      told->presentation->frame_index, now);
  pthread_mutex_lock(&own->lock);
  for (swapchain *chain = own->swapchains; chain; chain = chain->next) chain->markers.latest = now;
  pthread_mutex_unlock(&own->lock);
}

int64_t simulation_begin(swapchain *chain, const VkPresentInfoKHR *info, uint32_t place) {
  const uint64_t id = present_id(info, place);
  const int marked = (int)(id % MARKED_FRAMES);
  if (id && chain->markers.frames[marked].id == id) return chain->markers.frames[marked].simulation;
  // Without frame IDs, the latest marker belongs to this frame.
  const int64_t latest = chain->markers.latest;
  chain->markers.latest = 0;
  return latest;
}

PFN_vkVoidFunction marker_hook(const char *name) {
  static const hook hooks[] = {
      {"vkSetLatencyMarkerNV", (PFN_vkVoidFunction)set_latency_marker},
      {"vkAntiLagUpdateAMD", (PFN_vkVoidFunction)anti_lag},
  };
  return find_hook(hooks, COUNT(hooks), name);
}
