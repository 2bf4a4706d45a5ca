import FrameTrace

/// The counts that SurfaceFlinger keeps: `adb shell dumpsys SurfaceFlinger`, and with `--timestats -dump`.
///
/// Documentation: Android, `services/surfaceflinger/TimeStats` and `BufferLayer.cpp`. Examples:
///
///     Total missed frame count: 7350
///     Buffering stats:
///       [Layer name] <Active time> <Two buffer> <Double buffered> <Triple buffered>
///       [StatusBar#0] 1223.91 0.062 0.117 0.883
///
///     layerName = com.example/.Main#12
///     totalFrames = 600
///     droppedFrames = 3
///     presentToPresent histogram is as below:
///     0ms=0 1ms=0 … 16ms=580 17ms=12 …
///
/// The status bar used three buffers for 88.3 % of its active time, and 580 frames of the layer came 16 to 17 ms after
/// the previous frame. A bin is named by its lower bound and extends to the next bin's name.
struct SurfaceFlingerStats: TraceImporter {
  let name = "surfaceflinger-stats"
  let title = "dumpsys SurfaceFlinger statistics"
  let versions = "Android 8 to 16"
  let documentation =
    "https://android.googlesource.com/platform/frameworks/native/+/refs/heads/main/services/surfaceflinger/TimeStats"
  let platform: Platform? = .android

  private static let marks = [
    "Buffering stats:", "Total missed frame count:", "presentToPresent histogram is as below",
  ]

  func recognize(_ head: FileHead) -> Recognition? {
    guard !head.isJSON, let mark = Self.marks.first(where: head.contains) else { return nil }
    return Recognition(format: title, reason: "the line \"\(mark)\"")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var builder = TraceBuilder(provenance)
    var reading = SurfaceFlingerReading()
    let broken = try TextLines.read(input) { line in
      // A last line without a line ending may lack digits.
      if line.isUnterminated, !line.isBlank {
        builder.log.note(
          .cutOff, .dataLoss, "a truncated last line, left out", at: .line(line.number))
      } else {
        reading.consume(String(decoding: line.bytes, as: UTF8.self), to: &builder)
      }
    }
    builder.log.note(break: broken)
    builder.log.note(
      .malformedValue, .dataLoss, "statistics that are not numbers, left out",
      count: reading.broken)
    return builder
  }
}

/// Reads the lines of a dump one by one.
private struct SurfaceFlingerReading {
  private(set) var broken = 0
  private var layer: String?
  private var isInBuffering = false
  private var histogram: String?

  private static let missed = [
    "Total missed frame count": String?.none, "HWC missed frame count": "HWC",
    "GPU missed frame count": "GPU",
  ]

  mutating func consume(_ line: String, to builder: inout TraceBuilder) {
    let text = line.trimmingPrefix(while: { $0 == " " || $0 == "\t" })
    if let bins = histogram {
      histogram = nil
      addBins(text, bins, to: &builder)
    } else if text.hasPrefix("[") {
      if isInBuffering { addBuffering(text, to: &builder) }
    } else if let colon = text.firstIndex(of: ":"),
      let scene = Self.missed[String(text[..<colon])]
    {
      add(.missedRefreshes, scene, text[text.index(after: colon)...], "missed frames", &builder)
    } else if let equals = text.firstRange(of: " = ") {
      takeFact(String(text[..<equals.lowerBound]), text[equals.upperBound...], to: &builder)
    } else if text.hasSuffix(" histogram is as below:") {
      histogram = String(text.dropLast(" histogram is as below:".count))
    } else {
      isInBuffering = text.hasPrefix("Buffering stats:")
    }
  }

  /// `layerName = com.example/.Main#12`.
  private mutating func takeFact(
    _ key: String, _ value: Substring, to builder: inout TraceBuilder
  ) {
    switch key {
    case "layerName": layer = String(value)
    case "totalFrames": add(.frames, layer, value, key, &builder)
    case "droppedFrames": add(.droppedFrames, layer, value, key, &builder)
    case "averageFPS": add(.displayedFrameRate, layer, value, key, &builder)
    default: break
    }
  }

  private mutating func add(
    _ metric: StatedMetric, _ scene: String?, _ text: Substring, _ label: String,
    times scale: Double = 1, _ builder: inout TraceBuilder
  ) {
    let digits = text.prefix { $0 != "," }.filter { $0 != " " }
    guard let value = Double(digits), value.isFinite, value >= 0 else {
      broken += 1
      return
    }
    builder.add(
      StatedFigure(
        scene: scene, run: 0, metric: metric.rawValue, value: value * scale, unit: metric.unit,
        label: label))
  }

  /// `[StatusBar#0] 1223.91 0.062 0.117 0.883`.
  private mutating func addBuffering(_ text: Substring, to builder: inout TraceBuilder) {
    guard let end = text.lastIndex(of: "]"), !text.hasPrefix("[Layer name]") else { return }
    let layer = String(text[text.index(after: text.startIndex)..<end])
    let cells = text[text.index(after: end)...].split(separator: " ")
    guard cells.count == 4 else {
      broken += 1
      return
    }
    add(.doubleBufferedShare, layer, cells[2], "double buffered", times: 100, &builder)
    add(.tripleBufferedShare, layer, cells[3], "triple buffered", times: 100, &builder)
  }

  /// `0ms=0 1ms=0 2ms=4 …`.
  private mutating func addBins(
    _ text: Substring, _ name: String, to builder: inout TraceBuilder
  ) {
    guard name == "presentToPresent" else { return }
    let bins = text.split(separator: " ").map { cell -> (low: Double, count: Int64)? in
      let parts = cell.components(separatedAt: "ms=")
      guard let parts, let low = Double(parts.0), let count = Int64(parts.1), low >= 0, low < 1e6,
        // Larger counts are no longer exact when they are added.
        0..<(1 << 53) ~= count
      else { return nil }
      return (low, count)
    }
    broken += bins.count { $0 == nil }
    let known = bins.compactMap { $0 }
    let metric = "\(StatedMetric.displayInterval.rawValue)\(layer.map { ".\($0)" } ?? "")"
    for (position, bin) in known.enumerated() where bin.count > 0 {
      // The last bin contains all values above its lower bound, however long.
      let next = known.indices.contains(position + 1) ? known[position + 1].low : 2 * bin.low
      guard next > bin.low else {
        broken += 1
        continue
      }
      builder.addBin(
        metric, unit: StatedMetric.displayInterval.unit, low: bin.low, high: next,
        count: bin.count, label: "presentToPresent")
    }
  }
}

extension Substring {
  /// The strings before and after a separator; `nil` if there is no separator.
  fileprivate func components(separatedAt separator: String) -> (Substring, Substring)? {
    firstRange(of: separator).map { (self[..<$0.lowerBound], self[$0.upperBound...]) }
  }
}
