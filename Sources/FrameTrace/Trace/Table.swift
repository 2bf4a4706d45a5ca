/// Rows of facts of one kind, stored by column.
///
/// A column that the source never fills takes no memory. Times are stored relative to an instant of
/// their row, so that a frame's stage times take four bytes each instead of eight.
public struct Table<Column: TableColumn>: Sendable {
  /// The number of rows.
  public package(set) var count = 0
  /// The strings that columns of kind `text` refer to.
  public package(set) var texts = StringTable()
  /// Columns of the source that are not part of the model.
  public package(set) var extras: [ExtraColumn] = []

  /// For each row, the instant from which its times are measured.
  @usableFromInline package var references: [Int64] = []
  /// The number of values left out because no clock or count goes that far.
  @usableFromInline var absurdCount = 0
  /// The number of rows that memory is reserved for.
  @usableFromInline package internal(set) var reserved = 0
  @usableFromInline var columns: [IntegerColumn?]

  /// For each column, whether it holds times.
  @usableFromInline let isTime: [Bool]
  /// The columns of times, and the columns with a bound because their numbers are measured or counted; as bits.
  @usableFromInline let times, bounded: UInt64
  /// The columns that exist, as bits.
  @usableFromInline var existing: UInt64 = 0

  package init() {
    precondition(Column.schemas.count <= UInt64.bitWidth)
    columns = Array(repeating: nil, count: Column.schemas.count)
    isTime = Column.schemas.map { $0.kind == .time }
    times = Self.bits { $0 == .time }
    bounded = Self.bits { [.time, .duration, .count].contains($0) }
  }

  private static func bits(_ isIn: (ColumnSchema.Kind) -> Bool) -> UInt64 {
    Column.schemas.indices.reduce(0) { isIn(Column.schemas[$1].kind) ? $0 | 1 << $1 : $0 }
  }

  /// The value as the column's kind defines it; `nil` if it is missing. Times are in nanoseconds on the trace clock.
  @inlinable
  public subscript(row: Int, column: Column) -> Int64? {
    guard let stored = columns[column.rawValue]?[row] else { return nil }
    return isTime[column.rawValue] ? references[row] &+ stored : stored
  }

  /// The instant in a column of kind `time`; `nil` if it is missing.
  @inlinable
  public func time(_ row: Int, _ column: Column) -> Timestamp? {
    self[row, column].map(Timestamp.init(nanoseconds:))
  }

  /// The length of time in a column of kind `duration`; `nil` if it is missing.
  @inlinable
  public func duration(_ row: Int, _ column: Column) -> Nanoseconds? {
    self[row, column].map(Nanoseconds.init)
  }

  /// The string in a column of kind `text`, or the word in a column of kind `choice`; `nil` if it is missing.
  public func text(_ row: Int, _ column: Column) -> String? {
    guard let value = self[row, column] else { return nil }
    if case .choice(let words) = column.schema.kind { return words[Int(value)] }
    return texts[value]
  }

  /// The number in a column of kind `real`; `nil` if it is missing.
  @inlinable
  public func real(_ row: Int, _ column: Column) -> Double? {
    self[row, column].map { Double(bitPattern: UInt64(bitPattern: $0)) }
  }

  /// Whether any row has a value in the column.
  @inlinable
  public func has(_ column: Column) -> Bool {
    columns[column.rawValue].map { !$0.isEmpty } ?? false
  }

  /// How many rows have a value in the column, in time linear in the rows.
  @inlinable
  public func valueCount(_ column: Column) -> Int { columns[column.rawValue]?.valueCount ?? 0 }

  /// The stored numbers of a column: distances from the row's reference for times, or else the values; `nil` if no row
  /// has any.
  @inlinable
  package func stored(_ column: Column) -> IntegerColumn? {
    has(column) ? columns[column.rawValue] : nil
  }

  /// Sets a complete column; the values have the form of `stored(_:)`, one for each row.
  @inlinable
  package mutating func setStored(_ column: Column, _ values: IntegerColumn) {
    precondition(values.count == count)
    columns[column.rawValue] = values
    existing |= 1 << column.rawValue
  }

  /// The instant from which the stored times of a row are measured: the row's first time.
  @inlinable
  package func reference(_ row: Int) -> Timestamp { Timestamp(nanoseconds: references[row]) }

  /// The instants from which the stored times are measured.
  @inlinable
  package func references(_ rows: Range<Int>) -> ArraySlice<Int64> { references[rows] }
}

extension Table {
  /// A row under construction.
  @usableFromInline
  package struct Row: Sendable {
    @usableFromInline var values = [Int64](
      repeating: IntegerColumn.missing, count: Column.schemas.count)
    /// The columns that were set, as bits; the others are missing.
    @usableFromInline var filled: UInt64 = 0

    @inlinable package init() {}

    /// The value as the column's kind defines it, times in nanoseconds on the trace clock.
    @inlinable
    package subscript(column: Column) -> Int64? {
      get {
        let value = values[column.rawValue]
        return value == IntegerColumn.missing ? nil : value
      }
      set {
        values[column.rawValue] = newValue ?? IntegerColumn.missing
        filled |= 1 &<< UInt64(truncatingIfNeeded: column.rawValue)
      }
    }

    /// Removes all values, to reuse the row's memory for the next row.
    @inlinable
    package mutating func clear() {
      while let index = filled.takeLowestBit() { values[index] = IntegerColumn.missing }
    }
  }

