import FrameTrace

/// Names that recur in a file, stored by number. Each name is decoded once, and a reference to a name needs no
/// reference count.
struct NumberedNames {
  /// The names by number, in the order in which they were first seen.
  private(set) var names: [String] = []
  private var table = ByteTable()
  /// The numbers of names that are not in the file.
  private var others: [String: Int] = [:]

  /// The number of a name, which is assigned if the name is new.
  /// - Precondition: Eight bytes can be read from any index in the range.
  mutating func number(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Int {
    let number = table.number(bytes, name)
    if number == names.count { names.append(table.text(number)) }
    return number
  }

  /// The number of a name that is not in the file.
  mutating func number(_ name: String) -> Int {
    if let number = others[name] { return number }
    let bytes = Array(name.utf8)
    let number = number((bytes + [UInt8](repeating: 0, count: 8)).span, bytes.indices)
    others[name] = number
    return number
  }
}
