import FrameTrace

/// A selection of jobs and series of a store; an empty or `nil` field does not restrict the selection.
public struct HistoryFilter: Sendable {
  /// Only jobs of this scene; `nil` for any.
  public var scene: String?
  /// Only jobs of this device; `nil` for any.
  public var device: String?
  /// Only jobs of this version of the app; `nil` for any.
  public var version: String?
  /// Only measured jobs, or only jobs from the field; `nil` for both.
  public var source: HistoryJob.Source?
  /// Only these metrics; empty for all.
  public var metrics: [String] = []
  /// Only jobs that have all of these tags.
  public var tags: [String: String] = [:]

  /// A filter that selects everything.
  public init() {}

  var jobConditions: [(text: String, values: [SQLiteValue])] {
    common
      + [version.map { ("version = ?", [.text($0)]) }].compactMap { $0 }
      + tags.sorted { $0.key < $1.key }.map { name, value in
        (
          "EXISTS(SELECT 1 FROM tags WHERE tags.job = jobs.job AND name = ? AND value = ?)",
          [.text(name), .text(value)]
        )
      }
  }

  var seriesConditions: [(text: String, values: [SQLiteValue])] {
    let positions = metrics.map { _ in "?" }.joined(separator: ",")
    let named: [(String, [SQLiteValue])] =
      metrics.isEmpty ? [] : [("metric IN (\(positions))", metrics.map(SQLiteValue.text))]
    return common + named
  }

  private var common: [(text: String, values: [SQLiteValue])] {
    [
      scene.map { ("scene = ?", [.text($0)]) }, device.map { ("device = ?", [.text($0)]) },
      source.map { ("source = ?", [.text($0.rawValue)]) },
    ].compactMap { $0 }
  }
}

/// A database query with conditions, all of which must hold.
struct SQLQuestion {
  private let text: String
  private let values: [SQLiteValue]

  init(
    _ start: String, _ conditions: [(text: String, values: [SQLiteValue])], end: String = ""
  ) {
    let joined = conditions.map(\.text).joined(separator: " AND ")
    text = [start, joined.isEmpty ? "" : "WHERE \(joined)", end].joined(separator: " ")
    values = conditions.flatMap(\.values)
  }

  func rows(
    in database: SQLiteDatabase, _ body: (SQLiteStatement) throws(ParseError) -> Void
  ) throws(ParseError) {
    try SQLiteStatement(text, in: database).rows(values, body)
  }
}