  /// Appends a row. The row's times are stored relative to its first time in column order. A time, length or count
  /// beyond ``Timestamp/bound`` becomes missing and is counted.
  @inlinable
  package mutating func append(_ row: Row) {
    var reference: Int64 = 0
    var left = row.filled & times
    while let index = left.takeLowestBit() {
      let time = row.values[index]
      guard time != IntegerColumn.missing, time.magnitude <= Timestamp.bound else { continue }
      reference = time
      break
    }
    // A row has few of the possible columns.
    left = row.filled | existing
    while let index = left.takeLowestBit() {
      var value = row.values[index]
      if value != IntegerColumn.missing, bounded &>> UInt64(index) & 1 != 0 {
        if value.magnitude > Timestamp.bound {
          value = IntegerColumn.missing
          absurdCount += 1
        } else if times &>> UInt64(index) & 1 != 0 {
          value &-= reference
        }
      }
      append(value, to: index)
    }
    references.append(reference)
    grow(by: 1)
  }

  @usableFromInline
  mutating func grow(by rows: Int) { count += rows }

  @inlinable
  mutating func append(_ stored: Int64, to index: Int) {
    if columns[index] == nil {
      if stored == IntegerColumn.missing { return }
      columns[index] = IntegerColumn(missing: count)
      existing |= 1 << index
    }
    columns[index]?.append(stored)
  }

  /// Appends a block of rows given column by column.
  /// - Parameters:
  ///   - times: For each row, the instant from which its times are measured.
  ///   - rows, stored: As for ``append(rows:stored:)``.
  @inlinable
  package mutating func append(at times: [Int64], rows: [Int32], stored: [(Column, [Int64])]) {
    append(rows: rows, stored: stored)
    references.append(contentsOf: rows.lazy.map { times[Int($0)] })
  }

  /// Reserves memory for a total number of rows, in existing and future columns.
  @inlinable
  package mutating func reserve(_ rows: Int) {
    reserved = rows
    references.reserveCapacity(rows)
    for index in columns.indices { columns[index]?.reserve(rows) }
  }

  /// Appends a block of rows, column by column, without the instants that their times are relative
  /// to. These must be set before any time is read.
  /// - Parameters:
  ///   - rows: The indices in the arrays that become rows, in this order.
  ///   - stored: For each column, its values in the form of `stored(_:)`; other columns are missing
  ///     in these rows.
  @inlinable
  package mutating func append(rows: [Int32], stored: [(Column, [Int64])]) {
    append(rows.count, stored) { $0?.append($1, at: rows) }
  }

  /// Appends the first elements of the arrays as rows.
  @inlinable
  package mutating func append(first rows: Int, stored: [(Column, [Int64])]) {
    append(rows, stored) { $0?.append($1, first: rows) }
  }

  @inlinable @inline(__always)
  mutating func append(
    _ rows: Int, _ stored: [(Column, [Int64])],
    _ append: (_ column: inout IntegerColumn?, _ values: [Int64]) -> Void
  ) {
    for (column, values) in stored {
      if columns[column.rawValue] == nil {
        columns[column.rawValue] = IntegerColumn(missing: count)
        columns[column.rawValue]?.reserve(reserved)
        existing |= 1 << column.rawValue
      }
      append(&columns[column.rawValue], values)
    }
    grow(by: rows)
    for index in columns.indices {
      guard let column = columns[index], column.count < count else { continue }
      columns[index]?.appendMissing(count - column.count)
    }
  }
}

extension UInt64 {
  /// Clears the lowest set bit.
  /// - Returns: The bit's index; `nil` if no bit is set.
  @inlinable @inline(__always)
  mutating func takeLowestBit() -> Int? {
    guard self != 0 else { return nil }
    let index = trailingZeroBitCount
    self &= self &- 1
    return index
  }
}

/// The definition of a table's column: its name in files, the meaning of its numbers, and a
/// description.
public struct ColumnSchema: Sendable {
  /// The meaning of the whole numbers of a column.
  public enum Kind: Sendable, Equatable {
    /// An instant on the trace clock.
    case time
    /// A length of time in nanoseconds.
    case duration
    /// A number of something.
    case count
    /// A number that names something: a frame, a buffer, a thread.
    case identifier
    /// No (0) or yes (1).
    case flag
    /// One of a closed list of words, by its index in the list.
    case choice([String])
    /// A string, by its number in the table's `texts`.
    case text
    /// A number with a fraction, by its bit pattern.
    case real
    /// A surface, by its index in the trace's list.
    case surface
    /// A frame, by its row in the frames of the row's surface.
    case frame
  }

  /// The name in the native format and wherever a user meets the column.
  public let key: String
  /// The meaning of the column's numbers.
  public let kind: Kind
  /// One sentence that defines the column.
  public let summary: String

  init(_ key: String, _ kind: Kind, _ summary: String) {
    self.key = key
    self.kind = kind
    self.summary = summary
  }
}

/// The columns that a kind of row can have; a source fills the ones it knows.
public protocol TableColumn: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {
  /// The schemas of all columns, in the order of the cases.
  static var schemas: [ColumnSchema] { get }
}

extension TableColumn {
  /// The definition of this column.
  public var schema: ColumnSchema { Self.schemas[rawValue] }
}
