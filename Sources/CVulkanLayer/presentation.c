#include <stdio.h>
#include <stdlib.h>

#include "layer.h"

swapchain *swapchain_of(device *device, VkSwapchainKHR handle) {
  swapchain *found = device->swapchains;
  while (found && found->handle != handle) found = found->next;
  return found;
}

/// - parameter is_open: Whether the program's connection to the compositor is certainly open.
static void remove_swapchain(device *device, VkSwapchainKHR handle, bool is_open) {
  pthread_mutex_lock(&device->lock);
  swapchain **place = &device->swapchains;
  while (*place && (*place)->handle != handle) place = &(*place)->next;
  swapchain *removed = *place;
  if (removed) *place = removed->next;
  pthread_mutex_unlock(&device->lock);
  if (!removed) return;
  present_wait_close(removed->wait);
  pictures_close(removed->pictures);
  if (is_open) leave_surface(removed->surface);
  release_surface(removed->surface);
  free(removed);
}

void remove_swapchains(device *device) {
  while (device->swapchains) remove_swapchain(device, device->swapchains->handle, false);
}

static const char *mode_note(VkPresentModeKHR mode) {
  switch (mode) {
    case VK_PRESENT_MODE_IMMEDIATE_KHR: return "present mode IMMEDIATE";
    case VK_PRESENT_MODE_MAILBOX_KHR: return "present mode MAILBOX";
    case VK_PRESENT_MODE_FIFO_KHR: return "present mode FIFO";
    case VK_PRESENT_MODE_FIFO_RELAXED_KHR: return "present mode FIFO_RELAXED";
    default: return "present mode unknown to this version";
  }
}

/// Records the first sizes of windows; a window that the user resizes has any number of sizes, and each size takes a
/// name.
static void record_size(VkExtent2D size) {
  enum { MOST_SIZES = 8 };
  static _Atomic int count;
  if (atomic_fetch_add(&count, 1) >= MOST_SIZES) return;
  char text[32];
  snprintf(text, sizeof text, "%ux%u", size.width, size.height);
  record_setting("resolution", text);
}

static VkResult create_swapchain(
    VkDevice handle, const VkSwapchainCreateInfoKHR *info, const VkAllocationCallbacks *allocator,
    VkSwapchainKHR *swapchain_handle) {
  device *own = device_of(handle);
  frame_recorder *recorder = recording();
  // The compositor answers the layer's requests while the driver waits for its replies.
  surface *target = recorder ? surface_of(info->surface) : NULL;
  if (target) use_surface(target);
  VkFlags stage = recorder ? present_timing_stage(own, info->surface) : 0;
  const bool wants_pictures = recorder && own->picture_queues;
  const char *prevented = wants_pictures ? pictures_prevented(own, info) : NULL;
  bool has_pictures = wants_pictures && !prevented;
  VkResult result = VK_ERROR_INITIALIZATION_FAILED;
  if (stage || has_pictures) {
    VkSwapchainCreateInfoKHR more = *info;
    if (stage) more.flags |= present_timing_flags();
    if (has_pictures) more.imageUsage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    result = own->create_swapchain(handle, &more, allocator, swapchain_handle);
  }
  if (result != VK_SUCCESS) {
    VkSwapchainCreateInfoKHR plain = *info;
    // The failed attempt has already retired the old swap chain.
    if (stage || has_pictures) plain.oldSwapchain = VK_NULL_HANDLE;
    if (has_pictures) prevented = "pictures not read: the driver refuses";
    stage = 0;
    has_pictures = false;
    result = own->create_swapchain(handle, &plain, allocator, swapchain_handle);
  }
  // A surface of an unknown kind still has frames.
  if (result == VK_SUCCESS && recorder && !target) {
    target = add_surface(info->surface, "surface", (uint64_t)info->surface);
    if (target) use_surface(target);
  }
  swapchain *made = result == VK_SUCCESS && target ? calloc(1, sizeof *made) : NULL;
  if (!made) {
    if (target) {
      leave_surface(target);
      release_surface(target);
    }
    return result;
  }
  made->handle = *swapchain_handle;
  made->surface = target;
  made->generation = target->generation++;
  const bool is_timed = stage && present_timing_open(own, made, stage);
  const bool has_feedback = target->feedback && feedback_is_there(target->feedback);
  const bool is_new = !target->name;
  if (is_new) target->name = frame_recorder_name(recorder, target->label);
  // The compositor reports times, which are more exact than the end of a wait.
  if (!is_timed && !own->past_timing && !has_feedback) {
    made->wait = present_wait_open(own, made->handle, target->name);
  }
  if (is_new) {
    record_note(
        is_timed           ? "display times from VK_EXT_present_timing"
        : own->past_timing ? "display times from VK_GOOGLE_display_timing"
        : has_feedback     ? "display times from wp_presentation"
        : made->wait       ? "display times from VK_KHR_present_wait, a little late"
                           : "nothing tells when frames are displayed",
        target->name);
  }
  own->images(handle, *swapchain_handle, &made->image_count, NULL);
  frame_recorder_number(
      recorder, FRAME_RECORDER_BUFFER_COUNT, target->name, 0, made->image_count);
  if (has_pictures) made->pictures = pictures_open(own, target, made->handle, info);
  if (wants_pictures) {
    record_note(
        made->pictures ? "64 lines of each picture read before its present"
        : prevented    ? prevented
                       : "pictures not read: no memory",
        target->name);
  }
  record_note(mode_note(info->presentMode), target->name);
  record_setting("presentMode", mode_note(info->presentMode) + sizeof "present mode");
  record_size(info->imageExtent);
  pthread_mutex_lock(&own->lock);
  made->next = own->swapchains;
  own->swapchains = made;
  pthread_mutex_unlock(&own->lock);
  worker_start(own);
  return result;
}

