// usage: vulkan_clicks [FRAMES_LATE [HEIGHT]]
//
// A Vulkan program that answers a click: some frames after it received one, a mark of some rows changes its color. A part
// of the picture moves all the time, over all its places within a second. For each answer, it prints when the click
// shows the answer began and ended, in ns of CLOCK_MONOTONIC.
#define VK_USE_PLATFORM_WAYLAND_KHR
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vulkan/vulkan.h>
#include <wayland-client.h>

#include "xdg-shell.h"

enum { WIDTH = 640, HEIGHT = 480, SLOTS = 3, MOST_IMAGES = 8 };

static struct wl_display *display;
static struct wl_compositor *compositor;
static struct xdg_wm_base *shell;
static struct wl_seat *seat;
static int64_t clicked;
static bool is_configured, is_closed;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

static void must(bool is_right, const char *words) {
  if (is_right) return;
  fprintf(stderr, "vulkan_clicks: %s failed\n", words);
  exit(69);
}

static void ping(void *data, struct xdg_wm_base *base, uint32_t serial) {
  (void)data;
  xdg_wm_base_pong(base, serial);
}
static const struct xdg_wm_base_listener shell_listener = {ping};

static void global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
  (void)data;
  (void)version;
  if (strcmp(interface, "wl_compositor") == 0) {
    compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 4);
  } else if (strcmp(interface, "xdg_wm_base") == 0) {
    shell = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
    xdg_wm_base_add_listener(shell, &shell_listener, NULL);
  } else if (strcmp(interface, "wl_seat") == 0) {
    seat = wl_registry_bind(registry, name, &wl_seat_interface, 1);
  }
}
static void global_gone(void *data, struct wl_registry *registry, uint32_t name) {
  (void)data, (void)registry, (void)name;
}
static const struct wl_registry_listener registry_listener = {global, global_gone};

static void configure(void *data, struct xdg_surface *surface, uint32_t serial) {
  (void)data;
  xdg_surface_ack_configure(surface, serial);
  is_configured = true;
}
static const struct xdg_surface_listener surface_listener = {configure};
static void top_configure(void *data, struct xdg_toplevel *top, int32_t width, int32_t height, struct wl_array *states) {
  (void)data, (void)top, (void)width, (void)height, (void)states;
}
static void top_close(void *data, struct xdg_toplevel *top) {
  (void)data, (void)top;
  is_closed = true;
}
static const struct xdg_toplevel_listener top_listener = {.configure = top_configure, .close = top_close};

static void enter(void *data, struct wl_pointer *p, uint32_t s, struct wl_surface *f, wl_fixed_t x, wl_fixed_t y) {
  (void)data, (void)p, (void)s, (void)f, (void)x, (void)y;
}
static void leave(void *data, struct wl_pointer *p, uint32_t s, struct wl_surface *f) {
  (void)data, (void)p, (void)s, (void)f;
}
static void motion(void *data, struct wl_pointer *p, uint32_t t, wl_fixed_t x, wl_fixed_t y) {
  (void)data, (void)p, (void)t, (void)x, (void)y;
}
static void button(void *data, struct wl_pointer *p, uint32_t s, uint32_t t, uint32_t which, uint32_t state) {
  (void)data, (void)p, (void)s, (void)t, (void)which;
  if (state == WL_POINTER_BUTTON_STATE_PRESSED) clicked = now();
}
static void axis(void *data, struct wl_pointer *p, uint32_t t, uint32_t a, wl_fixed_t v) {
  (void)data, (void)p, (void)t, (void)a, (void)v;
}
static const struct wl_pointer_listener pointer_listener = {
    .enter = enter, .leave = leave, .motion = motion, .button = button, .axis = axis};

/// Takes events that have come, without waiting for any.
static void read_events(void) {
  while (wl_display_prepare_read(display) != 0) wl_display_dispatch_pending(display);
  wl_display_flush(display);
  struct pollfd wait = {wl_display_get_fd(display), POLLIN, 0};
  if (poll(&wait, 1, 0) > 0) {
    wl_display_read_events(display);
  } else {
    wl_display_cancel_read(display);
  }
  wl_display_dispatch_pending(display);
}

/// A rectangle of one color.
static void fill(uint32_t *pixels, int x, int y, int width, int height, uint32_t color) {
  for (int row = y; row < y + height; row++) {
    for (int column = x; column < x + width; column++) pixels[row * WIDTH + column] = color;
  }
}

