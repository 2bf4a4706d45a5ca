import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameTrace

/// The export for ui.perfetto.dev follows the rules of the Trace Event Format, as stated in
/// Perfetto's documentation of external formats: times are in microseconds, slices of a thread
/// nest, arrows begin and end in slices, and names are metadata.
@Suite struct ChromeTraceTests {
  /// An event of an exported trace.
  private struct Event {
    let phase, name: String
    let process: Int
    let thread: Int?
    let time, length: Double
    let fields: [String: Any]

    init(_ fields: [String: Any]) throws {
      phase = try #require(fields["ph"] as? String)
      name = try #require(fields["name"] as? String)
      process = try #require(fields["pid"] as? Int)
      thread = fields["tid"] as? Int
      time = (fields["ts"] as? NSNumber)?.doubleValue ?? 0
      length = (fields["dur"] as? NSNumber)?.doubleValue ?? 0
      self.fields = fields
    }

    var track: String { "\(process).\(thread ?? -1)" }
    var end: Double { time + length }
  }

  private func export(_ trace: Trace) throws -> [Event] {
    var bytes: [UInt8] = []
    let why = try Exports.write(Study(of: trace), as: "chrome") { bytes += $0 }
    #expect(why == nil)
    let json = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    #expect(json?["displayTimeUnit"] as? String == "ms")
    let events = try #require(json?["traceEvents"] as? [[String: Any]])
    return try events.map { try Event($0) }
  }

  private func check(_ events: [Event]) {
    let slices = events.filter { $0.phase == "X" }
    #expect(events.allSatisfy { ["X", "i", "C", "M", "s", "t", "f"].contains($0.phase) })
    #expect(slices.allSatisfy { $0.length >= 0 && $0.fields["ts"] != nil })
    checkNesting(slices)
    checkNames(events)
    checkArrows(events, slices)
  }

  /// Slices of a thread are nested or disjoint. Microseconds with three decimals are converted back
  /// to whole nanoseconds.
  private func checkNesting(_ slices: [Event]) {
    let nanoseconds = { (microseconds: Double) in Int64((microseconds * 1000).rounded()) }
    for (track, own) in Dictionary(grouping: slices, by: \.track) {
      var open: [Int64] = []
      for slice in own.sorted(by: { ($0.time, -$0.length) < ($1.time, -$1.length) }) {
        let (start, end) = (
          nanoseconds(slice.time), nanoseconds(slice.time) + nanoseconds(slice.length)
        )
        while let last = open.last, last <= start { open.removeLast() }
        #expect(open.last.map { end <= $0 } ?? true, "\(track) \(slice.name)")
        open.append(end)
      }
    }
  }

  private func checkNames(_ events: [Event]) {
    let threads = Set(events.filter { $0.name == "thread_name" && $0.phase == "M" }.map(\.track))
    let processes = Set(
      events.filter { $0.name == "process_name" && $0.phase == "M" }.map(\.process))
    for event in events where event.phase != "M" {
      #expect(processes.contains(event.process))
      if event.thread != nil { #expect(threads.contains(event.track), "\(event.track)") }
    }
  }

  private func checkArrows(_ events: [Event], _ slices: [Event]) {
    let byTrack = Dictionary(grouping: slices, by: \.track)
    let arrows = events.filter { ["s", "t", "f"].contains($0.phase) }
    for (id, parts) in Dictionary(grouping: arrows, by: { $0.fields["id"] as? String ?? "" }) {
      #expect(parts.first?.phase == "s" && parts.last?.phase == "f", "\(id)")
      #expect(parts.dropFirst().dropLast().allSatisfy { $0.phase == "t" })
      #expect(parts.last?.fields["bp"] as? String == "e")
      #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.time <= $1.time }, "\(id)")
      for part in parts {
        let around = byTrack[part.track]?.contains { $0.time <= part.time && part.time < $0.end }
        #expect(around == true, "\(id) \(part.phase)")
      }
    }
  }

  @Test(arguments: Scenarios.all.map(\.name))
  func everyScenarioKeepsTheRules(_ name: String) throws {
    check(try export(DrawnPlot.trace(name, frames: 60)))
  }

  @Test func tracesMadeByChanceKeepTheRules() throws {
    for seed in 1...40 { check(try export(AnyTrace.make(seed: UInt64(seed)))) }
  }

  @Test func stagesBuffersRefreshesAndDropsAreTracks() throws {
    let trace = try DrawnPlot.trace("triple-switch")
    let events = try export(trace)
    let names = events.filter { $0.name == "thread_name" }.compactMap {
      ($0.fields["args"] as? [String: Any])?["name"] as? String
    }
    for name in [
      "refreshes (measured)", "app", "compositor", "GPU", "display", "dropped", "buffer A",
      "buffer B", "buffer C",
    ] { #expect(names.contains(name), "\(name)") }
    // The refresh at 1050.0084 ms was dropped, by the GPU's 15 ms of frame 60.
    let drop = try #require(events.first { $0.name == "dropped by gpu" })
    #expect(drop.time == 1_050_008.4 && drop.length == 16_666.8)
    let gpu = events.filter { $0.name == "frame 60" && ($0.fields["cat"] as? String) == "GPU" }
    #expect(gpu.count == 1 && abs((gpu.first?.length ?? 0) - 15_000) < 1)
    let refreshes = events.filter { $0.fields["cat"] as? String == "refresh" }
    #expect(refreshes.allSatisfy { abs($0.length - 16_666.8) < 0.001 })
    let counts = events.filter { $0.phase == "C" }.compactMap {
      ($0.fields["args"] as? [String: Any])?["value"] as? Int
    }
    #expect(counts.max() == 3 && counts.min() ?? 0 >= 0)
  }

  @Test func aStrayTimeDoesNotFillTheDisk() throws {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "display", "id": "d", "interval": 16.6668}"#,
    ]
    for frame in 0..<20 {
      lines.append(
        #"{"type": "frame", "appStart": \#(frame * 16), "commit": \#(frame * 16 + 5), "displayed": \#(frame * 16 + 33)}"#
      )
    }
    lines.append(#"{"type": "frame", "appStart": 800000000, "commit": 800000005}"#)
    let trace = try Importers.read(
      InputFile(bytes: Array((lines.joined(separator: "\n") + "\n").utf8)))
    let events = try export(trace)
    #expect(events.count < 500)
    check(events)
  }
}
