/// The form of a record: what it has in common with records that differ from it only in their numbers. Most consecutive
/// records of a program have the same form.
///
/// A line of the last line's form is read without looking up its keys: the bytes before, between, and after its numbers
/// must be the same. Every other line is read member by member. If the line before it is a record of the same table,
/// the form of the line becomes the next form.
struct NativeForm<Column: TableColumn> {
  /// A number, and the bytes between it and the previous number.
  private struct Part {
    let text: Range<Int>
    let column: Column
    let takesMinus: Bool
  }

  /// The line that the form was learned from, followed by at least eight bytes.
  private let bytes: [UInt8]
  private let parts: [Part]
  /// What follows the last number.
  private let rest: Range<Int>

  /// Learns the form of a line that was read as a row.
  /// - Parameters:
  ///   - columns: The column of each member; `nil` for a member that is not a column.
  ///   - row: The row of the line.
  /// - Returns: `nil` for a line with a number that is not whole: the form could not read the next lines.
  init?(_ line: NativeLine, _ columns: [Column?], _ row: Table<Column>.Row) {
    let range = line.range
    let start = range.lowerBound
    var position = start
    var parts: [Part] = []
    for (member, column) in zip(line.members, columns) {
      guard let column, member.value.kind == .number else { continue }
      guard Self.isWhole(column.schema.kind), row[column] != nil else { return nil }
      parts.append(
        Part(
          text: position - start..<member.value.range.lowerBound - start, column: column,
          takesMinus: column.schema.kind != .identifier))
      position = member.value.range.upperBound
    }
    self.parts = parts
    rest = position - start..<range.count
    bytes = line.bytes[range] + [UInt8](repeating: 0, count: 8)
  }

  private static func isWhole(_ kind: ColumnSchema.Kind) -> Bool {
    switch kind {
    case .time, .duration, .count, .identifier, .frame: true
    case .flag, .choice, .text, .real, .surface: false
    }
  }

  /// Reads the numbers of a line that has the form.
  /// - Parameter row: A row of the form. The row receives the line's numbers and keeps its other values.
  /// - Returns: `false` if the line has another form, a number that is not whole, or a number of more than 18 digits.
  ///   The row's content is then undefined.
  @inline(__always)
  func read(
    _ line: Span<UInt8>, _ range: Range<Int>, into row: inout Table<Column>.Row
  ) -> Bool {
    let known = bytes.span
    var position = range.lowerBound
    for part in parts {
      let end = position &+ part.text.count
      guard end < range.upperBound, line.equals(known, at: part.text.lowerBound, position..<end)
      else {
        return false
      }
      let isNegative = line[end] == UInt8(ascii: "-")
      position = isNegative ? end &+ 1 : end
      let first = position
      var value: Int64 = 0
      while position < range.upperBound {
        let digit = line[position] &- 0x30
        guard digit < 10 else { break }
        value = value &* 10 &+ Int64(digit)
        position &+= 1
      }
      // A leading zero must not be followed by a digit.
      guard 1...18 ~= position &- first, line[first] != 0x30 || position &- first == 1,
        !isNegative || part.takesMinus && value > 0
      else { return false }
      row[part.column] = isNegative ? -value : value
    }
    return range.upperBound &- position == rest.count
      && line.equals(known, at: rest.lowerBound, position..<range.upperBound)
  }
}
