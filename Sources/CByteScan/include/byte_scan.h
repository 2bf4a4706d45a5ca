// Finds one byte value in a block of 64 bytes.
//
// Why this exists: splitting a CSV of half a gigabyte is bound by how fast separators are
// found. Swift's SIMD types have no "move mask", so the one step that turns a comparison
// into a bit per byte is written here; everything else is Swift. `static inline`, so that
// it is compiled into its caller; plain x86-64 or arm64, no flags, and a portable
// fallback.
#ifndef FRAMETOOL_BYTE_SCAN_H
#define FRAMETOOL_BYTE_SCAN_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>

static inline uint64_t byte_scan_sixteen(const uint8_t *block, __m128i wanted) {
  __m128i bytes = _mm_loadu_si128((const __m128i *)block);
  return (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted));
}

/// A bit for each of the 64 bytes at `block` that equals `value`; bit 0 is the first byte.
static inline uint64_t byte_scan_match(const uint8_t *block, uint8_t value) {
  __m128i wanted = _mm_set1_epi8((char)value);
  return byte_scan_sixteen(block, wanted) | byte_scan_sixteen(block + 16, wanted) << 16 |
         byte_scan_sixteen(block + 32, wanted) << 32 |
         byte_scan_sixteen(block + 48, wanted) << 48;
}

#elif defined(__ARM_NEON)
#include <arm_neon.h>

/// A bit for each of the 64 bytes at `block` that equals `value`; bit 0 is the first byte.
static inline uint64_t byte_scan_match(const uint8_t *block, uint8_t value) {
  const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t wanted = vdupq_n_u8(value);
  uint8x16_t a = vandq_u8(vceqq_u8(vld1q_u8(block), wanted), bits);
  uint8x16_t b = vandq_u8(vceqq_u8(vld1q_u8(block + 16), wanted), bits);
  uint8x16_t c = vandq_u8(vceqq_u8(vld1q_u8(block + 32), wanted), bits);
  uint8x16_t d = vandq_u8(vceqq_u8(vld1q_u8(block + 48), wanted), bits);
  uint8x16_t sum = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
  sum = vpaddq_u8(sum, sum);
  return vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0);
}

#else

/// A bit for each of the 64 bytes at `block` that equals `value`; bit 0 is the first byte.
static inline uint64_t byte_scan_match(const uint8_t *block, uint8_t value) {
  uint64_t mask = 0;
  for (int i = 0; i < 64; i += 1) {
    mask |= (uint64_t)(block[i] == value) << i;
  }
  return mask;
}

#endif
#endif
