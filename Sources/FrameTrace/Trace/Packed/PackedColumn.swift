/// Whole numbers in few bytes: the residuals of a simple prediction, divided by their greatest common divisor and
/// stored byte by byte.
///
/// The first byte has the order of the prediction: 0 predicts the first number, 1 the previous number, 2 the previous
/// number plus the last step. The following parts come next, each only if needed: a bit for each row that has a value;
/// the first number and, for order 2, the first step; the divisor; the number of bytes of the largest residual; and for
/// each of these bytes, the lowest first, that byte of all residuals.
///
/// Bytes of the same significance are stored together because zstd compresses them better: the high ones are nearly all
/// 0, and the low ones, which are noise, take no more than their size.
enum PackedColumn {
  /// Values of the first byte, beyond the order.
  private static let someMissing: UInt8 = 4
  private static let allMissing: UInt8 = 8

  /// Writes numbers, `missing` for none.
  static func write(_ values: [Int64], to output: inout PackedBytes) {
    let present = values.filter { $0 != IntegerColumn.missing }
    guard !present.isEmpty else { return output.add(allMissing) }
    let choices = (0...2).map { residuals(present, order: $0) }
    let costs = choices.map(bits)
    let order = costs[2] < min(costs[0], costs[1]) ? 2 : costs[1] < costs[0] ? 1 : 0
    let isWhole = present.count == values.count
    output.add(UInt8(order) | (isWhole ? 0 : someMissing))
    if !isWhole { output.add(compressed: presence(of: values)) }
    output.add(signed: present[0])
    if order == 2 { output.add(signed: present.count > 1 ? present[1] &- present[0] : 0) }
    writeResiduals(choices[order], to: &output)
  }

  /// The approximate number of bits that numbers take.
  static func cost(_ values: [Int64]) -> Int {
    let present = values.filter { $0 != IntegerColumn.missing }
    return (0...2).map { bits(residuals(present, order: $0)) }.min() ?? 0
  }

  private static func bits(_ residuals: [Int64]) -> Int {
    residuals.reduce(0) { $0 + 64 - Zigzag.folded($1).leadingZeroBitCount }
  }

  /// The residuals of a prediction; numbers that are written unchanged have the residual 0.
  private static func residuals(_ values: [Int64], order: Int) -> [Int64] {
    var residuals = [Int64](repeating: 0, count: values.count)
    switch order {
    case 0:
      for index in values.indices.dropFirst() { residuals[index] = values[index] &- values[0] }
    case 1:
      for index in values.indices.dropFirst() {
        residuals[index] = values[index] &- values[index - 1]
      }
    default:
      for index in values.indices.dropFirst(2) {
        residuals[index] = values[index] &- 2 &* values[index - 1] &+ values[index - 2]
      }
    }
    return residuals
  }

  private static func writeResiduals(_ residuals: [Int64], to output: inout PackedBytes) {
    var unit: UInt64 = 0
    for residual in residuals where unit != 1 { unit = divisor(unit, residual.magnitude) }
    output.add(varint: unit)
    guard unit > 0 else { return }
    // A divisor of 2^63 divides nothing but the number of this magnitude.
    let folded = residuals.map { residual in
      Zigzag.folded(
        Int64(exactly: unit).map { $0 == 1 ? residual : residual / $0 } ?? (residual == 0 ? 0 : -1))
    }
    let width = (64 - (folded.max() ?? 0).leadingZeroBitCount + 7) / 8
    output.add(UInt8(width))
    for byte in 0..<width {
      output.add(compressed: folded.map { UInt8(truncatingIfNeeded: $0 >> UInt64(8 * byte)) })
    }
  }

  /// The greatest common divisor of two numbers, one of which may be 0.
  private static func divisor(_ one: UInt64, _ other: UInt64) -> UInt64 {
    var (one, other) = (one, other)
    while other > 0 { (one, other) = (other, one % other) }
    return one
  }

  /// One bit for each number, set if it is not missing.
  private static func presence(of values: [Int64]) -> [UInt8] {
    var bits = [UInt8](repeating: 0, count: (values.count + 7) / 8)
    for (index, value) in values.enumerated() where value != IntegerColumn.missing {
      bits[index / 8] |= 1 << UInt8(index % 8)
    }
    return bits
  }

  /// Reads as many numbers as there are rows, `missing` for none.
  static func read(
    _ rows: Int, from input: inout PackedCursor
  ) throws(PackedCursor.Damage) -> [Int64] {
    let form = try input.byte()
    if form == allMissing { return Array(repeating: IntegerColumn.missing, count: rows) }
    let order = form & ~someMissing
    guard order <= 2 else { throw .content }
    let bits = form & someMissing > 0 ? try input.decompressed() : nil
    guard bits == nil || bits?.count == (rows + 7) / 8 else { throw .content }
    let count = bits.map { $0.reduce(0) { $0 + $1.nonzeroBitCount } } ?? rows
    guard count <= rows else { throw .content }
    let first = try input.signed()
    let step = order == 2 ? try input.signed() : 0
    var values = try residuals(count, from: &input)
    switch order {
    case 0: for index in 0..<count { values[index] &+= first }
    case 1: sum(&values, from: first)
    default:
      // The residuals of the first two numbers are 0: the steps are summed up first, then the numbers.
      sum(&values, from: step)
      sum(&values, from: first)
    }
    guard let bits else { return values }
    return spread(values, over: rows, bits)
  }

  /// Adds each number to the sum of those before it; the first number is given.
  private static func sum(_ values: inout [Int64], from first: Int64) {
    guard !values.isEmpty else { return }
    values[0] = first
    var output = values.mutableSpan
    for index in 1..<output.count { output[index] = output[index] &+ output[index - 1] }
  }

  private static func residuals(
    _ count: Int, from input: inout PackedCursor
  ) throws(PackedCursor.Damage) -> [Int64] {
    let unit = Int64(bitPattern: try input.varint())
    var folded = [UInt64](repeating: 0, count: count)
    if unit != 0 {
      let width = try input.byte()
      guard width <= 8 else { throw .content }
      for byte in 0..<UInt64(width) {
        let content = try input.decompressed()
        guard content.count == count else { throw .content }
        add(content, at: 8 * byte, to: &folded)
      }
    }
    return folded.map { Zigzag.unfolded($0) &* unit }
  }

  private static func add(_ content: [UInt8], at shift: UInt64, to folded: inout [UInt64]) {
    let content = content.span
    var output = folded.mutableSpan
    for index in 0..<output.count { output[index] |= UInt64(content[index]) &<< shift }
  }

  /// Distributes the values to the rows whose bits are set.
  private static func spread(_ values: [Int64], over rows: Int, _ bits: [UInt8]) -> [Int64] {
    var spread = [Int64](repeating: IntegerColumn.missing, count: rows)
    var next = 0
    for row in 0..<rows where bits[row / 8] & (1 << UInt8(row % 8)) > 0 {
      spread[row] = values[next]
      next += 1
    }
    return spread
  }
}
