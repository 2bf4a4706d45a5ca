package import FrameKit

/// Writes profiles like Unreal Engine's CSV profiler: a row per frame, with the names of all counters at the end.
package struct UnrealEncoder: TraceEncoder {
  package let name = "unreal"
  package let importer = "unreal"
  package let precision = 1e-4
  package let carries: Set<Carried> = [.frames]

  package init() {}

  package func whyNot(_ trace: Trace) -> String? { trace.whyNoFrameTimes }

  /// The GPU counter appears in the second row, because an engine's counters appear when they are first used.
  package func encode(_ trace: Trace) -> [UInt8] {
    guard let frames = trace.surfaces.first?.frames else { return [] }
    var lines = ["EVENTS,FrameTime,GameThreadTime"]
    var last: Int64?
    for row in 0..<frames.count {
      guard let commit = frames[row, .commit] else { continue }
      let game = frames[row, .appStart].map { commit - $0 }
      var cells = ["", Self.number(last.map { commit - $0 }), Self.number(game)]
      if row > 0 {
        cells.append(
          Self.number(
            frames[row, .gpuEnd].flatMap { end in
              frames[row, .gpuStart].map { end - $0 }
            }))
      }
      lines.append(cells.joined(separator: ","))
      last = commit
    }
    lines.append("EVENTS,FrameTime,GameThreadTime,GPUTime")
    lines.append(
      "[HasHeaderRowAtEnd],1,[platform],Windows,[config],Development,[engineversion],5.7.4,[os],Windows 11 (25H2) [10.0.26200] ,[commandline],\" -game, -windowed\""
    )
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// A time in ms with four decimals; 0 represents a missing time.
  private static func number(_ time: Int64?) -> String {
    time.map { FixedNumber.text(Nanoseconds($0).milliseconds, decimals: 4) } ?? "0"
  }
}

extension Trace {
  /// Why a format with only the time from frame to frame cannot carry a trace; `nil` if it can.
  var whyNoFrameTimes: String? {
    guard surfaces.count == 1, let frames = surfaces.first?.frames, frames.count > 1
    else { return "the format needs exactly one surface, with at least two frames" }
    let commits = (0..<frames.count).compactMap { frames[$0, .commit] }
    guard commits.count == frames.count, zip(commits.dropFirst(), commits).allSatisfy({ $0 > $1 })
    else { return "each row needs a present time, later than the previous one" }
    return nil
  }
}
