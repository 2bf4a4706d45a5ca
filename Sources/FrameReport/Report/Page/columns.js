// Columns of numbers as `PackedColumns` of the library packs them.

/**
 * @typedef {{name: string, count: number, order: number, unit: number, width: number, sparse: boolean}} ColumnHead
 */

/**
 * The bytes of text in base64 that were compressed by zlib.
 * @param {string} text
 * @returns {Promise<Uint8Array>}
 */
async function inflate(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * The columns by their names; a missing value is NaN.
 * @param {ColumnHead[]} heads
 * @param {Uint8Array} bytes
 * @returns {Map<string, Float64Array>}
 */
function unpackColumns(heads, bytes) {
  const columns = new Map();
  let offset = 0;
  for (const head of heads) {
    const values = new Float64Array(head.count).fill(NaN);
    let known = head.count;
    let present = null;
    if (head.sparse) {
      present = bytes.subarray(offset, offset + head.count);
      offset += head.count;
      known = 0;
      for (const flag of present) known += flag;
    }
    const numbers = new Float64Array(known);
    const lowest = offset;
    // The sign is the lowest bit: halves are summed, since a number with its sign may not be exact.
    for (let place = 0, scale = 0.5; place < head.width; place++, scale *= 256) {
      for (let index = 0; index < known; index++) {
        const byte = bytes[offset + index];
        numbers[index] += place ? byte * scale : byte >> 1;
      }
      offset += known;
    }
    for (let index = 0; head.width && index < known; index++) {
      const half = numbers[index];
      numbers[index] = (bytes[lowest + index] & 1 ? -half - 1 : half) * head.unit;
    }
    for (let sum = 0; sum < head.order; sum++) {
      for (let index = 1; index < known; index++) numbers[index] += numbers[index - 1];
    }
    if (present === null) {
      values.set(numbers);
    } else {
      for (let index = 0, next = 0; index < head.count; index++) {
        if (present[index]) values[index] = numbers[next++];
      }
    }
    columns.set(head.name, values);
  }
  return columns;
}

/**
 * The place of the first of ascending values that is not less than one.
 * @param {ArrayLike<number>} values
 * @param {number} value
 */
function firstNotBelow(values, value) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