static void destroy_swapchain(
    VkDevice handle, VkSwapchainKHR swapchain_handle, const VkAllocationCallbacks *allocator) {
  device *own = device_of(handle);
  remove_swapchain(own, swapchain_handle, true);
  own->destroy_swapchain(handle, swapchain_handle, allocator);
}

// Waiting for a buffer.

static void acquired(
    device *own, VkSwapchainKHR handle, VkResult result, uint32_t image, int64_t begin,
    int64_t end) {
  if (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR) return;
  pthread_mutex_lock(&own->lock);
  swapchain *chain = swapchain_of(own, handle);
  if (chain && image < MOST_IMAGES) {
    chain->acquire_begin[image] = begin;
    chain->acquire_end[image] = end;
  }
  if (chain && chain->surface->feedback) feedback_take(chain->surface->feedback);
  pthread_mutex_unlock(&own->lock);
}

static VkResult acquire(
    VkDevice handle, VkSwapchainKHR chain, uint64_t timeout, VkSemaphore semaphore, VkFence fence,
    uint32_t *image) {
  device *own = device_of(handle);
  const int64_t begin = frame_recorder_now();
  const VkResult result = own->acquire(handle, chain, timeout, semaphore, fence, image);
  acquired(own, chain, result, *image, begin, frame_recorder_now());
  return result;
}

static VkResult acquire2(
    VkDevice handle, const VkAcquireNextImageInfoKHR *info, uint32_t *image) {
  device *own = device_of(handle);
  const int64_t begin = frame_recorder_now();
  const VkResult result = own->acquire2(handle, info, image);
  acquired(own, info->swapchain, result, *image, begin, frame_recorder_now());
  return result;
}

// Presenting frames.

/// Records what the presenting thread did since its last present call returned; the times of another thread are
/// irrelevant.
/// - parameter times: The thread's times before and after the call; a null pointer if they are unknown.
static void record_thread(
    frame_recorder *recorder, swapchain *chain, uint64_t frame, const struct thread_times *times) {
  if (times && chain->is_timed && chain->presenter_times.thread == times[0].thread) {
    const uint16_t name = chain->surface->name;
    frame_recorder_number(
        recorder, FRAME_RECORDER_THREAD_RAN, name, frame, times[0].ran - chain->presenter_times.ran);
    frame_recorder_number(
        recorder, FRAME_RECORDER_THREAD_STARVED, name, frame,
        times[0].starved - chain->presenter_times.starved);
  }
  chain->is_timed = times != NULL;
  if (times) chain->presenter_times = times[1];
}