int main(int count, char **words) {
  const int late = count > 1 ? atoi(words[1]) : 0;
  const int height = count > 2 ? atoi(words[2]) : 24;
  setvbuf(stdout, NULL, _IOLBF, 0);
  display = wl_display_connect(NULL);
  must(display != NULL, "connecting");
  struct wl_registry *registry = wl_display_get_registry(display);
  wl_registry_add_listener(registry, &registry_listener, NULL);
  wl_display_roundtrip(display);
  must(compositor && shell && seat, "finding a compositor with a seat");
  wl_pointer_add_listener(wl_seat_get_pointer(seat), &pointer_listener, NULL);
  struct wl_surface *window = wl_compositor_create_surface(compositor);
  struct xdg_surface *role = xdg_wm_base_get_xdg_surface(shell, window);
  xdg_surface_add_listener(role, &surface_listener, NULL);
  struct xdg_toplevel *top = xdg_surface_get_toplevel(role);
  xdg_toplevel_add_listener(top, &top_listener, NULL);
  wl_surface_commit(window);
  while (!is_configured) wl_display_roundtrip(display);

  const char *instance_extensions[] = {"VK_KHR_surface", "VK_KHR_wayland_surface"};
  const VkApplicationInfo application = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
  const VkInstanceCreateInfo instance_info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application,
      .enabledExtensionCount = 2, .ppEnabledExtensionNames = instance_extensions};
  VkInstance instance;
  must(vkCreateInstance(&instance_info, NULL, &instance) == VK_SUCCESS, "vkCreateInstance");
  VkPhysicalDevice physical;
  uint32_t one = 1;
  must(vkEnumeratePhysicalDevices(instance, &one, &physical) >= 0 && one, "finding a device");
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue_info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
  const char *device_extensions[] = {"VK_KHR_swapchain"};
  const VkDeviceCreateInfo device_info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue_info,
      .enabledExtensionCount = 1, .ppEnabledExtensionNames = device_extensions};
  VkDevice device;
  must(vkCreateDevice(physical, &device_info, NULL, &device) == VK_SUCCESS, "vkCreateDevice");
  VkQueue queue;
  vkGetDeviceQueue(device, 0, 0, &queue);
  const VkWaylandSurfaceCreateInfoKHR surface_info = {
      .sType = VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR, .display = display, .surface = window};
  VkSurfaceKHR surface;
  must(vkCreateWaylandSurfaceKHR(instance, &surface_info, NULL, &surface) == VK_SUCCESS, "the surface");
  VkBool32 is_supported;
  vkGetPhysicalDeviceSurfaceSupportKHR(physical, 0, surface, &is_supported);
  must(is_supported, "presenting");
  // The layer has to ask for copies of images itself.
  const VkSwapchainCreateInfoKHR chain_info = {
      .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, .surface = surface, .minImageCount = 4,
      .imageFormat = VK_FORMAT_B8G8R8A8_UNORM, .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
      .imageExtent = {WIDTH, HEIGHT}, .imageArrayLayers = 1, .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
      .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR, .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .presentMode = VK_PRESENT_MODE_FIFO_KHR, .clipped = VK_TRUE};
  VkSwapchainKHR chain;
  must(vkCreateSwapchainKHR(device, &chain_info, NULL, &chain) == VK_SUCCESS, "the swap chain");
  VkImage images[MOST_IMAGES];
  uint32_t image_count = MOST_IMAGES;
  must(vkGetSwapchainImagesKHR(device, chain, &image_count, images) == VK_SUCCESS, "the images");

  const VkDeviceSize bytes = WIDTH * HEIGHT * 4;
  const VkBufferCreateInfo buffer_info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = SLOTS * bytes, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
  VkBuffer buffer;
  must(vkCreateBuffer(device, &buffer_info, NULL, &buffer) == VK_SUCCESS, "a buffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkPhysicalDeviceMemoryProperties kinds;
  vkGetPhysicalDeviceMemoryProperties(physical, &kinds);
  const VkFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  uint32_t kind = 0;
  while (!(needs.memoryTypeBits >> kind & 1) || (kinds.memoryTypes[kind].propertyFlags & wanted) != wanted) kind++;
  const VkMemoryAllocateInfo memory_info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = kind};
  VkDeviceMemory memory;
  must(vkAllocateMemory(device, &memory_info, NULL, &memory) == VK_SUCCESS, "memory");
  vkBindBufferMemory(device, buffer, memory, 0);
  uint32_t *pixels;
  must(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&pixels) == VK_SUCCESS, "mapping");

  const VkCommandPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
  VkCommandPool pool;
  must(vkCreateCommandPool(device, &pool_info, NULL, &pool) == VK_SUCCESS, "a pool");
  VkCommandBuffer commands[SLOTS];
  const VkCommandBufferAllocateInfo allocate_info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .commandBufferCount = SLOTS};
  must(vkAllocateCommandBuffers(device, &allocate_info, commands) == VK_SUCCESS, "command buffers");
  VkSemaphore acquired[SLOTS], drawn[MOST_IMAGES];
  VkFence fences[SLOTS];
  const VkSemaphoreCreateInfo semaphore_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  const VkFenceCreateInfo fence_info = {
      .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = VK_FENCE_CREATE_SIGNALED_BIT};
  for (int slot = 0; slot < SLOTS; slot++) {
    vkCreateSemaphore(device, &semaphore_info, NULL, &acquired[slot]);
    vkCreateFence(device, &fence_info, NULL, &fences[slot]);
  }
  for (uint32_t image = 0; image < image_count; image++) vkCreateSemaphore(device, &semaphore_info, NULL, &drawn[image]);

  bool is_marked = false;
  int64_t pending = 0;
  int rest = 0;
  for (int frame = 0; !is_closed; frame++) {
    const int slot = frame % SLOTS;
    vkWaitForFences(device, 1, &fences[slot], VK_TRUE, UINT64_MAX);
    uint32_t image;
    const VkResult got = vkAcquireNextImageKHR(device, chain, UINT64_MAX, acquired[slot], VK_NULL_HANDLE, &image);
    must(got == VK_SUCCESS || got == VK_SUBOPTIMAL_KHR, "acquiring");
    vkResetFences(device, 1, &fences[slot]);
    read_events();
    int64_t answered = 0;
    if (clicked && !pending) {
      pending = clicked;
      clicked = 0;
      rest = late;
    }
    if (pending && rest-- == 0) {
      is_marked = !is_marked;
      answered = pending;
      pending = 0;
    }
    uint32_t *own = pixels + slot * WIDTH * HEIGHT;
    fill(own, 0, 0, WIDTH, HEIGHT, 0xff203040);
    fill(own, frame * 16 % (WIDTH - 40), 440, 40, 30, 0xff80c0ff);
    fill(own, 300, 101, 3, height, is_marked ? 0xffffe080 : 0xff406080);
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    vkBeginCommandBuffer(commands[slot], &begin);
    VkImageMemoryBarrier turn = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, .image = images[image],
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(
        commands[slot], VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &turn);
    const VkBufferImageCopy picture = {
        .bufferOffset = slot * bytes, .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {WIDTH, HEIGHT, 1}};
    vkCmdCopyBufferToImage(commands[slot], buffer, images[image], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &picture);
    turn.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    turn.dstAccessMask = 0;
    turn.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    turn.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    vkCmdPipelineBarrier(
        commands[slot], VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, NULL, 0, NULL, 1,
        &turn);
    vkEndCommandBuffer(commands[slot]);
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkSubmitInfo submission = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .waitSemaphoreCount = 1, .pWaitSemaphores = &acquired[slot],
        .pWaitDstStageMask = &stage, .commandBufferCount = 1, .pCommandBuffers = &commands[slot],
        .signalSemaphoreCount = 1, .pSignalSemaphores = &drawn[image]};
    must(vkQueueSubmit(queue, 1, &submission, fences[slot]) == VK_SUCCESS, "submitting");
    const VkPresentInfoKHR present = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, .waitSemaphoreCount = 1, .pWaitSemaphores = &drawn[image],
        .swapchainCount = 1, .pSwapchains = &chain, .pImageIndices = &image};
    const int64_t started = now();
    must(vkQueuePresentKHR(queue, &present) >= 0, "presenting");
    if (answered) printf("%lld %lld %lld\n", (long long)answered, (long long)started, (long long)now());
  }
  vkDeviceWaitIdle(device);
  return 0;
}
