import FrameTrace

/// The content of a column, which determines its unit and its type in a database.
enum ResultKind: Equatable, Sendable {
  case text, integer, real, flag
  /// A time on the trace's clock: milliseconds from the start of the trace in text formats, whole
  /// nanoseconds of the clock in databases.
  case instant
  /// A duration: milliseconds in text formats, whole nanoseconds in databases.
  case length
  /// The bounds of an interval: a list in JSON, two columns elsewhere.
  case interval
  /// Several numbers: a list in JSON, a string separated by spaces elsewhere.
  case list
  /// An object, rows, or strings, which JSON contains and tables omit.
  case nested
}

/// A value of a result, described once: JSON, its schema, CSV, databases and tables for people are written from this
/// description.
struct ResultColumn<Row>: Sendable {
  /// How the column is shown to people.
  struct Heading: Sendable {
    let text: String
    let alignment: TextTable.Alignment
    let cell: @Sendable (Row) -> String
  }

  /// The key in snake case, without the unit that the kind adds to it; empty for a length whose key
  /// is the unit.
  let key: String
  let kind: ResultKind
  /// The column's meaning, as a clause for the documentation and for databases.
  let meaning: String
  /// The value in a row; `nil` if there is none.
  let value: @Sendable (Row) -> ResultCell?
  /// Why a row has no value; `nil` if an empty cell is enough.
  private(set) var why: @Sendable (Row) -> String? = { _ in nil }
  /// Whether a row can lack a value, in which case it has a reason.
  private(set) var canBeMissing = false
  /// Whether JSON omits the key if there is no value.
  private(set) var isOptional = false
  /// The rows in which JSON omits the key, if that does not depend on the value.
  private(set) var isAbsent: (@Sendable (Row) -> Bool)?
  /// The shape of the key's value in JSON.
  let shape: JSONShape
  /// What tables of an analysis show next to the value; `nil` for a value that tables omit.
  private(set) var figure: @Sendable (Row) -> FieldRecord.Figure? = { _ in nil }
  /// The heading for people; `nil` for a column that only scripts read.
  private(set) var heading: Heading?

  init(
    _ key: String, _ kind: ResultKind, _ meaning: String, shape: JSONShape? = nil,
    _ value: @escaping @Sendable (Row) -> ResultCell?
  ) {
    (self.key, self.kind, self.meaning, self.value) = (key, kind, meaning, value)
    self.shape = shape ?? kind.shape
  }
}

// MARK: Columns by kind

extension ResultColumn {
  static func text(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> String?
  ) -> ResultColumn {
    ResultColumn(key, .text, meaning) { value($0).map(ResultCell.text) }
  }

  static func integer<Number: BinaryInteger & SendableMetatype>(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Number?
  ) -> ResultColumn {
    ResultColumn(key, .integer, meaning) { value($0).map { .integer(Int64($0)) } }
  }

  static func real(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Double?
  ) -> ResultColumn {
    ResultColumn(key, .real, meaning) { value($0).map(ResultCell.real) }
  }

  static func flag(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Bool?
  ) -> ResultColumn {
    ResultColumn(key, .flag, meaning) { value($0).map(ResultCell.flag) }
  }

  static func instant(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Timestamp?
  ) -> ResultColumn {
    ResultColumn(key, .instant, meaning) { value($0).map(ResultCell.instant) }
  }

  static func length(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Nanoseconds?
  ) -> ResultColumn {
    ResultColumn(key, .length, meaning) { value($0).map(ResultCell.length) }
  }

  static func interval(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> ClosedRange<Double>?
  ) -> ResultColumn {
    ResultColumn(key, .interval, meaning) { value($0).map(ResultCell.interval) }
  }

  static func list(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> [Double]?
  ) -> ResultColumn {
    ResultColumn(key, .list, meaning) { value($0).map(ResultCell.list) }
  }
}

// MARK: Properties in addition to a column's values

extension ResultColumn {
  /// The same column with the reason why a row has no value.
  func otherwise(_ why: @escaping @Sendable (Row) -> String?) -> ResultColumn {
    var column = self
    column.why = why
    column.canBeMissing = true
    return column
  }

  /// The same column with the reason why a row has no value.
  func otherwise(_ why: String) -> ResultColumn { otherwise { _ in why } }

  /// The same column, with its key omitted from JSON if there is no value.
  var ifAny: ResultColumn {
    var column = self
    column.isOptional = true
    return column
  }

  /// The same column, with its key omitted from JSON in some rows.
  func unless(_ isAbsent: @escaping @Sendable (Row) -> Bool) -> ResultColumn {
    var column = self
    column.isAbsent = isAbsent
    column.isOptional = true
    return column
  }

  /// The same column, also in tables of an analysis.
  func counted(_ figure: @escaping @Sendable (Row) -> FieldRecord.Figure?) -> ResultColumn {
    var column = self
    column.figure = figure
    return column
  }

  /// The same column, also shown to people.
  /// - Parameter cell: The text for people; by default, the plain value.
  func shown(
    _ heading: String, _ alignment: TextTable.Alignment = .left,
    _ cell: (@Sendable (Row) -> String)? = nil
  ) -> ResultColumn {
    var column = self
    let value = value
    column.heading = Heading(text: heading, alignment: alignment) { row in
      cell?(row) ?? value(row)?.plain ?? ""
    }
    return column
  }

  /// The same column, shown to people with the given number of decimals.
  func shown(_ heading: String, decimals: Int) -> ResultColumn {
    let value = value
    return shown(heading, .right) { value($0)?.fixed(decimals) ?? "" }
  }

  /// The same column, for scripts only.
  var forScripts: ResultColumn {
    var column = self
    column.heading = nil
    return column
  }

  /// The same column for rows that contain a row of this type.
  func on<Outer>(_ part: @escaping @Sendable (Outer) -> Row) -> ResultColumn<Outer> {
    let (value, why, heading) = (value, why, heading)
    var column = ResultColumn<Outer>(key, kind, meaning, shape: shape) { value(part($0)) }
    column.why = { why(part($0)) }
    column.canBeMissing = canBeMissing
    column.isOptional = isOptional
    column.heading = heading.map { heading in
      ResultColumn<Outer>.Heading(text: heading.text, alignment: heading.alignment) {
        heading.cell(part($0))
      }
    }
    return column
  }
}
