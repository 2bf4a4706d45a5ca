/// The XML of an export being written: each value appears once with an id, and later as a reference to that id, across
/// rows and tables.
struct XctraceDocumentText {
  /// A column: its mnemonic and the type of its values.
  typealias Column = (mnemonic: String, type: String)

  /// The contents of a row's cell.
  enum Cell {
    case none
    /// An instant, in nanoseconds from the start of the recording.
    case time(Int64)
    case duration(Int64)
    case number(String, Int64?)
    case text(String, String)
  }

  /// The properties that distinguish one value from another.
  private struct Key: Hashable {
    let type, value: String
  }

  private var ids: [Key: Int] = [:]
  private var nodes = ""
  private var tableCount = 0

  /// The complete document.
  var text: String {
    "<?xml version=\"1.0\"?>\n<trace-query-result>\n\(nodes)</trace-query-result>\n"
  }

  /// Adds a table; a table without rows is left out.
  mutating func add(_ table: String, _ columns: [Column], _ rows: [[Cell]]) {
    guard !rows.isEmpty else { return }
    tableCount += 1
    nodes +=
      "<node xpath='//trace-toc[1]/run[1]/data[1]/table[\(tableCount)]'><schema name=\"\(table)\">"
    for column in columns {
      nodes +=
        "<col><mnemonic>\(column.mnemonic)</mnemonic><name>\(column.mnemonic)</name><engineering-type>\(column.type)</engineering-type></col>"
    }
    nodes += "</schema>"
    for row in rows {
      var cells = ""
      for cell in row { cells += value(cell) }
      nodes += "<row>\(cells)</row>\n"
    }
    nodes += "</node>\n"
  }

  private mutating func value(_ cell: Cell) -> String {
    switch cell {
    case .none, .number(_, nil): "<sentinel/>"
    case .time(let time): element("start-time", "\(time)", shown: Self.clock(time))
    case .duration(let length): element("duration", "\(length)", shown: "\(length / 1000) µs")
    case .number(let type, let number?): element(type, "\(number)", shown: "\(number)")
    case .text(let type, let text): element(type, Self.escaped(text), shown: Self.escaped(text))
    }
  }

  private mutating func element(_ type: String, _ value: String, shown: String) -> String {
    let key = Key(type: type, value: value)
    if let id = ids[key] { return "<\(type) ref=\"\(id)\"/>" }
    let id = ids.count + 1
    ids[key] = id
    return "<\(type) id=\"\(id)\" fmt=\"\(shown)\">\(value)</\(type)>"
  }

  /// A time such as `00:01.561.899`: minutes, seconds, milliseconds, microseconds.
  private static func clock(_ time: Int64) -> String {
    let padded = { (number: Int64, width: Int) -> String in
      let digits = "\(number)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
    return padded(seconds / 60, 2) + ":" + padded(seconds % 60, 2) + "."
      + padded(rest / 1_000_000, 3) + "." + padded(rest / 1000 % 1000, 3)
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      // XML cannot represent the other characters.
      default:
        let isControl = scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff
        escaped.unicodeScalars.append(isControl ? " " : scalar)
      }
    }
    return escaped
  }
}
