import Testing

@testable import FrameAnalysis

/// What named buffers and their events show.
@Suite("Named buffers")
struct SwapChainTests {
  /// Frames of 16 ms that the app draws into the named buffers in turn.
  private static func occupancy(
    _ buffers: [Int], events: String = "", count: Int = 24
  ) throws -> BufferFindings {
    var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
    text += "{\"type\": \"surface\", \"id\": \"s\", \"bufferOwner\": \"app\"}\n"
    for frame in 0..<count {
      let start = frame * 16
      text +=
        "{\"type\": \"frame\", \"surface\": \"s\", \"appStart\": \(start), \"commit\": \(start + 6), \"queued\": \(start + 8), \"displayed\": \(start + 16), \"buffer\": \(buffers[frame % buffers.count])}\n"
    }
    let trace = try TestData.read(text: text + events)
    return try #require(TraceAnalysis(of: trace).surfaces[0].buffers.value)
  }

  @Test("buffers have the trace's names")
  func names() throws {
    let found = try Self.occupancy([7, 9])
    #expect(found.count == 2 && found.used == 2 && !found.isInferred && !found.isPool)
    #expect(found.allocated == nil && found.held == nil)
  }

  @Test("a name that comes back after its buffer was destroyed is another buffer")
  func resize() throws {
    let events = (7...9).map {
      "{\"type\": \"buffer\", \"surface\": \"s\", \"time\": 190, \"event\": \"destroyed\", \"buffer\": \($0)}\n"
    }
    let found = try Self.occupancy([7, 8, 9], events: events.joined())
    #expect(found.used == 6 && found.count == 6)
  }

  @Test("allocated, used and held are three numbers")
  func counts() throws {
    var events = ""
    for (time, event, buffer) in [
      (0, "allocated", 1), (0, "allocated", 2), (0, "allocated", 3), (0, "allocated", 4),
      (8, "queued", 1), (24, "queued", 2), (30, "released", 1), (40, "queued", 1),
    ] {
      events +=
        "{\"type\": \"buffer\", \"surface\": \"s\", \"time\": \(time), \"event\": \"\(event)\", \"buffer\": \(buffer)}\n"
    }
    let found = try Self.occupancy([1, 2], events: events)
    #expect(found.allocated == 4 && found.used == 2 && found.held == 2)
  }

  @Test("sixty names that come up once are a pool, and say nothing of depth")
  func pool() throws {
    let found = try Self.occupancy(Array(0..<60), count: 60)
    #expect(found.isPool && found.used == 60)
    #expect(found.isInferred && found.count <= 3)
  }
}