/// Records a present of one of the present's swap chains; `number` is the ID of VK_KHR_present_id.
static void record_present(
    device *own, frame_recorder *recorder, const VkPresentInfoKHR *info, uint32_t place,
    uint64_t frame, uint64_t number, int64_t begin, int64_t end, const struct thread_times *times,
    VkResult result) {
  const uint32_t image = info->pImageIndices[place];
  pthread_mutex_lock(&own->lock);
  swapchain *chain = swapchain_of(own, info->pSwapchains[place]);
  if (chain) {
    const uint16_t name = chain->surface->name;
    const int64_t simulation = simulation_begin(chain, info, place);
    const int64_t started = simulation ? simulation : chain->present_end;
    if (started) frame_recorder_event_at(recorder, FRAME_RECORDER_APP_BEGIN, name, frame, started);
    if (image < MOST_IMAGES) {
      if (chain->acquire_end[image]) {
        frame_recorder_event_at(
            recorder, FRAME_RECORDER_BUFFER_WAIT_BEGIN, name, frame, chain->acquire_begin[image]);
        frame_recorder_event_at(
            recorder, FRAME_RECORDER_BUFFER_WAIT_END, name, frame, chain->acquire_end[image]);
        chain->acquire_end[image] = 0;
      }
      frame_recorder_number(
          recorder, FRAME_RECORDER_BUFFER, name, frame,
          (int64_t)chain->generation * MOST_IMAGES + image);
    }
    record_thread(recorder, chain, frame, times);
    frame_recorder_event_at(recorder, FRAME_RECORDER_COMMIT, name, frame, begin);
    if (result < 0) {
      frame_recorder_event_at(recorder, FRAME_RECORDER_DISCARDED, name, frame, end);
      // Otherwise the request would be answered for the next commit.
      if (chain->surface->feedback) feedback_forget(chain->surface->feedback, frame);
    }
    frame_recorder_event_at(recorder, FRAME_RECORDER_APP_END, name, frame, end);
    // The frame is sent to the compositor by the time the call returns, but not before the call has
    // waited for the previous frame.
    if (chain->surface->is_wayland) {
      frame_recorder_event_at(recorder, FRAME_RECORDER_QUEUED, name, frame, end);
    }
    if (chain->wait && result >= 0) present_wait_add(chain->wait, number, frame);
    chain->present_end = end;
    // The GPU's work is attributed to the first surface, even if others are presented with it.
    if (own->gpu && place == 0) gpu_times_presented(own->gpu, name, frame);
    if (chain->surface->feedback) feedback_take(chain->surface->feedback);
    present_timing_take(own, chain);
    display_timing_take(own, chain, frame);
  }
  pthread_mutex_unlock(&own->lock);
}

/// Whether the driver had enough opportunities to report on frames, and never did.
static bool is_silent(const device *own) {
  return atomic_load(&own->asked) > 120 && atomic_load(&own->told) == 0;
}

/// Requests the display times of a present's frames: from the driver by one of the extensions, or else from the
/// compositor.
static const VkPresentInfoKHR *ask(
    device *own, const VkPresentInfoKHR *info, uint64_t frame, timed_present *room) {
  const VkPresentInfoKHR *asked = info;
  pthread_mutex_lock(&own->lock);
  swapchain *first = info->swapchainCount == 1 ? swapchain_of(own, info->pSwapchains[0]) : NULL;
  if (!is_silent(own)) {
    if (first && first->timing.stage) asked = present_timing_ask(info, first, frame, room);
    if (asked == info && own->past_timing) asked = display_timing_ask(own, info, frame, room);
  }
  if (first && first->wait) {
    asked = present_wait_ask(own, info, frame, room);
  } else if (asked != info) {
    atomic_fetch_add_explicit(&own->asked, 1, memory_order_relaxed);
  } else {
    for (uint32_t place = 0; place < info->swapchainCount; place++) {
      swapchain *chain = swapchain_of(own, info->pSwapchains[place]);
      if (chain && chain->surface->feedback) {
        feedback_ask(chain->surface->feedback, chain->surface->name, frame);
      }
    }
  }
  pthread_mutex_unlock(&own->lock);
  return asked;
}

