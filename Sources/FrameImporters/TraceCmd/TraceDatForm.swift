import FrameTrace

/// The format of an event, as the kernel describes it in `events/*/*/format`.
struct TraceDatForm {
  struct Field {
    let name: String
    let offset, size: Int
    let isSigned: Bool
    /// Whether the field is a string: of the field's size or, if `isMoved`, at another position in the event.
    let isText, isMoved: Bool
  }

  let name: String
  let number: Int
  /// The event's fields, without the fields that all events have.
  let fields: [Field]
  /// The letters of a thread's states by their bits, and the bit of a thread that lost its processor.
  private(set) var states: [(bit: UInt64, letter: String)] = []
  private(set) var preempted: UInt64 = 1 << 8

  /// `nil` for a string that names no event.
  init?(_ text: String) {
    var (name, number): (String?, Int?) = (nil, nil)
    var (fields, format): ([Field], Substring?) = ([], nil)
    for line in text.split(separator: "\n") {
      let line = line.drop { $0 == "\t" || $0 == " " }
      if line.hasPrefix("name:") {
        name = line.dropFirst(5).trimmed
      } else if line.hasPrefix("ID:") {
        number = Int(line.dropFirst(3).trimmed)
      } else if line.hasPrefix("field:"), let field = Self.field(line.dropFirst(6)) {
        if !field.name.hasPrefix("common_") { fields.append(field) }
      } else if line.hasPrefix("print fmt:") {
        format = line
      }
    }
    guard let name, let number else { return nil }
    (self.name, self.number, self.fields) = (name, number, fields)
    if name == "sched_switch", let format { readStates(format) }
  }

  /// `char prev_comm[16];	offset:8;	size:16;	signed:1;`.
  private static func field(_ text: Substring) -> Field? {
    let parts = text.split(separator: ";").map(\.trimmed)
    guard let declaration = parts.first else { return nil }
    var numbers: [String: Int] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: ":")
      if pair.count == 2 { numbers[String(pair[0])] = Int(pair[1]) }
    }
    let open = declaration.firstIndex(of: "[") ?? declaration.endIndex
    let isMoved = declaration.hasPrefix("__data_loc")
    // `__data_loc char[] driver` has the brackets before the name.
    let words = (isMoved ? declaration[...] : declaration[..<open]).split(separator: " ")
    guard let name = words.last, let offset = numbers["offset"], let size = numbers["size"],
      offset >= 0, size >= 0
    else { return nil }
    return Field(
      name: String(name), offset: offset, size: size, isSigned: numbers["signed"] == 1,
      isText: isMoved || (open < declaration.endIndex && declaration.contains("char")),
      isMoved: isMoved)
  }

  /// `{ 0x01, "S" }, …`, and `prev_state & (… ) ? "+"` with the bit of preempted threads.
  private mutating func readStates(_ format: Substring) {
    for part in format.split(separator: "{").dropFirst() {
      let pair = part.prefix { $0 != "}" }.split(separator: ",").map(\.trimmed)
      guard pair.count == 2, let bit = Self.number(pair[0]), pair[1].count >= 2 else { continue }
      states.append((bit, String(pair[1].dropFirst().dropLast())))
    }
    guard let end = format.firstRange(of: " ? \"+\"") else { return }
    let before = format[..<end.lowerBound]
    if let last = before.split(separator: " ").last.flatMap({ Self.number(String($0)) }), last > 1 {
      preempted = last
    } else if let highest = states.map(\.bit).max(), highest <= 1 << 30 {
      // `((0x0000 | … | 0x0040) + 1) << 1`: twice the highest state that is reported.
      let reported = states.map(\.bit).filter { $0 <= 1 << 7 }
      preempted = (reported.max().map { $0 << 1 } ?? 1 << 7) << 1
      if let sum = Self.reported(before) { preempted = (sum &+ 1) << 1 }
    }
  }

  /// The states in the last `(0x0000 | 0x0001 | …) + 1` of a string.
  private static func reported(_ text: Substring) -> UInt64? {
    guard let close = text.ranges(of: ") + 1").last,
      let open = text[..<close.lowerBound].lastIndex(of: "(")
    else { return nil }
    let numbers = text[text.index(after: open)..<close.lowerBound].split(separator: "|")
      .compactMap { number($0.trimmed) }
    return numbers.isEmpty ? nil : numbers.reduce(0, |)
  }

  private static func number(_ text: String) -> UInt64? {
    text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
  }

  /// The letters that the kernel prints for a state in which a thread is left.
  func letters(of state: UInt64) -> String {
    let set = states.filter { $0.bit != 0 && state & $0.bit != 0 }.map(\.letter)
    let plus = state & preempted != 0 ? "+" : ""
    return (set.isEmpty ? "R" : set.joined(separator: "|")) + plus
  }
}

extension StringProtocol {
  /// The string without leading and trailing blanks.
  fileprivate var trimmed: String {
    let rest = drop { $0 == " " || $0 == "\t" }
    return String(rest.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
