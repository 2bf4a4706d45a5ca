package import FrameKit

/// Writes dumps like those of `dumpsys gfxinfo PACKAGE framestats` on Android 14 and later.
package struct GfxinfoEncoder: TraceEncoder {
  package let name = "gfxinfo"
  package let importer = "gfxinfo"

  package init() {}

  private static let columns = [
    "Flags", "FrameTimelineVsyncId", "IntendedVsync", "Vsync", "InputEventId", "HandleInputStart",
    "AnimationStart", "PerformTraversalsStart", "DrawStart", "FrameDeadline", "FrameStartTime",
    "FrameInterval", "WorkloadTarget", "SyncQueued", "SyncStart", "IssueDrawCommandsStart",
    "SwapBuffers", "FrameCompleted", "DequeueBufferDuration", "QueueBufferDuration", "GpuCompleted",
    "SwapBuffersCompleted", "DisplayPresentTime", "CommandSubmissionCompleted",
  ]

  package func whyNot(_ trace: Trace) -> String? {
    let surfaces = trace.surfaces.filter { $0.frames.count > 0 }
    guard let surface = surfaces.first, surfaces.count == 1 else {
      return "the format needs exactly one window with frames"
    }
    if surface.display.map({ trace.displays[$0].isVariable == true }) ?? false {
      return "framestats rows need a display with a fixed refresh interval"
    }
    let frames = surface.frames
    guard frames.has(.appStart), frames.has(.appEnd), frames.has(.displayed) else {
      return "a row needs the app's start and end, and the display time"
    }
    if !Self.startsAtRefreshes(surface, trace) {
      return "a row needs the refresh that woke the app"
    }
    return frames.isShownUnevenly && surface.bufferOwner == .compositor
      ? "on Android the app draws its window, so late frames would be attributed differently"
      : nil
  }

  /// The times of the refreshes of a surface's display, in order.
  private static func refreshes(_ surface: Surface, _ trace: Trace) -> [Int64] {
    guard let display = surface.display.map({ trace.displays[$0] }) else { return [] }
    return (0..<display.refreshes.count).compactMap { display.refreshes[$0, .time] }
  }

  /// Whether each frame's start is at a refresh, or so close to one that no other refresh is
  /// possible.
  private static func startsAtRefreshes(_ surface: Surface, _ trace: Trace) -> Bool {
    let refreshes = refreshes(surface, trace)
    guard let interval = surface.display.flatMap({ trace.displays[$0].interval?.count }),
      !refreshes.isEmpty
    else { return true }
    return (0..<surface.frames.count).allSatisfy { row in
      guard let start = surface.frames[row, .appStart] else { return true }
      let wake = refreshes.last { $0 <= start + interval / 16 } ?? start
      return abs(start - wake) <= interval / 4
    }
  }

  package func encode(_ trace: Trace) -> [UInt8] {
    guard let surface = trace.surfaces.first(where: { $0.frames.count > 0 }) else { return [] }
    let package = surface.process ?? "app"
    let frames = surface.frames
    // The format writes the largest number, or 0, for a missing time. The shift keeps real times away from 0, as on a
    // clock that has already been running for a while.
    let shift = 100_000_000_000 - (trace.timeRange?.lowerBound.nanoseconds ?? 0)
    var lines = [
      "Applications Graphics Acceleration Info:", "Uptime: 100000 Realtime: 100000", "",
      "** Graphics info for pid \(surface.processID ?? 1000) [\(package)] **", "",
      "Profile data in ms:", "",
      "\t\(package)/\(package).MainActivity/android.view.ViewRootImpl@1 (visibility=0)",
      "Window: \(surface.name ?? surface.id)", "---PROFILEDATA---",
      Self.columns.joined(separator: ",") + ",",
    ]
    let interval = surface.display.flatMap { trace.displays[$0].interval?.count } ?? 0
    let refreshes = Self.refreshes(surface, trace)
    for row in 0..<frames.count {
      guard let start = frames[row, .appStart], let end = frames[row, .appEnd] else { continue }
      let time = { (value: Int64?) in value.map { $0 + shift } ?? 0 }
      let gpu = frames[row, .gpuEnd]
      // The refresh that the start belongs to; the start may be slightly earlier.
      let wake = refreshes.last { $0 <= start + interval / 16 } ?? start
      let values: [String: Int64] = [
        "FrameTimelineVsyncId": Int64(row + 1), "IntendedVsync": time(wake), "Vsync": time(wake),
        "HandleInputStart": time(frames[row, .workStart] ?? start), "AnimationStart": time(start),
        "PerformTraversalsStart": time(start), "DrawStart": time(start),
        "FrameDeadline": frames[row, .deadline].map { $0 + shift } ?? Int64.max,
        "FrameStartTime": time(start), "FrameInterval": interval, "SyncQueued": time(start),
        "SyncStart": time(start), "IssueDrawCommandsStart": time(start),
        "SwapBuffers": time(frames[row, .commit] ?? end),
        "FrameCompleted": time(max(end, gpu ?? end)), "GpuCompleted": time(gpu),
        "SwapBuffersCompleted": time(end),
        "DisplayPresentTime": time(frames[row, .displayed]),
        "CommandSubmissionCompleted": time(end),
      ]
      lines.append(Self.columns.map { "\(values[$0] ?? 0)" }.joined(separator: ",") + ",")
    }
    lines += ["---PROFILEDATA---", "", "View hierarchy:", ""]
    return Array(lines.joined(separator: "\n").utf8)
  }
}
