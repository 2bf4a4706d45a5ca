import Testing

@testable import FrameTrace

/// Clients that wait for a second frame callback before each frame.
@Suite struct WaylandCallbackTests {
  /// Each of 20 frames follows two frame callbacks, except some of them, and the second comes `wait` ms after the first.
  private static func secondCallbacks(wait: Double, of single: Int) throws -> Int {
    var (lines, time) = (
      ["[999.000] -> wl_compositor@3.create_surface(new id wl_surface@4)"], 1000.0
    )
    func add(_ message: String, after pause: Double = 0) {
      time += pause
      lines.append("[\(FixedNumber.text(time, decimals: 3))] \(message)")
    }
    for frame in 0..<20 {
      for wait in [1, wait].prefix(frame < single ? 1 : 2) {
        add(" -> wl_surface@4.frame(new id wl_callback@5)")
        add(" -> wl_surface@4.commit()")
        add("wl_display@1.delete_id(5)", after: wait)
        add("wl_callback@5.done(\(Int(time)))")
      }
      add(" -> wl_surface@4.attach(wl_buffer@20, 0, 0)", after: 1)
      add(" -> wl_surface@4.commit()")
    }
    let trace = try TestData.read(text: lines.joined(separator: "\n") + "\n")
    #expect(trace.frameCount == 20)
    return trace.issues.first { $0.message.contains("a second frame callback") }?.count ?? 0
  }

  /// A second callback is a refresh after the first between half an interval and one and a half.
  @Test(arguments: [(8.3, 0), (8.4, 20), (16.7, 20), (24.9, 20), (25.1, 0)])
  func aSecondCallbackIsARefreshLater(_ wait: Double, _ count: Int) throws {
    #expect(try Self.secondCallbacks(wait: wait, of: 0) == count)
  }

  /// Nine in ten frames are enough for a note.
  @Test(arguments: [(0, 20), (1, 19), (2, 18), (3, 0), (20, 0)])
  func mostFramesFollowASecondCallback(_ single: Int, _ count: Int) throws {
    #expect(try Self.secondCallbacks(wait: 16.7, of: single) == count)
  }
}
