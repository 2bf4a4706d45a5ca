#include <stdlib.h>
#include <string.h>

#include "layer.h"

// VK_EXT_present_timing, with the present IDs of VK_KHR_present_id2: for each present, the driver
// reports when the first pixel was visible or was sent out. Declared here, because the headers of
// older systems lack it; source: the Vulkan specification, chapter "Window System Integration",
// version 1.4.335.

#define TYPE_TIMING_FEATURES ((VkStructureType)1000208000)
#define TYPE_TIME_DOMAINS ((VkStructureType)1000208002)
#define TYPE_TIMINGS ((VkStructureType)1000208003)
#define TYPE_TIMING ((VkStructureType)1000208004)
#define TYPE_PAST_INFO ((VkStructureType)1000208005)
#define TYPE_PAST_PROPERTIES ((VkStructureType)1000208006)
#define TYPE_PAST_TIMING ((VkStructureType)1000208007)
#define TYPE_TIMING_CAPABILITIES ((VkStructureType)1000208008)
#define TYPE_CALIBRATED_INFO ((VkStructureType)1000208009)
#define TYPE_ID2_CAPABILITIES ((VkStructureType)1000479000)
#define TYPE_PRESENT_ID2 ((VkStructureType)1000479001)
#define TYPE_ID2_FEATURES ((VkStructureType)1000479002)

enum {
  DOMAIN_STAGE_LOCAL = 1000208000,
  FLAG_ID2 = 0x40,
  FLAG_TIMING = 0x200,
  STAGE_PIXEL_OUT = 4,
  STAGE_PIXEL_VISIBLE = 8,
  ERROR_QUEUE_FULL = -1000208000,
};

static const char NAME[] = "VK_EXT_present_timing";
static const char ID_NAME[] = "VK_KHR_present_id2";
static const char CLOCK_NAME[] = "VK_KHR_calibrated_timestamps";

typedef struct {
  VkStructureType sType;
  void *pNext;
  VkBool32 supported, absolute, relative;
  VkFlags stages;
} timing_capabilities;

typedef struct {
  VkStructureType sType;
  void *pNext;
  VkBool32 supported;
} id2_capabilities;

typedef struct {
  VkStructureType sType;
  void *pNext;
  uint32_t count;
  VkTimeDomainEXT *domains;
  uint64_t *ids;
} time_domains;

typedef struct {
  VkStructureType sType;
  const void *pNext;
  VkFlags flags;
  VkSwapchainKHR swapchain;
} past_info;

typedef struct {
  VkFlags stage;
  uint64_t time;
} stage_time;

typedef struct {
  VkStructureType sType;
  void *pNext;
  uint64_t present_id, target;
  uint32_t stage_count;
  stage_time *stages;
  VkTimeDomainEXT domain;
  uint64_t domain_id;
  VkBool32 is_complete;
} past_timing;

typedef struct {
  VkStructureType sType;
  void *pNext;
  uint64_t properties_counter, domains_counter;
  uint32_t count;
  past_timing *timings;
} past_properties;

typedef struct {
  VkStructureType sType;
  const void *pNext;
  VkSwapchainKHR swapchain;
  VkFlags stage;
  uint64_t domain_id;
} calibrated_info;

typedef VkResult (*set_queue_size)(VkDevice, VkSwapchainKHR, uint32_t);
typedef VkResult (*get_domains)(VkDevice, VkSwapchainKHR, time_domains *, uint64_t *);
typedef VkResult (*get_past)(VkDevice, const past_info *, past_properties *);

