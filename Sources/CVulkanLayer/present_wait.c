#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "layer.h"

// VK_KHR_present_wait, with the present IDs of VK_KHR_present_id: a call that returns once a
// present is on the display. A thread for each swap chain waits for one present after another, so
// times are late by the wake-up time of the thread. If the next present is already on the display
// by then, the time of the current one is unknown and is left out.

enum {
  MOST_PENDING = 64,
  /// The longest wait, in ns; destroying the swap chain waits for it.
  LONGEST_WAIT = 5000000,
};

struct present_wait {
  device *device;
  VkSwapchainKHR chain;
  uint16_t name;
  pthread_t thread;
  /// The process that has the thread; a forked child does not.
  pid_t process;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool stops;
  /// Presents not yet known to be on the display, oldest first, in a ring buffer.
  struct {
    uint64_t id, frame;
  } pending[MOST_PENDING];
  uint32_t first, count;
};

static const char ID_NAME[] = VK_KHR_PRESENT_ID_EXTENSION_NAME;
static const char WAIT_NAME[] = VK_KHR_PRESENT_WAIT_EXTENSION_NAME;

bool present_wait_is_used(const VkDeviceCreateInfo *info) {
  bool has_ids = false, has_wait = false;
  for (const VkBaseInStructure *found = info->pNext; found; found = found->pNext) {
    if (found->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR) {
      has_ids = ((const VkPhysicalDevicePresentIdFeaturesKHR *)found)->presentId;
    } else if (found->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR) {
      has_wait = ((const VkPhysicalDevicePresentWaitFeaturesKHR *)found)->presentWait;
    }
  }
  return has_ids && has_wait;
}

bool present_wait_extensions(
    instance *instance, VkPhysicalDevice physical, const char *names[PRESENT_WAIT_EXTENSIONS]) {
  if (!instance->features2 || !has_extension(instance, physical, ID_NAME) ||
      !has_extension(instance, physical, WAIT_NAME)) {
    return false;
  }
  present_wait_features features;
  present_wait_chain(&features, NULL);
  features.id.presentId = features.wait.presentWait = VK_FALSE;
  VkPhysicalDeviceFeatures2 asked = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features.wait};
  instance->features2(physical, &asked);
  if (!features.id.presentId || !features.wait.presentWait) return false;
  names[0] = ID_NAME;
  names[1] = WAIT_NAME;
  return true;
}

const void *present_wait_chain(present_wait_features *features, const void *next) {
  features->id = (VkPhysicalDevicePresentIdFeaturesKHR){
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR, (void *)next, VK_TRUE};
  features->wait = (VkPhysicalDevicePresentWaitFeaturesKHR){
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR, &features->id, VK_TRUE};
  return &features->wait;
}

static uint64_t id_at(const present_wait *own, uint32_t place) {
  return own->pending[(own->first + place) % MOST_PENDING].id;
}

/// Whether a present is on the display within a time; a negative result is an error.
static VkResult wait_for(const present_wait *own, uint64_t id, uint64_t nanoseconds) {
  return own->device->wait_for_present(own->device->handle, own->chain, id, nanoseconds);
}

static void *follow(void *data) {
  present_wait *own = data;
  pthread_mutex_lock(&own->lock);
  while (!own->stops) {
    if (own->count == 0) {
      pthread_cond_wait(&own->changed, &own->lock);
      continue;
    }
    const uint64_t id = id_at(own, 0);
    const uint64_t frame = own->pending[own->first].frame;
    pthread_mutex_unlock(&own->lock);
    const VkResult result = wait_for(own, id, LONGEST_WAIT);
    const int64_t now = frame_recorder_now();
    pthread_mutex_lock(&own->lock);
    if (result == VK_TIMEOUT) continue;
    if (result < 0) {
      // The swap chain or the device is lost, together with all of its presents.
      own->count = 0;
      continue;
    }
    own->first = (own->first + 1) % MOST_PENDING;
    own->count--;
    const uint64_t next = own->count ? id_at(own, 0) : 0;
    pthread_mutex_unlock(&own->lock);
    if (!next || wait_for(own, next, 0) == VK_TIMEOUT) {
      frame_recorder_event_at(recording(), FRAME_RECORDER_DISPLAYED, own->name, frame, now);
    }
    pthread_mutex_lock(&own->lock);
  }
  pthread_mutex_unlock(&own->lock);
  return NULL;
}

present_wait *present_wait_open(device *device, VkSwapchainKHR chain, uint16_t name) {
  present_wait *made = device->wait_for_present ? calloc(1, sizeof *made) : NULL;
  if (!made) return NULL;
  made->device = device;
  made->chain = chain;
  made->name = name;
  made->process = getpid();
  pthread_mutex_init(&made->lock, NULL);
  pthread_cond_init(&made->changed, NULL);
  if (start_thread(&made->thread, follow, made)) return made;
  free(made);
  return NULL;
}

const VkPresentInfoKHR *present_wait_ask(
    const device *own, const VkPresentInfoKHR *info, uint64_t frame, timed_present *room) {
  // IDs must increase, and a program that uses IDs assigns them to all of its presents.
  if (!own->hides_present_wait || info->swapchainCount != 1) return info;
  room->id = frame + 1;
  room->wait_ids = (VkPresentIdKHR){
      VK_STRUCTURE_TYPE_PRESENT_ID_KHR, info->pNext, 1, &room->id};
  room->info = *info;
  room->info.pNext = &room->wait_ids;
  return &room->info;
}

uint64_t present_id(const VkPresentInfoKHR *info, uint32_t place) {
  for (const VkBaseInStructure *found = info->pNext; found; found = found->pNext) {
    if (found->sType != VK_STRUCTURE_TYPE_PRESENT_ID_KHR) continue;
    const VkPresentIdKHR *ids = (const void *)found;
    return ids->pPresentIds && place < ids->swapchainCount ? ids->pPresentIds[place] : 0;
  }
  return 0;
}

void present_wait_add(present_wait *own, uint64_t id, uint64_t frame) {
  if (!id) return;
  pthread_mutex_lock(&own->lock);
  // The present of a hidden window may never be displayed.
  if (own->count < MOST_PENDING) {
    const uint32_t place = (own->first + own->count++) % MOST_PENDING;
    own->pending[place].id = id;
    own->pending[place].frame = frame;
    pthread_cond_signal(&own->changed);
  }
  pthread_mutex_unlock(&own->lock);
}

void present_wait_close(present_wait *own) {
  if (!own) return;
  if (own->process == getpid()) {
    pthread_mutex_lock(&own->lock);
    own->stops = true;
    pthread_cond_signal(&own->changed);
    pthread_mutex_unlock(&own->lock);
    pthread_join(own->thread, NULL);
  }
  free(own);
}
