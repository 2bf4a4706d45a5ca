// Finds byte values in blocks of 64 or 32 bytes.
//
// Why this exists: the speed of splitting a CSV of half a gigabyte is limited by finding separators, and that of
// reading JSON by finding the ends of strings. Swift's SIMD types have no "move mask", so the step that converts a
// comparison to one bit per byte is written in C; everything else is Swift. The functions are `static inline`, so that
// they are compiled into their callers, for plain x86-64 or arm64, without flags, and with a portable fallback.
#ifndef FRAMETOOL_BYTE_SCAN_H
#define FRAMETOOL_BYTE_SCAN_H

#include <stdint.h>

/// Inlined even if the compiler considers it long: it is called for each string of a file.
#define BYTE_SCAN static inline __attribute__((always_inline))

/// The structural characters of a JSON text in 32 bytes: one bit for each byte, bit 0 for the first byte.
typedef struct {
  uint32_t quotes, backslashes, controls;
  /// Braces and brackets.
  uint32_t opening, closing;
} byte_scan_marks;

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

BYTE_SCAN uint32_t byte_scan_text_sixteen(const uint8_t *block) {
  __m128i bytes = _mm_loadu_si128((const __m128i *)block);
  __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  __m128i escapes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
  return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, escapes), controls));
}

/// A bit for each of the 32 bytes at `block` that is a quote, a backslash or a control character, which a plain JSON
/// string does not contain. Bit 0 is the first byte.
BYTE_SCAN uint32_t byte_scan_text(const uint8_t *block) {
  return byte_scan_text_sixteen(block) | byte_scan_text_sixteen(block + 16) << 16;
}

BYTE_SCAN uint32_t byte_scan_bits(__m128i low, __m128i high) {
  return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}

/// The marks among the 32 bytes at `block`.
BYTE_SCAN byte_scan_marks byte_scan_json(const uint8_t *block) {
  __m128i low = _mm_loadu_si128((const __m128i *)block);
  __m128i high = _mm_loadu_si128((const __m128i *)(block + 16));
  __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
  __m128i control = _mm_set1_epi8(0x1f), fold = _mm_set1_epi8(0x20);
  __m128i opening = _mm_set1_epi8('{'), closing = _mm_set1_epi8('}');
  // A brace is its bracket with this bit set.
  __m128i folded_low = _mm_or_si128(low, fold), folded_high = _mm_or_si128(high, fold);
  byte_scan_marks marks = {
      byte_scan_bits(_mm_cmpeq_epi8(low, quote), _mm_cmpeq_epi8(high, quote)),
      byte_scan_bits(_mm_cmpeq_epi8(low, backslash), _mm_cmpeq_epi8(high, backslash)),
      byte_scan_bits(_mm_cmpeq_epi8(_mm_min_epu8(low, control), low),
                     _mm_cmpeq_epi8(_mm_min_epu8(high, control), high)),
      byte_scan_bits(_mm_cmpeq_epi8(folded_low, opening), _mm_cmpeq_epi8(folded_high, opening)),
      byte_scan_bits(_mm_cmpeq_epi8(folded_low, closing), _mm_cmpeq_epi8(folded_high, closing)),
  };
  return marks;
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

/// A bit for each of 32 bytes of which all bits are set or none.
BYTE_SCAN uint32_t byte_scan_bits(uint8x16_t low, uint8x16_t high) {
  const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t sum = vpaddq_u8(vandq_u8(low, bits), vandq_u8(high, bits));
  sum = vpaddq_u8(sum, sum);
  sum = vpaddq_u8(sum, sum);
  return vgetq_lane_u32(vreinterpretq_u32_u8(sum), 0);
}

BYTE_SCAN uint8x16_t byte_scan_text_sixteen(const uint8_t *block) {
  uint8x16_t bytes = vld1q_u8(block);
  uint8x16_t quotes = vceqq_u8(bytes, vdupq_n_u8('"'));
  uint8x16_t escapes = vceqq_u8(bytes, vdupq_n_u8('\\'));
  return vorrq_u8(vorrq_u8(quotes, escapes), vcltq_u8(bytes, vdupq_n_u8(0x20)));
}

/// A bit for each of the 32 bytes at `block` that is a quote, a backslash or a control character, which a plain JSON
/// string does not contain. Bit 0 is the first byte.
BYTE_SCAN uint32_t byte_scan_text(const uint8_t *block) {
  return byte_scan_bits(byte_scan_text_sixteen(block), byte_scan_text_sixteen(block + 16));
}

/// The marks among the 32 bytes at `block`.
BYTE_SCAN byte_scan_marks byte_scan_json(const uint8_t *block) {
  uint8x16_t low = vld1q_u8(block), high = vld1q_u8(block + 16);
  uint8x16_t quote = vdupq_n_u8('"'), backslash = vdupq_n_u8('\\');
  uint8x16_t space = vdupq_n_u8(0x20), opening = vdupq_n_u8('{'), closing = vdupq_n_u8('}');
  // A brace is its bracket with the bit of a space set.
  uint8x16_t folded_low = vorrq_u8(low, space), folded_high = vorrq_u8(high, space);
  byte_scan_marks marks = {
      byte_scan_bits(vceqq_u8(low, quote), vceqq_u8(high, quote)),
      byte_scan_bits(vceqq_u8(low, backslash), vceqq_u8(high, backslash)),
      byte_scan_bits(vcltq_u8(low, space), vcltq_u8(high, space)),
      byte_scan_bits(vceqq_u8(folded_low, opening), vceqq_u8(folded_high, opening)),
      byte_scan_bits(vceqq_u8(folded_low, closing), vceqq_u8(folded_high, closing)),
  };
  return marks;
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

/// A bit for each of the 32 bytes at `block` that is a quote, a backslash or a control
/// character: what a plain JSON text does not hold. Bit 0 is the first byte.
BYTE_SCAN uint32_t byte_scan_text(const uint8_t *block) {
  uint32_t mask = 0;
  for (int i = 0; i < 32; i += 1) {
    mask |= (uint32_t)(block[i] == '"' || block[i] == '\\' || block[i] < 0x20) << i;
  }
  return mask;
}

/// The marks among the 32 bytes at `block`.
BYTE_SCAN byte_scan_marks byte_scan_json(const uint8_t *block) {
  byte_scan_marks marks = {0, 0, 0, 0, 0};
  for (int i = 0; i < 32; i += 1) {
    uint8_t byte = block[i];
    marks.quotes |= (uint32_t)(byte == '"') << i;
    marks.backslashes |= (uint32_t)(byte == '\\') << i;
    marks.controls |= (uint32_t)(byte < 0x20) << i;
    marks.opening |= (uint32_t)(byte == '{' || byte == '[') << i;
    marks.closing |= (uint32_t)(byte == '}' || byte == ']') << i;
  }
  return marks;
}

#endif

#undef BYTE_SCAN
#endif
