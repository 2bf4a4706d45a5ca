import FrameTrace

/// The output of `adb shell dumpsys SurfaceFlinger --latency LAYER`: the refresh interval, then one
/// row per frame with its desired, displayed and ready times.
///
/// Documentation: Android, `services/surfaceflinger/FrameTracker.h`. Example:
///
///     16954612
///     7657467895508   7657482691352   7657493499756
///
/// The frame was displayed at 7657.48 s. If an app sets no desired time for its frames, the first column holds the
/// queue time. Therefore, it is a due time only if buffers were ready before it. Old versions put the time after the
/// hand-over to the display in the last column.
struct SurfaceFlingerLatency: TraceImporter {
  let name = "surfaceflinger"
  let title = "dumpsys SurfaceFlinger --latency"
  let versions = "Android 4 to 16"
  let documentation =
    "https://android.googlesource.com/platform/frameworks/native/+/refs/heads/main/services/surfaceflinger/FrameTracker.h"
  let platform: Platform? = .android

  /// The message before the rows if the service did not answer in time.
  private static let warning = "SurfaceFlinger appears to be unresponsive"

  func recognize(_ head: FileHead) -> Recognition? {
    guard !head.isJSON else { return nil }
    let lines = DumpText(head).lines.drop {
      $0.hasPrefix(Self.warning) || $0.allSatisfy(\.isWhitespace)
    }
    guard let first = lines.first.flatMap(Self.numbers), first.count == 1,
      (1_000_000...1_000_000_000).contains(first[0])
    else { return nil }
    let rest = lines.dropFirst().first { !$0.allSatisfy(\.isWhitespace) }
    guard rest == nil || rest.flatMap(Self.numbers).map({ [1, 3].contains($0.count) }) == true
    else {
      return nil
    }
    return Recognition(
      format: "dumpsys SurfaceFlinger --latency",
      reason: "a refresh interval, and rows of three times")
  }

  /// The times of a frame.
  private struct Times {
    let wanted: Int64?
    let displayed: Int64
    let ready: Int64?
  }

  /// Whether the app sets desired times for its frames: most lie after the buffer was ready.
  private static func areWanted(_ rows: [Times]) -> Bool {
    var (known, after) = (0, 0)
    for row in rows {
      guard let wanted = row.wanted, let ready = row.ready, wanted != ready else { continue }
      known += 1
      if wanted > ready { after += 1 }
    }
    return after * 2 > known
  }

  private static func numbers(_ line: Substring) -> [Int64]? {
    let cells = line.split(whereSeparator: \.isWhitespace)
    let numbers = cells.compactMap { Int64($0) }
    return numbers.count == cells.count && !cells.isEmpty ? numbers : nil
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var builder = TraceBuilder(provenance)
    builder.trace.clocks = [
      ClockDomain(name: "monotonic", join: .traceClock, offset: nil, resolution: Nanoseconds(1))
    ]
    var seen: Set<[Int64]> = []
    var (pending, repeated, odd, late) = (0, 0, 0, 0)
    var rows: [Times] = []
    var interval: Int64?
    for line in try DumpText(input).lines where !line.allSatisfy(\.isWhitespace) {
      guard let times = Self.numbers(line), times.count == 1 || times.count == 3 else {
        if !line.hasPrefix(Self.warning) { odd += 1 }
        continue
      }
      if times.count == 1 {
        interval = times[0]
        continue
      }
      // 0 is a slot that was never used, and the largest number is a fence that has not signaled.
      if times[1] == 0 { continue }
      guard times[1] > 0, times[1] <= Timestamp.bound else {
        pending += 1
        continue
      }
      guard seen.insert(times).inserted else {
        repeated += 1
        continue
      }
      let isReady = times[2] > 0 && times[2] <= times[1]
      if !isReady { late += 1 }
      rows.append(
        Times(
          wanted: times[0] > 0 && times[0] <= Timestamp.bound ? times[0] : nil, displayed: times[1],
          ready: isReady ? times[2] : nil))
    }
    guard !rows.isEmpty else {
      throw ParseError(
        path: input.path,
        problem: "expected frames after SurfaceFlinger's refresh interval, found none",
        help:
          "no layer has the requested name: 'dumpsys SurfaceFlinger --list' lists the names, including the numbers after #"
      )
    }
    let display = builder.display("display")
    builder.trace.displays[display].interval = interval.map { Nanoseconds($0) }
    let surface = builder.surface("layer") {
      Surface(id: "layer", display: display, bufferOwner: .app)
    }
    let areWanted = Self.areWanted(rows)
    for times in rows {
      var row = Table<FrameColumn>.Row()
      row[.displayed] = times.displayed
      row[.fenceSignaled] = times.ready
      row[areWanted ? .expectedDisplay : .commit] = times.wanted
      builder.trace.surfaces[surface].frames.append(row)
    }
    builder.log.note(
      .columnRecomputed, .info,
      "first-column times read as queue times: the buffers were not ready by then, so the app does not set desired times",
      count: areWanted ? 0 : rows.count { $0.wanted != nil })
    builder.log.note(
      .malformedLine, .dataLoss,
      "lines that are neither a refresh interval nor a row of three times", count: odd)
    builder.log.note(
      .cutOff, .info, "frames not yet displayed, left out", count: pending)
    builder.log.note(
      .unknownRecord, .info, "rows repeated from an earlier dump in the file", count: repeated)
    builder.log.note(
      .timeWithheld, .info, "ready times missing or after the display time, left out",
      count: late)
    return builder
  }
}
