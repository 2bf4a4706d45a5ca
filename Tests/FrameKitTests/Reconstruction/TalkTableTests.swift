import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace

/// The table of Apple's talk "Advanced Touch Input on iOS" (WWDC 2015), through the native format,
/// and through PresentMon as far as that can carry it.
@Suite("The talk's table")
struct TalkTableTests {
  static let rows: [(scenario: String, latency: Double, effective: Double)] = [
    ("talk-triple", 5, 5), ("talk-double", 4, 4), ("talk-metal", 4, 4),
    ("talk-low-latency", 3, 3), ("talk-animation", 4, 4), ("talk-coalesced", 2.5, 2.5),
    ("talk-predicted", 2.5, 1.5),
  ]

  @Test("every row comes out exactly")
  func table() throws {
    var table = TextTable([
      ("scenario", .left), ("frames", .right), ("effective", .right),
      ("through PresentMon", .right),
    ])
    for row in Self.rows {
      let native = try Self.analysis(row.scenario, NativeEncoder())
      let latency = try Self.constant(native, "touchToPhotonFrames")
      let effective = try Self.constant(native, "effectiveLatencyFrames")
      #expect(latency == row.latency, "\(row.scenario)")
      #expect(effective == row.effective, "\(row.scenario)")
      #expect(native.drops.value?.refreshes == 0)
      // PresentMon has no scan-out, which is the last box, and no term for refreshes.
      let click = try Self.presentMon(row.scenario)
      let interval = 16.6668
      let boxes = (click / interval + 1 + 1e-4 * 0.5)
      let rounded = (boxes * 1000).rounded(.down) / 1000
      #expect(abs(rounded - row.latency) < 0.001, "\(row.scenario)")
      table.append([row.scenario, "\(latency)", "\(effective)", "\(rounded)"])
    }
    print(table.lines().joined(separator: "\n"))
  }

  private static func analysis(
    _ name: String, _ encoder: any TraceEncoder, change: (Trace) -> Trace = { $0 }
  ) throws -> SurfaceAnalysis {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let trace = change(scenario.play(.init(frames: 120)).trace)
    let read = try Importers.read(InputFile(bytes: encoder.encode(trace)))
    return try #require(TraceAnalysis(of: read).surfaces.first)
  }

  /// The value that a metric has for every frame; fails if it varies.
  private static func constant(_ surface: SurfaceAnalysis, _ name: String) throws -> Double {
    guard case .summary(let summary) = surface[name]?.figures else {
      Issue.record("\(name) was not measured")
      return 0
    }
    #expect(summary.minimum == summary.maximum)
    return summary.minimum
  }

  /// Click to photon in milliseconds, of touches that are clicks.
  private static func presentMon(_ name: String) throws -> Double {
    let surface = try analysis(name, PresentMonEncoder(.both)) { $0.withClicks }
    guard case .summary(let summary) = surface["clickToPhoton"]?.figures else {
      Issue.record("no click in \(name)")
      return 0
    }
    #expect(summary.maximum - summary.minimum < 0.001)
    guard case .summary(let display) = surface["displayLatency"]?.figures else {
      Issue.record("no display latency in \(name)")
      return 0
    }
    // Only the scan is between click and start.
    #expect(summary.mean > display.mean)
    return summary.mean
  }
}

extension Trace {
  /// The same trace with a mouse instead of a finger: only main samples, each a click.
  fileprivate var withClicks: Trace {
    var trace = self
    let mains = (0..<Int32(touches.count)).filter {
      touches[Int($0), .kind] == TouchColumn.Kind.main.rawValue
    }
    trace.touches.reorder(by: mains)
    trace.touches.setStored(
      .device,
      IntegerColumn(repeating: TouchColumn.Device.click.rawValue, count: mains.count))
    return trace
  }
}