bool present_timing_extensions(
    instance *instance, VkPhysicalDevice physical, const char *names[PRESENT_TIMING_EXTENSIONS]) {
  const char *all[PRESENT_TIMING_EXTENSIONS] = {NAME, ID_NAME, CLOCK_NAME};
  // The capabilities of a surface are queried through an extension that the program must have
  // enabled.
  if (!instance->surface_capabilities2 || !instance->features2) return false;
  for (int place = 0; place < PRESENT_TIMING_EXTENSIONS; place++) {
    if (!has_extension(instance, physical, all[place])) return false;
    names[place] = all[place];
  }
  present_timing_features features;
  present_timing_chain(&features, NULL);
  features.timing.timing = features.id2.present_id2 = VK_FALSE;
  VkPhysicalDeviceFeatures2 asked = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features.timing};
  instance->features2(physical, &asked);
  return features.timing.timing && features.id2.present_id2;
}

bool present_timing_is_used(const VkDeviceCreateInfo *info) {
  for (uint32_t place = 0; place < info->enabledExtensionCount; place++) {
    // A program that waits for its own present IDs must not encounter other IDs.
    const char *name = info->ppEnabledExtensionNames[place];
    if (strcmp(name, NAME) == 0 || strncmp(name, "VK_KHR_present_", 15) == 0) return true;
  }
  for (const VkBaseInStructure *found = info->pNext; found; found = found->pNext) {
    if (found->sType == TYPE_TIMING_FEATURES || found->sType == TYPE_ID2_FEATURES ||
        found->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR ||
        found->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR) {
      return true;
    }
  }
  return false;
}

const void *present_timing_chain(present_timing_features *features, const void *next) {
  features->id2.sType = TYPE_ID2_FEATURES;
  features->id2.pNext = (void *)next;
  features->id2.present_id2 = VK_TRUE;
  features->timing.sType = TYPE_TIMING_FEATURES;
  features->timing.pNext = &features->id2;
  features->timing.timing = VK_TRUE;
  features->timing.absolute = features->timing.relative = VK_FALSE;
  return &features->timing;
}

VkFlags present_timing_stage(device *own, VkSurfaceKHR surface_handle) {
  if (!own->has_present_timing) return 0;
  id2_capabilities ids = {TYPE_ID2_CAPABILITIES, NULL, VK_FALSE};
  timing_capabilities timings = {TYPE_TIMING_CAPABILITIES, &ids, VK_FALSE, VK_FALSE, VK_FALSE, 0};
  VkSurfaceCapabilities2KHR found = {
      .sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, .pNext = &timings};
  const VkPhysicalDeviceSurfaceInfo2KHR info = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR, .surface = surface_handle};
  const VkResult result = own->instance->surface_capabilities2(own->physical, &info, &found);
  if (result != VK_SUCCESS || !timings.supported || !ids.supported) return 0;
  return timings.stages & STAGE_PIXEL_VISIBLE ? STAGE_PIXEL_VISIBLE
                                              : timings.stages & STAGE_PIXEL_OUT;
}

VkSwapchainCreateFlagsKHR present_timing_flags(void) { return FLAG_ID2 | FLAG_TIMING; }

bool present_timing_open(device *own, swapchain *chain, VkFlags stage) {
  const set_queue_size set_size =
      (set_queue_size)own->next_proc(own->handle, "vkSetSwapchainPresentTimingQueueSizeEXT");
  const get_domains domains_of =
      (get_domains)own->next_proc(own->handle, "vkGetSwapchainTimeDomainPropertiesEXT");
  VkTimeDomainEXT domains[16];
  uint64_t ids[16];
  time_domains all = {TYPE_TIME_DOMAINS, NULL, 16, domains, ids};
  if (!set_size || !domains_of || set_size(own->handle, chain->handle, 64) != VK_SUCCESS ||
      domains_of(own->handle, chain->handle, &all, NULL) < VK_SUCCESS) {
    return false;
  }
  for (int wanted = 0; wanted < 2; wanted++) {
    const int kind = wanted ? DOMAIN_STAGE_LOCAL : VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
    for (uint32_t place = 0; place < all.count; place++) {
      if ((int)domains[place] != kind) continue;
      chain->timing.stage = stage;
      chain->timing.domain_id = ids[place];
      chain->timing.is_local = wanted == 1;
      return true;
    }
  }
  return false;
}

