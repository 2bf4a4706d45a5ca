/// A column of optional whole numbers in as few bytes as its values allow.
///
/// A column with the same value in every row takes no bytes per row; others take 1, 4 or 8 bytes per row. The width
/// grows when a value requires it. `Int64.min` cannot be stored because it stands for "missing".
public struct IntegerColumn: Sendable {
  /// The representation of a missing value for code in which optionals would cost too much.
  @inlinable package static var missing: Int64 { .min }

  /// The number of bytes for each row.
  @usableFromInline
  enum Width: Int, Comparable, Sendable {
    case none, one, four, eight

    @usableFromInline
    static func < (left: Width, right: Width) -> Bool { left.rawValue < right.rawValue }
  }

  /// How many rows there are.
  @inlinable public var count: Int { rowCount }
  @usableFromInline var rowCount = 0
  @usableFromInline private(set) var width = Width.none
  /// The expected number of rows; memory for them is allocated once instead of by doubling.
  private var expected = 0
  /// The value of every row while `width` is `none`.
  @usableFromInline private(set) var constant = Self.missing
  // Only the array of the current width has content. They are separate variables, not the cases of an enum, so that
  // appending modifies them in place. Only this type's methods may change them and `rowCount`, which cannot be private
  // because appending is inlined.
  @usableFromInline var bytes: [Int8] = []
  @usableFromInline var words: [Int32] = []
  @usableFromInline private(set) var longs: [Int64] = []

  @usableFromInline
  package init() {}

  /// A column of `count` rows without a value.
  @usableFromInline
  package init(missing count: Int) { rowCount = count }

  /// A column of `count` rows with the same value.
  package init(repeating value: Int64?, count: Int) {
    constant = value ?? Self.missing
    rowCount = count
  }

  /// The row's value; `nil` if it is missing.
  @inlinable
  public subscript(row: Int) -> Int64? {
    let value = raw(row)
    return value == Self.missing ? nil : value
  }

  /// The row's value, or `missing`.
  @inlinable @inline(__always)
  package func raw(_ row: Int) -> Int64 {
    switch width {
    case .none: constant
    case .one: bytes[row] == .min ? Self.missing : Int64(bytes[row])
    case .four: words[row] == .min ? Self.missing : Int64(words[row])
    case .eight: longs[row]
    }
  }

  /// Whether no row has a value.
  @inlinable public var isEmpty: Bool { width == .none && constant == Self.missing }

  /// The value that all rows have; `nil` if they differ or are missing.
  public var constantValue: Int64? {
    width == .none && constant != Self.missing && count > 0 ? constant : nil
  }

  /// How many rows have a value, in time linear in the rows.
  public var valueCount: Int {
    switch width {
    case .none: constant == Self.missing ? 0 : count
    case .one: Self.count(bytes.span)
    case .four: Self.count(words.span)
    case .eight: Self.count(longs.span)
    }
  }

  /// How many numbers differ from the smallest representable number. The loop is written so that several numbers are
  /// compared at a time.
  private static func count<Number: FixedWidthInteger>(_ numbers: Span<Number>) -> Int {
    var count = 0
    for index in 0..<numbers.count { count &+= numbers[index] == .min ? 0 : 1 }
    return count
  }
}

extension IntegerColumn {
  /// Appends a value, `missing` for none.
  @inlinable
  package mutating func append(_ value: Int64) {
    // Nearly all values are as small as the values before them, and are stored without a call.
    switch width {
    case .none where value == constant && rowCount > 0: break
    case .one where Self.fits(value, Int8.self): bytes.append(Self.narrow(value))
    case .four where Self.fits(value, Int32.self): words.append(Self.narrow(value))
    default:
      widenAndAppend(value)
      return
    }
    rowCount += 1
  }

  @usableFromInline
  mutating func widenAndAppend(_ value: Int64) {
    widen(for: value)
    store(value)
  }

  /// A value that fits, in fewer bytes.
  @inlinable @inline(__always)
  static func narrow<Narrow: FixedWidthInteger>(_ value: Int64) -> Narrow {
    value == Self.missing ? .min : Narrow(truncatingIfNeeded: value)
  }

  /// Appends the same value for a number of rows, `missing` for none.
  package mutating func append(repeating value: Int64, count rows: Int) {
    guard rows > 0 else { return }
    append(value)
    if width == .none {
      rowCount += rows - 1
      return
    }
    for _ in 1..<rows { append(value) }
  }

  /// Appends a value for each of `rows`, which index `values`.
  @usableFromInline
  package mutating func append(_ values: [Int64], at rows: [Int32]) { appendAll(values, at: rows) }

  /// Appends the first values of an array.
  @usableFromInline
  package mutating func append(_ values: [Int64], first count: Int) {
    appendAll(values, at: 0..<Int32(count))
  }

