#include "layer.h"

// VK_GOOGLE_display_timing: each present has an ID, and the driver reports the presents that were
// displayed. Its times are on CLOCK_MONOTONIC.

const char *display_timing_extension(
    instance *instance, VkPhysicalDevice physical, const VkDeviceCreateInfo *info) {
  static const char name[] = VK_GOOGLE_DISPLAY_TIMING_EXTENSION_NAME;
  // The driver reports each time only once, so the layer must not read it if a program uses the extension.
  if (is_named(info->ppEnabledExtensionNames, info->enabledExtensionCount, name)) return NULL;
  return has_extension(instance, physical, name) ? name : NULL;
}

const VkPresentInfoKHR *display_timing_ask(
    device *device, const VkPresentInfoKHR *info, uint64_t frame, timed_present *room) {
  const uint32_t most = sizeof room->frames / sizeof *room->frames;
  if (!device->past_timing || info->swapchainCount > most) return info;
  for (uint32_t place = 0; place < info->swapchainCount; place++) {
    room->frames[place] = (VkPresentTimeGOOGLE){.presentID = (uint32_t)frame};
  }
  room->times = (VkPresentTimesInfoGOOGLE){
      .sType = VK_STRUCTURE_TYPE_PRESENT_TIMES_INFO_GOOGLE,
      .pNext = info->pNext,
      .swapchainCount = info->swapchainCount,
      .pTimes = room->frames};
  room->info = *info;
  room->info.pNext = &room->times;
  return &room->info;
}

void display_timing_take(device *device, swapchain *chain, uint64_t frame) {
  if (!device->past_timing || chain->timing.stage) return;
  VkPastPresentationTimingGOOGLE told[16];
  uint32_t count = sizeof told / sizeof *told;
  if (device->past_timing(device->handle, chain->handle, &count, told) < VK_SUCCESS) return;
  for (uint32_t place = 0; place < count; place++) {
    // IDs have 32 bits, and none belongs to a future frame.
    const uint64_t number = frame - (uint32_t)((uint32_t)frame - told[place].presentID);
    atomic_fetch_add_explicit(&device->told, 1, memory_order_relaxed);
    if (!told[place].actualPresentTime) continue;
    frame_recorder_event_at(
        recording(), FRAME_RECORDER_DISPLAYED, chain->surface->name, number,
        (int64_t)told[place].actualPresentTime);
  }
}
