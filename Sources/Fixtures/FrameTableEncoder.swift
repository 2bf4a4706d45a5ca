package import FrameKit

/// Writes a trace as a table with a row per frame, for formats that contain nothing else.
package struct FrameTableEncoder: TraceEncoder {
  package let name: String
  package let importer: String
  package let precision: Double
  package let carries: Set<Carried>

  private let header: String
  /// Whether all frames must have been displayed.
  private let needsDisplays: Bool
  /// The cells of a frame, given the row and the previous commit; `nil` for no row.
  private let cells: @Sendable (Trace, _ row: Int, _ before: Int64?) -> [String]?

  package func whyNot(_ trace: Trace) -> String? {
    if let reason = trace.whyNoFrameTimes { return reason }
    guard needsDisplays, let frames = trace.surfaces.first?.frames else { return nil }
    let isWhole = (0..<frames.count).allSatisfy {
      frames[$0, .displayed] != nil && frames[$0, .appStart] != nil
        && frames[$0, .fate] ?? 0 == FrameColumn.Fate.displayed.rawValue
    }
    guard isWhole else { return "each row needs a display time and a start" }
    let isVariable = trace.displays.contains { $0.isVariable == true }
    if isVariable { return "a display that waits for frames shows the end of the GPU's work" }
    let commits = (0..<frames.count).compactMap { frames[$0, .commit] }
    let hasRests = zip(commits.dropFirst(), commits).contains { $0 - $1 > 250_000_000 }
    return hasRests ? "the format does not tell rests from long frames" : nil
  }

  package func encode(_ trace: Trace) -> [UInt8] {
    guard let frames = trace.surfaces.first?.frames else { return [] }
    var lines = [header]
    var before: Int64?
    for row in 0..<frames.count {
      if let cells = cells(trace, row, before) { lines.append(cells.joined(separator: ",")) }
      before = frames[row, .commit]
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func text(_ time: Int64?, unit: Double, decimals: Int) -> String {
    time.map { FixedNumber.text(Double($0) / unit, decimals: decimals) } ?? ""
  }

  private static func milliseconds(_ time: Int64?) -> String { text(time, unit: 1e6, decimals: 6) }
}

extension FrameTableEncoder {
  static let all = [fraps, unity, kwin, steamVR, xrFrameTools, pyrofling]

  private static let fraps = FrameTableEncoder(
    name: "fraps", importer: "fraps", precision: 2e-3, carries: [.frames],
    header: "Frame, Time (ms)", needsDisplays: false
  ) { trace, row, _ in
    let frames = trace.surfaces[0].frames
    let time = (frames[row, .commit] ?? 0) - (frames[0, .commit] ?? 0)
    let cells = ["\(row + 1)", text(time, unit: 1e6, decimals: 3)]
    return zip(cells, [5, 10]).map { cell, width in
      String(repeating: " ", count: max(0, width - cell.count)) + cell
    }
  }

  private static let unity = FrameTableEncoder(
    name: "unity", importer: "unity", precision: 1e-5, carries: [.frames],
    header: "Frame Offset, Frame Index, Frame Time (ms), Time from first frame (ms)",
    needsDisplays: false
  ) { trace, row, before in
    let frames = trace.surfaces[0].frames
    guard let before, let commit = frames[row, .commit] else { return nil }
    let start = before - (frames[0, .commit] ?? 0)
    return ["\(row)", "\(row + 1500)", milliseconds(commit - before), milliseconds(start)]
  }

  private static let kwin = FrameTableEncoder(
    name: "kwin", importer: "kwin", precision: 1e-6, carries: [.frames, .displays],
    header:
      "target pageflip timestamp,pageflip timestamp,render start,render end,safety margin,refresh duration,vrr,tearing,predicted render time",
    needsDisplays: true
  ) { trace, row, _ in
    let frames = trace.surfaces[0].frames
    // 0 represents an unknown time.
    let number = { (column: FrameColumn) in
      frames[row, column].map { "\($0 + 1_000_000_000)" } ?? "0"
    }
    let display = trace.surfaces[0].display.map { trace.displays[$0] }
    return [
      number(.expectedDisplay), number(.displayed), number(.appStart), number(.commit), "1000000",
      "\(display?.interval?.count ?? 0)", "0", "0", "0",
    ]
  }

  private static let steamVR = FrameTableEncoder(
    name: "steamvr", importer: "steamvr", precision: 1e-5, carries: [.frames],
    header:
      "FrameIndex,NumFramePresents,NumMisPresented,NumDroppedFrames,ReprojectionFlags,SystemTimeInSeconds,PreSubmitGpuMs,PostSubmitGpuMs,TotalRenderGpuMs,ClientFrameIntervalMs",
    needsDisplays: false
  ) { trace, row, before in
    let frames = trace.surfaces[0].frames
    guard let before, let commit = frames[row, .commit] else { return nil }
    let gpu = frames[row, .gpuEnd].flatMap { end in frames[row, .gpuStart].map { end - $0 } }
    return [
      "\(row)", "1", "0", "0", "4", text(commit + 1_000_000_000, unit: 1e9, decimals: 9),
      milliseconds(gpu), "0", milliseconds(gpu), milliseconds(commit - before),
    ]
  }

  private static let xrFrameTools = FrameTableEncoder(
    name: "xrframetools", importer: "xrframetools", precision: 2e-3, carries: [.frames],
    header:
      "\u{feff}Time (µs),Time (UTC),Time (Local),Frame Interval (µs),FPS,Count,App CPU (µs),Render CPU (µs),Render GPU (µs)",
    needsDisplays: false
  ) { trace, row, before in
    let frames = trace.surfaces[0].frames
    guard let before, let commit = frames[row, .commit] else { return nil }
    let micros = { (time: Int64?) in text(time, unit: 1e3, decimals: 0) }
    let app = frames[row, .appStart].map { commit - $0 }
    let gpu = frames[row, .gpuEnd].flatMap { end in frames[row, .gpuStart].map { end - $0 } }
    let date = "\"2025-01-02T03:04:05.006\""
    return [
      micros(commit - (frames[0, .commit] ?? 0)), date, date, micros(commit - before), "60", "1",
      micros(app), "1000", micros(gpu),
    ]
  }

  private static let pyrofling = FrameTableEncoder(
    name: "pyrofling", importer: "pyrofling", precision: 1e-6, carries: [.frames],
    header: "id,stimulus,queuepresent,queuedone,FirstPixelVisible", needsDisplays: true
  ) { trace, row, _ in
    let frames = trace.surfaces[0].frames
    let touches = trace.touches
    let click = (0..<touches.count).first {
      touches[$0, .frame] == Int64(row)
        && touches[$0, .device] == TouchColumn.Device.click.rawValue
    }
    let seconds = { (time: Int64?) in text(time, unit: 1e9, decimals: 9) }
    return [
      "\(row)", seconds(click.flatMap { touches[$0, .scanStart] }),
      seconds(frames[row, .commit]), seconds(frames[row, .gpuEnd]),
      seconds(frames[row, .displayed]),
    ]
  }
}