  @inline(__always)
  private mutating func appendAll<Rows: RandomAccessCollection<Int32>>(
    _ values: [Int64], at rows: Rows
  ) {
    if width == .none { leaveConstant(for: values, at: rows) }
    let fit =
      switch width {
      case .none: true
      case .one: Self.append(values, at: rows, to: &bytes)
      case .four: Self.append(values, at: rows, to: &words)
      case .eight: Self.append(values, at: rows, to: &longs)
      }
    if fit {
      rowCount += rows.count
    } else {
      // The first value that does not fit widens the column.
      for row in rows { append(values[Int(row)]) }
    }
  }

  /// Appends values in the bytes of a list; appends nothing if a value does not fit.
  /// - Returns: Whether all values fit.
  @inline(__always)
  private static func append<Rows: RandomAccessCollection<Int32>, Narrow: FixedWidthInteger>(
    _ values: [Int64], at rows: Rows, to list: inout [Narrow]
  ) -> Bool {
    var outside = false
    list.append(addingCapacity: rows.count) { output in
      let values = values.span
      for row in rows {
        let value = values[Int(truncatingIfNeeded: row)]
        outside = !fits(value, Narrow.self) || outside
        output.append(narrow(value))
      }
    }
    if outside { list.removeLast(rows.count) }
    return !outside
  }

  /// Reserves memory for a total number of rows.
  @usableFromInline
  package mutating func reserve(_ rows: Int) {
    expected = rows
    switch width {
    case .none: break
    case .one: bytes.reserveCapacity(rows)
    case .four: words.reserveCapacity(rows)
    case .eight: longs.reserveCapacity(rows)
    }
  }

  /// Appends rows without a value.
  @usableFromInline
  mutating func appendMissing(_ rows: Int) {
    if width == .none, constant == Self.missing || count == 0 {
      constant = Self.missing
      rowCount += rows
    } else {
      for _ in 0..<rows { append(Self.missing) }
    }
  }

  /// Replaces a row's value, `missing` for none. The first value that needs a greater width takes time
  /// linear in the rows.
  @inlinable
  package mutating func replace(_ row: Int, with value: Int64) {
    switch width {
    case .one where Self.fits(value, Int8.self): bytes[row] = Self.narrow(value)
    case .four where Self.fits(value, Int32.self): words[row] = Self.narrow(value)
    default: widenAndReplace(row, with: value)
    }
  }

  @usableFromInline
  mutating func widenAndReplace(_ row: Int, with value: Int64) {
    precondition(row < count)
    widen(for: value)
    switch width {
    case .none: break
    case .one: bytes[row] = Self.narrow(value)
    case .four: words[row] = Self.narrow(value)
    case .eight: longs[row] = value
    }
  }

  private mutating func store(_ value: Int64) {
    switch width {
    case .none: break
    case .one: bytes.append(Self.narrow(value))
    case .four: words.append(Self.narrow(value))
    case .eight: longs.append(value)
    }
    rowCount += 1
  }

  /// Widens the rows if one more value requires it.
  @inline(__always)
  private mutating func widen(for value: Int64) {
    switch width {
    case .none: if value != constant { leaveConstant(value) }
    case .one: if !Self.fits(value, Int8.self) { widen(to: widthNeeded(value)) }
    case .four: if !Self.fits(value, Int32.self) { widen(to: .eight) }
    case .eight: break
    }
  }

  private mutating func leaveConstant(_ value: Int64) {
    if count == 0 {
      constant = value
    } else {
      widen(to: max(widthNeeded(value), widthNeeded(constant)))
    }
  }

  /// Widens the rows if not all values equal the constant.
  @inline(__always)
  private mutating func leaveConstant<Rows: RandomAccessCollection<Int32>>(
    for values: [Int64], at rows: Rows
  ) {
    guard let first = rows.first else { return }
    if count == 0 { constant = values[Int(first)] }
    if rows.allSatisfy({ values[Int($0)] == constant }) { return }
    let needed = rows.reduce(widthNeeded(constant)) { max($0, widthNeeded(values[Int($1)])) }
    widen(to: needed)
  }

  private func widthNeeded(_ value: Int64) -> Width {
    Self.fits(value, Int8.self) ? .one : Self.fits(value, Int32.self) ? .four : .eight
  }

  @inlinable @inline(__always)
  static func fits<Narrow: FixedWidthInteger>(_ value: Int64, _: Narrow.Type) -> Bool {
    value == Self.missing || (value > Int64(Narrow.min) && value <= Int64(Narrow.max))
  }

  private mutating func widen(to wider: Width) {
    switch wider {
    case .none: break
    case .one: bytes = converted()
    case .four: words = converted()
    case .eight: longs = converted()
    }
    if wider > .one { bytes = [] }
    if wider > .four { words = [] }
    width = wider
  }

