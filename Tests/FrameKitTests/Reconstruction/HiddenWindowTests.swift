import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// A window is hidden if the source states each of its frames as discarded. Both sides of each bound of that.
struct HiddenWindowTests {
  /// Frames at 100 Hz, a gap on the display with frames that were not shown, and frames again.
  /// - Parameters:
  ///   - gap: From the last frame shown before it to the first one after it, in ms.
  ///   - unshown: How many frames lie in it, evenly.
  ///   - work: How long the app works on each of them, in ms.
  ///   - fate: What the source states of them.
  private static func surface(
    gap: Int, unshown: Int, work: Int, fate: String? = "discarded"
  ) throws -> SurfaceAnalysis {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "display", "id": "d", "interval": 10, "variable": false}"#,
      #"{"type": "surface", "id": "s", "display": "d", "bufferOwner": "compositor"}"#,
    ]
    let shown = { (start: Int) in
      #"{"type": "frame", "appStart": \#(start), "commit": \#(start + 3), "compositorStart": \#(start + 10), "compositorEnd": \#(start + 12), "displayed": \#(start + 20)}"#
    }
    lines += (0..<20).map { shown($0 * 10) }
    let stated = fate.map { #", "fate": "\#($0)""# } ?? ""
    for index in 0..<unshown {
      let start = 200 + (index + 1) * (gap - 30) / (unshown + 1)
      lines.append(
        #"{"type": "frame", "appStart": \#(start), "commit": \#(start + work)\#(stated)}"#
      )
    }
    lines += (0..<20).map { shown(190 + gap + $0 * 10) }
    let text = lines.joined(separator: "\n") + "\n"
    let trace = try Importers.read(InputFile(bytes: Array(text.utf8), path: "a.jsonl"))
    return TraceAnalysis(of: trace).surfaces[0]
  }

  @Test(arguments: [
    (gap: 510, unshown: 1, work: 3), (1010, 2, 3), (3000, 3, 3), (3000, 6, 3), (1000, 1, 100),
    (990, 2, 3), (3000, 200, 3), (1000, 1, 240),
  ])
  func aHiddenWindowDropsNothing(_ gap: Int, _ unshown: Int, _ work: Int) throws {
    let surface = try Self.surface(gap: gap, unshown: unshown, work: work)
    #expect(surface.drops.value?.refreshes == 0 && surface.stops.stops.isEmpty)
    #expect(surface.stops.hidden.map(\.length) == [Nanoseconds.milliseconds(Double(gap))])
  }

  /// In a shorter gap, and where the app worked for more than a quarter of it, somebody was to see the frames.
  @Test(arguments: [(gap: 500, unshown: 1, work: 3), (1000, 1, 300)])
  func framesThatAreThrownAwayAreDropped(_ gap: Int, _ unshown: Int, _ work: Int) throws {
    let surface = try Self.surface(gap: gap, unshown: unshown, work: work)
    #expect(try #require(surface.drops.value).refreshes > 0)
    #expect(surface.stops.hidden.isEmpty)
    #expect(surface.stops.stops.map(\.cause) == (gap > 500 ? [.freeze(.app)] : []))
  }

  /// Nothing states that the frames were discarded, so the cause is unknown, and nothing is dropped.
  @Test func framesWithoutAStatedFateAreOfUnknownCause() throws {
    let surface = try Self.surface(gap: 3000, unshown: 6, work: 3, fate: nil)
    #expect(surface.drops.value?.refreshes == 0 && surface.stops.hidden.isEmpty)
    #expect(surface.stops.stops.map(\.cause) == [.unknown])
  }

  /// A frame that may have been shown at an unknown time leaves no stretch without a new frame.
  @Test(arguments: ["displayed", "unknown"]) func aFrameThatMayBeSeenEndsAStop(_ fate: String)
    throws
  {
    let surface = try Self.surface(gap: 3000, unshown: 6, work: 3, fate: fate)
    #expect(surface.stops.stops.isEmpty && surface.stops.hidden.isEmpty)
  }

  /// A frame whose app part, most of it blocked, takes half of a stop or more than that: only then was the app at work.
  @Test(arguments: [
    (share: 0.49, cause: StopCause.unknown), (0.5, .unknown), (0.51, .freeze(.unknown)),
  ])
  func aBlockedAppIsAtWorkForMoreThanHalf(_ share: Double, _ cause: StopCause) throws {
    let stop = 1200.0
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "display", "id": "d", "interval": 10, "variable": false}"#,
      #"{"type": "surface", "id": "s", "display": "d", "bufferOwner": "compositor"}"#,
    ]
    let frame = { (start: Double, app: Double, blocked: Double, shown: Double) in
      #"{"type": "frame", "appStart": \#(start), "commit": \#(start + app), "bufferWaitStart": \#(start), "bufferWaitEnd": \#(start + blocked), "compositorStart": \#(shown - 10), "compositorEnd": \#(shown - 8), "displayed": \#(shown)}"#
    }
    lines += (0..<20).map { frame(Double($0) * 10, 3, 0, Double($0) * 10 + 20) }
    lines.append(frame(210, stop * share, stop * share - 5, 210 + stop))
    lines += (1..<20).map { position in
      let start = 190 + stop + Double(position) * 10
      return frame(start, 3, 0, start + 20)
    }
    let text = lines.joined(separator: "\n") + "\n"
    let trace = try Importers.read(InputFile(bytes: Array(text.utf8), path: "a.jsonl"))
    #expect(TraceAnalysis(of: trace).surfaces[0].stops.stops.map(\.cause) == [cause])
  }
}