const VkPresentInfoKHR *present_timing_ask(
    const VkPresentInfoKHR *info, swapchain *chain, uint64_t frame, timed_present *room) {
  // Do not add an ID to a present that already has one from the program.
  for (const VkBaseInStructure *found = info->pNext; found; found = found->pNext) {
    if (found->sType == TYPE_PRESENT_ID2 || found->sType == TYPE_TIMINGS ||
        found->sType == VK_STRUCTURE_TYPE_PRESENT_ID_KHR) {
      return info;
    }
  }
  room->id = frame + 1;
  room->ids = (present_id2){TYPE_PRESENT_ID2, info->pNext, 1, &room->id};
  room->timing = (present_timing){
      TYPE_TIMING, NULL, 0, 0, chain->timing.domain_id, chain->timing.stage, 0};
  room->timings = (present_timings){TYPE_TIMINGS, &room->ids, 1, &room->timing};
  room->info = *info;
  room->info.pNext = &room->timings;
  return &room->info;
}

bool present_timing_is_full(VkResult result) { return (int)result == ERROR_QUEUE_FULL; }

/// The offset from a stage-specific clock to the recording's clock.
static bool stage_offset(device *own, swapchain *chain, int64_t *offset) {
  const PFN_vkGetCalibratedTimestampsEXT calibrate =
      (PFN_vkGetCalibratedTimestampsEXT)own->next_proc(own->handle, "vkGetCalibratedTimestampsKHR");
  const calibrated_info local = {
      TYPE_CALIBRATED_INFO, NULL, chain->handle, chain->timing.stage, chain->timing.domain_id};
  const VkCalibratedTimestampInfoEXT clocks[] = {
      {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
       .pNext = &local,
       .timeDomain = (VkTimeDomainEXT)DOMAIN_STAGE_LOCAL},
      {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
       .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT},
  };
  uint64_t found[2], deviation;
  if (!calibrate || calibrate(own->handle, 2, clocks, found, &deviation) != VK_SUCCESS) return false;
  *offset = (int64_t)(found[1] - found[0]);
  return true;
}

void present_timing_take(device *own, swapchain *chain) {
  if (!own->past_presents || !chain->timing.stage) return;
  enum { MOST = 16, STAGES = 4 };
  stage_time stages[MOST][STAGES];
  past_timing timings[MOST];
  for (int place = 0; place < MOST; place++) {
    timings[place] = (past_timing){
        .sType = TYPE_PAST_TIMING, .stage_count = STAGES, .stages = stages[place]};
  }
  const past_info info = {TYPE_PAST_INFO, NULL, 0, chain->handle};
  past_properties told = {
      .sType = TYPE_PAST_PROPERTIES, .count = MOST, .timings = timings};
  if (((get_past)own->past_presents)(own->handle, &info, &told) < VK_SUCCESS) return;
  int64_t offset = 0;
  if (told.count && chain->timing.is_local && !stage_offset(own, chain, &offset)) return;
  for (uint32_t place = 0; place < told.count && place < MOST; place++) {
    const past_timing *one = &timings[place];
    atomic_fetch_add_explicit(&own->told, 1, memory_order_relaxed);
    if (!one->present_id || !one->is_complete) continue;
    for (uint32_t stage = 0; stage < one->stage_count && stage < STAGES; stage++) {
      // A frame that was never displayed has no time.
      if (one->stages[stage].stage != chain->timing.stage) continue;
      const bool is_shown = one->stages[stage].time != 0;
      frame_recorder_event_at(
          recording(), is_shown ? FRAME_RECORDER_DISPLAYED : FRAME_RECORDER_DISCARDED,
          chain->surface->name, one->present_id - 1, (int64_t)one->stages[stage].time + offset);
    }
  }
}