  /// The existing rows in another width, with memory for the expected rows.
  private func converted<Number: FixedWidthInteger>() -> [Number] {
    var numbers: [Number] = []
    numbers.reserveCapacity(max(expected, count))
    for row in 0..<count {
      let value = raw(row)
      numbers.append(value == Self.missing ? .min : Number(value))
    }
    return numbers
  }
}

extension IntegerColumn {
  /// Writes the values of `rows` to the start of `values`, `missing` for none.
  @usableFromInline
  package func decode(_ rows: Range<Int>, into values: inout [Int64]) {
    precondition(rows.upperBound <= count && rows.count <= values.count)
    var output = values.mutableSpan
    switch width {
    case .none:
      for index in 0..<rows.count { output[index] = constant }
    case .one:
      let stored = bytes.span.extracting(rows)
      for index in 0..<rows.count {
        output[index] = stored[index] == .min ? Self.missing : Int64(stored[index])
      }
    case .four:
      let stored = words.span.extracting(rows)
      for index in 0..<rows.count {
        output[index] = stored[index] == .min ? Self.missing : Int64(stored[index])
      }
    case .eight:
      let stored = longs.span.extracting(rows)
      for index in 0..<rows.count { output[index] = stored[index] }
    }
  }

  /// The smallest and the largest value; `nil` if there is none.
  var limits: (low: Int64, high: Int64)? {
    var low = Int64.max
    var high = Int64.min
    if width == .four {
      let words = words.span
      for index in 0..<count {
        let value = Int64(words[index])
        low = words[index] == .min ? low : min(low, value)
        high = max(high, words[index] == .min ? high : value)
      }
    } else {
      forEachBlock(with: self) { block, _, size in
        for index in 0..<size where block[index] != Self.missing {
          low = min(low, block[index])
          high = max(high, block[index])
        }
      }
    }
    return low > high ? nil : (low, high)
  }

  /// Passes rows that are stored as words to `body`, with `Int32.min` for a missing value.
  /// - Returns: `nil` if the column has another width.
  @inlinable @inline(__always)
  package func withWords<Value>(_ rows: Range<Int>, _ body: (Span<Int32>) -> Value) -> Value? {
    width == .four ? body(words.span.extracting(rows)) : nil
  }

  /// The same values in another order: row `i` is the former row `order[i]`.
  func reordered(by order: [Int32]) -> IntegerColumn {
    var column = self
    switch width {
    case .none: column.rowCount = order.count
    case .one: column.bytes = order.map { bytes[Int($0)] }
    case .four: column.words = order.map { words[Int($0)] }
    case .eight: column.longs = order.map { longs[Int($0)] }
    }
    column.rowCount = order.count
    return column
  }

  /// The number of rows that stay in the cache.
  @usableFromInline static let blockSize = 4096

  /// A column computed from this one, row by row; `missing` represents no value in input and
  /// output.
  @inlinable
  package func mapped(_ value: (Int64) -> Int64) -> IntegerColumn {
    var column = IntegerColumn()
    column.reserve(count)
    var block = [Int64](repeating: 0, count: Self.blockSize)
    for start in stride(from: 0, to: count, by: Self.blockSize) {
      let rows = start..<min(start + Self.blockSize, count)
      decode(rows, into: &block)
      for index in 0..<rows.count { block[index] = value(block[index]) }
      column.append(block, first: rows.count)
    }
    return column
  }

  /// A column computed from two, row by row; `missing` represents no value in input and output.
  package func combined(
    with other: IntegerColumn, _ value: (_ own: Int64, _ other: Int64) -> Int64
  ) -> IntegerColumn {
    var column = IntegerColumn()
    forEachBlock(with: other) { own, other, count in
      for index in 0..<count { own[index] = value(own[index], other[index]) }
      column.append(own, first: count)
    }
    return column
  }

  /// How many rows of two columns match a condition.
  package func count(
    with other: IntegerColumn, where matches: (_ own: Int64, _ other: Int64) -> Bool
  )
    -> Int
  {
    var matching = 0
    forEachBlock(with: other) { own, other, count in
      for index in 0..<count where matches(own[index], other[index]) { matching += 1 }
    }
    return matching
  }

  /// Iterates over two columns in blocks that stay in the cache.
  package func forEachBlock(
    with other: IntegerColumn, _ body: (inout [Int64], [Int64], _ count: Int) -> Void
  ) {
    precondition(other.count == count)
    let size = Self.blockSize
    var own = [Int64](repeating: 0, count: size)
    var others = own
    for start in stride(from: 0, to: count, by: size) {
      let rows = start..<min(start + size, count)
      decode(rows, into: &own)
      other.decode(rows, into: &others)
      body(&own, others, rows.count)
    }
  }
}
