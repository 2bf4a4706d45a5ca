import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// A compositor asks a hidden window for about one frame a second. Both sides of each bound of that.
struct HiddenWindowTests {
  /// Frames at 100 Hz, a gap on the display with frames that were not shown, and frames again.
  /// - Parameters:
  ///   - gap: From the last frame shown before it to the first one after it, in ms.
  ///   - unshown: How many frames lie in it, evenly.
  ///   - work: How long the app works on each of them, in ms.
  private static func drops(gap: Int, unshown: Int, work: Int) throws -> DropFindings {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "display", "id": "d", "interval": 10, "variable": false}"#,
      #"{"type": "surface", "id": "s", "display": "d", "bufferOwner": "compositor"}"#,
    ]
    let shown = { (start: Int) in
      #"{"type": "frame", "appStart": \#(start), "commit": \#(start + 3), "compositorStart": \#(start + 10), "compositorEnd": \#(start + 12), "displayed": \#(start + 20)}"#
    }
    lines += (0..<20).map { shown($0 * 10) }
    for index in 0..<unshown {
      let start = 200 + (index + 1) * (gap - 30) / (unshown + 1)
      lines.append(
        #"{"type": "frame", "appStart": \#(start), "commit": \#(start + work), "fate": "discarded"}"#
      )
    }
    lines += (0..<20).map { shown(190 + gap + $0 * 10) }
    let text = lines.joined(separator: "\n") + "\n"
    let trace = try Importers.read(InputFile(bytes: Array(text.utf8), path: "a.jsonl"))
    return try #require(Study(of: trace).surface(0).drops)
  }

  @Test(arguments: [
    (gap: 510, unshown: 1, work: 3), (1010, 2, 3), (3000, 3, 3), (3000, 6, 3), (1000, 1, 100),
  ])
  func aHiddenWindowDropsNothing(_ gap: Int, _ unshown: Int, _ work: Int) throws {
    let drops = try Self.drops(gap: gap, unshown: unshown, work: work)
    #expect(drops.refreshes == 0)
    #expect(drops.pauses.map(\.length) == [Nanoseconds.milliseconds(Double(gap))])
  }

  /// A shorter gap, frames that follow each other, or an app that works: somebody was to see them.
  @Test(arguments: [
    (gap: 500, unshown: 1, work: 3), (990, 2, 3), (3000, 7, 3), (1000, 1, 110),
  ])
  func framesThatAreThrownAwayAreDropped(_ gap: Int, _ unshown: Int, _ work: Int) throws {
    let drops = try Self.drops(gap: gap, unshown: unshown, work: work)
    #expect(drops.refreshes > 0)
    #expect(drops.pauses.isEmpty)
  }
}