static VkResult present(VkQueue queue, const VkPresentInfoKHR *info) {
  device *own = device_of(queue);
  frame_recorder *recorder = recording();
  if (!recorder) return own->present(queue, info);
  const uint64_t frame = atomic_fetch_add(&own->frame, 1);
  uint64_t latest = atomic_load(&latest_frame);
  while (latest <= frame && !atomic_compare_exchange_weak(&latest_frame, &latest, frame + 1)) {
  }
  // The queue belongs to the program until the present returns.
  VkPresentInfoKHR copied;
  const VkPresentInfoKHR *given = info;
  info = pictures_take(own, queue, info, frame, &copied);
  timed_present room;
  const VkPresentInfoKHR *asked = ask(own, info, frame, &room);
  struct thread_times times[2];
  bool is_timed = thread_times_read(&times[0]);
  const int64_t begin = frame_recorder_now();
  VkResult result = own->present(queue, asked);
  if (asked != info && present_timing_is_full(result)) result = own->present(queue, info);
  const int64_t end = frame_recorder_now();
  pictures_presented(own, given, info, result);
  is_timed = is_timed && thread_times_read(&times[1]);
  for (uint32_t place = 0; place < info->swapchainCount; place++) {
    record_present(
        own, recorder, info, place, frame, present_id(asked, place), begin, end,
        is_timed ? times : NULL,
        info->pResults ? info->pResults[place] : result);
  }
  return result;
}

// Submitting work to the GPU.

static void queue(VkDevice handle, uint32_t family, uint32_t index, VkQueue *found) {
  device *own = device_of(handle);
  own->queue(handle, family, index, found);
  if (own->gpu && *found) gpu_times_queue(own->gpu, *found, family, true);
  if (*found) picture_queues_add(own, *found, family);
}

static void queue2(VkDevice handle, const VkDeviceQueueInfo2 *info, VkQueue *found) {
  device *own = device_of(handle);
  own->queue2(handle, info, found);
  // Protected queues accept only protected command buffers.
  if (own->gpu && *found) gpu_times_queue(own->gpu, *found, info->queueFamilyIndex, !info->flags);
  if (*found && !info->flags) picture_queues_add(own, *found, info->queueFamilyIndex);
}

static VkResult submit(
    VkQueue queue_handle, uint32_t count, const VkSubmitInfo *submits, VkFence fence) {
  device *own = device_of(queue_handle);
  VkResult result;
  if (own->gpu && gpu_times_submit(own->gpu, queue_handle, count, submits, fence, &result)) {
    return result;
  }
  return own->submit(queue_handle, count, submits, fence);
}

static VkResult submit_by(
    device *own, PFN_vkQueueSubmit2 next, VkQueue queue_handle, uint32_t count,
    const VkSubmitInfo2 *submits, VkFence fence) {
  VkResult result;
  if (own->gpu &&
      gpu_times_submit2(own->gpu, queue_handle, next, count, submits, fence, &result)) {
    return result;
  }
  return next(queue_handle, count, submits, fence);
}

static VkResult submit2(
    VkQueue queue_handle, uint32_t count, const VkSubmitInfo2 *submits, VkFence fence) {
  device *own = device_of(queue_handle);
  return submit_by(own, own->submit2, queue_handle, count, submits, fence);
}

static VkResult submit2_khr(
    VkQueue queue_handle, uint32_t count, const VkSubmitInfo2 *submits, VkFence fence) {
  device *own = device_of(queue_handle);
  return submit_by(own, own->submit2_khr, queue_handle, count, submits, fence);
}

PFN_vkVoidFunction presentation_hook(const char *name) {
  static const hook hooks[] = {
      {"vkCreateSwapchainKHR", (PFN_vkVoidFunction)create_swapchain},
      {"vkDestroySwapchainKHR", (PFN_vkVoidFunction)destroy_swapchain},
      {"vkAcquireNextImageKHR", (PFN_vkVoidFunction)acquire},
      {"vkAcquireNextImage2KHR", (PFN_vkVoidFunction)acquire2},
      {"vkQueuePresentKHR", (PFN_vkVoidFunction)present},
      {"vkGetDeviceQueue", (PFN_vkVoidFunction)queue},
      {"vkGetDeviceQueue2", (PFN_vkVoidFunction)queue2},
      {"vkQueueSubmit", (PFN_vkVoidFunction)submit},
      {"vkQueueSubmit2", (PFN_vkVoidFunction)submit2},
      {"vkQueueSubmit2KHR", (PFN_vkVoidFunction)submit2_khr},
  };
  return find_hook(hooks, COUNT(hooks), name);
}
