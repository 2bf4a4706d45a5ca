import Fixtures
import Foundation
import FrameKit
import Testing

@testable import frametool

/// JSON and CSV of one result have the same keys and the same values.
struct FormsAgreeTests {
  private typealias Object = [String: Any]

  private static func json(_ arguments: [String], in folder: TemporaryFolder) throws -> Object {
    let run = Run(arguments + ["--format", "json"], in: URL(filePath: folder.path("")))
    return try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? Object, "\(run.errors)")
  }

  /// Checks that each row of a table is an object of the JSON, key by key.
  /// - Parameter owner: Keys of columns that identify what a row belongs to, which are elsewhere in
  ///   the JSON.
  private static func check(
    _ arguments: [String], in folder: TemporaryFolder, owner: Set<String> = [],
    _ objects: (Object) -> [Object]?
  ) throws {
    let objects = try #require(objects(try json(arguments, in: folder)), "\(arguments)")
    let csv = Run(arguments + ["--format", "csv"], in: URL(filePath: folder.path("")))
    let table = CSVRows(csv.output)
    #expect(!table.rows.isEmpty && table.rows.count == objects.count, "\(arguments)")
    for (row, object) in zip(table.rows, objects) {
      for (key, cell) in zip(table.header, row) where !owner.contains(key) {
        #expect(Self.agree(cell, Self.value(of: key, in: object)), "\(arguments) \(key): \(cell)")
      }
    }
  }

  /// The value that a column has in an object, where an interval is one list.
  private static func value(of key: String, in object: Object) -> Any? {
    for (suffix, index) in [("_low", 0), ("_high", 1)] where key.hasSuffix(suffix) {
      if let ends = object[String(key.dropLast(suffix.count))] as? [Double] { return ends[index] }
    }
    return object[key]
  }

  /// Foundation is off by one unit in the last place for some JSON numbers.
  private static func isNear(_ one: Double?, _ other: Double) -> Bool {
    one.map { abs($0 - other) <= abs(other) * 1e-14 } ?? false
  }

  private static func agree(_ cell: String, _ value: Any?) -> Bool {
    switch value {
    case let text as String: cell == text
    case let numbers as [Double]:
      zip(cell.split(separator: " "), numbers).allSatisfy { Self.isNear(Double($0), $1) }
    case let number as NSNumber:
      cell == "true" || cell == "false"
        ? number.boolValue == (cell == "true") : Self.isNear(Double(cell), number.doubleValue)
    default: cell.isEmpty
    }
  }

  /// Two traces of a game; the second one is slower.
  private static func traces() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, seed) in [("a", 1), ("b", 2)] {
      let run = Run([
        "generate", "uncapped-game", "--frames", "400", "--seed", "\(seed)", "-o",
        folder.path("\(name).jsonl"),
      ])
      try #require(run.status == .success, "\(run.errors)")
    }
    return folder
  }

  @Test func comparisons() throws {
    try Self.check(
      ["compare", "a.jsonl", "b.jsonl"], in: try Self.traces(),
      owner: ["before_name", "after_name"]
    ) { $0["metrics"] as? [Object] }
  }

  @Test func replays() throws {
    try Self.check(
      ["replay", "a.jsonl", "--scale", "app=0.8"], in: try Self.traces(),
      owner: ["file", "surface", "conditions"]
    ) { $0["figures"] as? [Object] }
  }

  @Test func launches() throws {
    let folder = try TemporaryFolder()
    let made = Run(["generate", "launches", "-o", folder.path("l.jsonl")])
    try #require(made.status == .success, "\(made.errors)")
    try Self.check(
      ["launch", "l.jsonl"], in: folder, owner: ["file", "inversion_ms"]
    ) { json in
      let launches = (json["traces"] as? [Object])?.flatMap { $0["launches"] as? [Object] ?? [] }
      return launches?.flatMap { launch -> [Object] in
        // A launch as a whole is a row with the keys of a phase.
        let whole: Object = [
          "name": "total", "at_ms": 0, "wall_ms": launch["total_ms"] ?? NSNull(),
          "cpu_ms": launch["cpu_ms"] ?? NSNull(),
        ]
        let phases = [whole] + (launch["phases"] as? [Object] ?? [])
        return phases.map { launch.filter { $0.key != "cpu_ms" }.merging($0) { $1 } }
      }
    }
  }

  @Test func fleets() throws {
    let folder = try Self.traces()
    let summary = Run(
      ["analyze", "--summary", folder.path("s.jsonl"), "--tag", "device=a"]
        + ["a.jsonl", "b.jsonl"].map(folder.path))
    try #require(summary.status == .success, "\(summary.errors)")
    try Self.check(
      ["fleet", folder.path("s.jsonl"), "--by", "device"], in: folder, owner: ["device"]
    ) { $0["groups"] as? [Object] }
  }
}
