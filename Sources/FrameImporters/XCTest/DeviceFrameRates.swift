import FrameTrace

/// Frame rates of iOS devices, one line per second, as two open tools print them.
///
/// Documentation: github.com/YueChen-C/py-ios-device and github.com/doronz88/pymobiledevice3
/// (`developer dvt graphics`). Examples:
///
///     {'time': 1697530000.1, 'fps': 58.3, 'jank': 1, 'big_jank': 0, 'stutter': 0.08}
///     {"CoreAnimationFramesPerSecond": 59, "Device Utilization %": 41, …}
///
/// These values are per-second counts, not frames.
struct DeviceFrameRates: TraceImporter {
  let name = "ios-fps"
  let title = "frame rates of an iOS device"
  let versions = "py-ios-device, pymobiledevice3"
  let documentation = "https://github.com/doronz88/pymobiledevice3"
  let platform: Platform? = .apple

  /// The members that are read, and the time, which is not part of any figure.
  private static let read: Set = ["time", "fps", "jank", "CoreAnimationFramesPerSecond"]
  private static let coreAnimation = "\"CoreAnimationFramesPerSecond\""

  func recognize(_ head: FileHead) -> Recognition? {
    if head.contains(Self.coreAnimation) {
      return Recognition(
        format: "pymobiledevice3 graphics", reason: "lines with CoreAnimationFramesPerSecond")
    }
    guard head.contains("'fps':"), head.contains("'jank':") else { return nil }
    return Recognition(format: "py-ios-device frame rates", reason: "lines with 'fps' and 'jank'")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var builder = TraceBuilder(provenance)
    var (broken, others, unread) = (0, 0, [String: Int]())
    let failure = try TextLines.read(input) { line in
      let text = String(decoding: line.bytes, as: UTF8.self)
      if line.isBlank { return }
      guard let brace = text.firstIndex(of: "{") else {
        others += 1
        return
      }
      // Python prints strings in single quotes.
      let json = text[brace...].replacing("'", with: "\"")
      guard !line.isUnterminated || text.hasSuffix("}"),
        let node = JSONNode(reading: Array(json.utf8))
      else {
        broken += 1
        return
      }
      add(node, to: &builder, &unread)
    }
    for (key, count) in unread.sorted(by: { $0.key < $1.key }) {
      builder.log.note(
        .columnUnused, .info, "values of \(PrintableText.line(key)), not read", count: count)
    }
    builder.log.note(break: failure)
    builder.log.note(.malformedLine, .dataLoss, "lines that are not JSON, left out", count: broken)
    builder.log.note(.unknownRecord, .info, "lines of other kinds, left out", count: others)
    return builder
  }

  private func add(
    _ node: JSONNode, to builder: inout TraceBuilder, _ unread: inout [String: Int]
  ) {
    for member in node.members where !Self.read.contains(member.key) {
      unread[member.key, default: 0] += 1
    }
    let figures: [(StatedMetric, String, String)] = [
      (.sampledFrameRate, "fps", "fps of a second"),
      (.sampledFrameRate, "CoreAnimationFramesPerSecond", "Core Animation, of a second"),
      (.jankCount, "jank", "jank of a second"),
    ]
    for (metric, key, label) in figures {
      guard let value = node[key]?.number, value.isFinite, value >= 0 else { continue }
      builder.add(
        StatedFigure(
          scene: nil, run: 0, metric: metric.rawValue, value: value, unit: metric.unit,
          label: label))
    }
  }
}
