import FrameAnalysis
import FrameTrace

/// The tables of individual events of a surface: dropped refreshes, and the worst frames.
struct EventTables {
  private let surface: SurfaceAnalysis
  private let analysis: TraceAnalysis
  private var origin: Timestamp { analysis.origin }
  /// The maximum number of dropped refreshes in the table.
  static let mostDrops = 10

  init(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    self.surface = surface
    self.analysis = analysis
  }

  /// The first dropped refreshes; `nil` if there are none.
  func drops() -> TextTable? {
    guard let drops = surface.drops.value?.drops, !drops.isEmpty else { return nil }
    var table = TextTable([
      ("dropped at s", .right), ("refresh", .right), ("count", .right), ("frame", .right),
      ("held in", .left), ("charged to", .left), ("of", .left), ("stage ms", .right),
      ("usual", .right), ("budget", .right),
    ])
    for drop in drops.prefix(Self.mostDrops) {
      let refreshes = drop.refreshes
      let stage = drop.stages.first { $0.stage == refreshes.stage }
      table.append([
        FixedNumber.text((drop.time - origin).seconds, decimals: 3),
        "\(refreshes.refresh.number)", "\(refreshes.count)", "\(refreshes.frame)",
        drop.heldIn?.rawValue ?? "",
        refreshes.stage.rawValue + (refreshes.isInferred ? " (inferred)" : ""),
        analysis.dropWords.otherFrame(refreshes.cause, than: refreshes.frame, on: surface.index)
          ?? "itself",
        text(stage?.time), text(stage?.usual), text(drop.budget),
      ])
    }
    return table
  }

  /// A sentence about the dropped refreshes that are not in the table.
  func moreDrops() -> String? {
    let count = surface.drops.value?.drops.count ?? 0
    guard count > Self.mostDrops else { return nil }
    return "and \(count - Self.mostDrops) more (--format json lists all)"
  }

  /// The hitches stated by the source: the longest ones if the worst were requested, otherwise the
  /// first; `nil` if it states none.
  func hitches() -> TextTable? {
    guard let hitches = surface.hitches.value, hitches.source == .stated, !hitches.list.isEmpty
    else { return nil }
    var table = TextTable([
      ("hitch at s", .right), ("ms", .right), ("process", .left), ("frame", .right),
      ("what the source says", .left),
    ])
    for hitch in shown(hitches.list) {
      table.append([
        FixedNumber.text((hitch.time - origin).seconds, decimals: 3),
        text(hitch.length), hitch.process ?? "", hitch.frame.map { "\($0)" } ?? "",
        hitch.narrative ?? "",
      ])
    }
    return table.withoutEmptyColumns
  }

  private func shown(_ hitches: [ListedHitch]) -> [ListedHitch] {
    guard analysis.options.worstCount > 0 else { return Array(hitches.prefix(Self.mostHitches)) }
    let longest = hitches.sorted { ($1.length, $0.time) < ($0.length, $1.time) }
    return Array(longest.prefix(analysis.options.worstCount))
  }

  /// A sentence about the stated hitches that are not in the table.
  func moreHitches() -> String? {
    guard let hitches = surface.hitches.value, hitches.source == .stated else { return nil }
    let rest = hitches.list.count - shown(hitches.list).count
    return rest > 0 ? "and \(rest) more (--format json lists all)" : nil
  }

  /// The maximum number of hitches in the table.
  private static let mostHitches = 12

  /// A stop or a stutter.
  private struct Interruption {
    let time: Timestamp
    let cells: [String]
  }

  private var allInterruptions: [Interruption] {
    let stops = surface.stops.stops.map { stop in
      Interruption(
        time: stop.time,
        cells: [
          "stop", text(stop.length), "", "\(stop.row)", stop.cause.stage?.words ?? stop.cause.name,
        ])
    }
    let isStop = Set(surface.stops.stops.map(\.row))
    let stutters = (surface.stutters?.stutters ?? []).filter { !isStop.contains($0.row) }
    return
      (stops
      + stutters.map { stutter in
        Interruption(
          time: stutter.time,
          cells: ["stutter", text(stutter.longest), text(stutter.usual), "\(stutter.row)", ""])
      }).sorted { $0.time < $1.time }
  }

  /// The first stops and stutters; `nil` if there are none.
  func interruptions() -> TextTable? {
    let all = allInterruptions
    guard !all.isEmpty else { return nil }
    var table = TextTable([
      ("at s", .right), ("what", .left), ("longest ms", .right), ("usual", .right),
      ("frame", .right),
      ("cause", .left),
    ])
    for one in all.prefix(Self.mostInterruptions) {
      table.append([FixedNumber.text((one.time - origin).seconds, decimals: 3)] + one.cells)
    }
    return table.withoutEmptyColumns
  }

  /// A sentence about the stops and stutters that are not in the table.
  func moreInterruptions() -> String? {
    let rest = allInterruptions.count - Self.mostInterruptions
    return rest > 0 ? "and \(rest) more (--format json lists all)" : nil
  }

  /// The maximum number of stops and stutters in the table.
  private static let mostInterruptions = 20

  /// The worst frames; `nil` if none were requested or there are none.
  func worst() -> TextTable? {
    guard !surface.worst.isEmpty else { return nil }
    var table = TextTable([
      ("worst frame", .right), ("at s", .right), ("display ms", .right), ("frame ms", .right),
      ("app", .right), ("compositor", .right), ("gpu", .right), ("queue", .right),
      ("dropped", .right),
    ])
    for frame in surface.worst {
      table.append([
        "\(frame.row)", FixedNumber.text((frame.time - origin).seconds, decimals: 3),
        text(frame.displayChange), text(frame.frameTime), text(frame.app), text(frame.compositor),
        text(frame.gpu), text(frame.queueWait), frame.dropped.map { "\($0)" } ?? "",
      ])
    }
    return table
  }

  /// The figures of other tools; `nil` if none were requested.
  func dialects() -> TextTable? {
    guard !surface.dialects.isEmpty else { return nil }
    var table = TextTable([
      ("as computed by", .left), ("name", .left), ("value", .right), ("", .left),
      ("formula", .left),
    ])
    for result in surface.dialects {
      for (figure, value) in zip(result.dialect.figures, result.values) {
        table.append([
          result.dialect.name, figure.name,
          value.map { FixedNumber.text($0, decimals: 2) } ?? "none", figure.unit, figure.formula,
        ])
      }
    }
    return table
  }

  private func text(_ length: Nanoseconds?) -> String {
    length.map { FixedNumber.text($0.milliseconds, decimals: 2) } ?? ""
  }
}
