import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// A timeline drawn as text, with one column for 2 ms and eight columns to a refresh, and with the
/// expected results, worked out by hand.
///
/// `mode: classic, 3 low-latency` gives the mode, and the frames with a different one;
/// `deliveries: no` is a chain that runs freely. A row of the drawing is a stage; a character in it
/// is the frame that the stage works on. In the rows `commit` and `queued`, a character marks the
/// time of that event; without a `commit` row, the commit is at the end of the app's bar.
/// stands where that happens, else a commit is the end of the app's bar.
struct TimelineDrawing: CustomTestStringConvertible, Sendable {
  static let column: Int64 = 2_000_000
  let testDescription: String
  /// The characters of the frames in order: their rows in the trace.
  let frames: [Character]
  private let headers: [String: String]
  private let rows: [(stage: String, bars: [Character: Range<Int64>])]
  private let refreshes: [Int64]

  /// The drawings in the folder of timelines.
  static let all: [TimelineDrawing] = {
    let folder = TestData.root.appending(path: "Tests/Timelines").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().compactMap { name in
      (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)).map {
        TimelineDrawing(name, $0)
      }
    }
  }()

  init(_ name: String, _ text: String) {
    testDescription = name
    var headers: [String: String] = [:]
    var rows: [(String, [Character: Range<Int64>])] = []
    var refreshes: [Int64] = []
    let lines = text.split(separator: "\n").prefix { $0 != "---" }
    for line in lines where !line.hasPrefix("#") {
      let label = line.prefix(12).trimmingCharacters(in: .whitespaces)
      if let colon = line.firstIndex(of: ":"), !label.isEmpty, Self.stages[label] == nil {
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        headers[String(line[..<colon])] = value
      } else if label == "refresh" {
        refreshes = Self.marks(line)
      } else {
        rows.append((label, Self.bars(line.dropFirst(12))))
      }
    }
    self.headers = headers
    self.rows = rows
    self.refreshes = refreshes
    frames = Set(rows.flatMap(\.1.keys)).sorted()
  }

  private static let stages: [String: (start: FrameColumn?, end: FrameColumn?)] = [
    "app": (.appStart, .appEnd), "compositor": (.compositorStart, .compositorEnd),
    "gpu": (.gpuStart, .gpuEnd), "queued": (.queued, nil), "commit": (.commit, nil),
    "display": (.displayed, nil), "expected": (.expectedDisplay, nil),
    "blocked": (.bufferWaitStart, .bufferWaitEnd),
  ]

  private static func marks(_ line: Substring) -> [Int64] {
    line.dropFirst(12).enumerated().compactMap { $1 == "|" ? Int64($0) * column : nil }
  }

  private static func bars(_ line: Substring) -> [Character: Range<Int64>] {
    var bars: [Character: Range<Int64>] = [:]
    for (position, character) in line.enumerated() where character != " " {
      let start = Int64(position) * column
      bars[character] = (bars[character]?.lowerBound ?? start)..<start + column
    }
    return bars
  }
}

extension TimelineDrawing {
  /// The trace that the drawing shows, written in the native format and read back.
  func trace() throws -> Trace {
    var builder = TraceBuilder(
      Provenance(file: testDescription, importer: "test", format: "drawing", reason: "drawn"))
    var display = Display(id: "display")
    for (number, time) in refreshes.enumerated() {
      var row = Table<RefreshColumn>.Row()
      row[.number] = Int64(number)
      row[.time] = time
      display.refreshes.append(row)
    }
    builder.trace.displays = [display]
    let isFilledByApp = headers["filled by"] == "app"
    let surface = builder.surface("s") {
      Surface(id: "s", display: 0, bufferOwner: isFilledByApp ? .app : .compositor)
    }
    for frame in frames { builder.trace.surfaces[surface].frames.append(row(frame)) }
    if headers["deliveries"] == "yes" {
      var touch = Table<TouchColumn>.Row()
      touch[.delivered] = 0
      builder.trace.touches.append(touch)
    }
    return try Importers.read(
      InputFile(bytes: NativeEncoder().encode(builder.finish()), path: testDescription))
  }

  private func row(_ frame: Character) -> Table<FrameColumn>.Row {
    var row = Table<FrameColumn>.Row()
    for (label, bars) in rows {
      guard let stage = Self.stages[label], let bar = bars[frame] else { continue }
      if let start = stage.start { row[start] = min(row[start] ?? .max, bar.lowerBound) }
      if let end = stage.end { row[end] = max(row[end] ?? .min, bar.upperBound) }
    }
    row[.commit] = row[.commit] ?? row[.appEnd]
    let words = (headers["mode"] ?? "classic").split(separator: ",").map {
      $0.split(separator: " ")
    }
    let own = words.first { $0.count == 2 && $0[0] == String(frame) }?[1] ?? words[0][0]
    let mode: FrameColumn.Mode = own == "low-latency" ? .lowLatency : .classic
    row[.mode] = mode.rawValue
    return row
  }
}

extension TimelineDrawing {
  /// The items written below the drawing after a keyword.
  func expected(_ key: String) -> [String]? {
    guard let text = headers[key] else { return nil }
    if text == "none" { return [] }
    let separator: Character = key == "dropped" ? ";" : " "
    return text.split(separator: separator).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// The due refreshes that were found, in the notation used below a drawing.
  func due(_ pipeline: Pipeline) -> [String] {
    let due = pipeline.surfaces[0].timeline.schedule.due
    return frames.indices.compactMap { row in
      due[row].map { "\(frames[row])@\($0.number)" }
    }
  }

  /// The drops that were found, one per refresh, in the notation used below a drawing.
  func drops(_ pipeline: Pipeline) -> [String] {
    pipeline.surfaces[0].drops.sorted { $0.refresh < $1.refresh }.flatMap { drop in
      (drop.refresh..<drop.refresh + drop.count).map { refresh in
        let cause = drop.cause.row == drop.frame ? "" : " by \(frames[drop.cause.row])"
        return "\(refresh.number) frame \(frames[drop.frame]) \(drop.stage.rawValue)\(cause)"
      }
    }
  }

  /// The depths that were found, in the notation used below a drawing.
  func depths(_ pipeline: Pipeline) -> [String] {
    let depth = pipeline.surfaces[0].buffers.depth
    return zip(frames, depth.indices).map { "\($0)=\(depth[$1] ?? 0)" }
  }
}
