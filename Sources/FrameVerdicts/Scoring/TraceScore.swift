import FrameAnalysis
import FrameTrace

/// How a tool's findings about one trace compare with its truth.
///
/// A finding that names a refresh represents that refresh. A finding that names only a frame represents all refreshes
/// that the frame dropped, as the late frame or as the frame to blame. Each dropped refresh is detected once; further
/// findings of the same refresh have no effect.
package struct TraceScore: Sendable {
  package private(set) var tally = ScoreTally()
  package private(set) var misses: [Miss] = []
  /// The dropped refreshes by the stage that dropped them, and how many of these are found.
  package private(set) var stages: [String: ScoreTally] = [:]
  private let truth: JankTruth
  /// The dropped refreshes by number, and all of them.
  private let byRefresh: [Int64: [Int]]
  private let everyDrop: [Int]
  /// The total number of refreshes: no finding has more.
  private let refreshCount: Int64

  /// A mistake.
  package struct Miss: Hashable, Sendable {
    /// The kind of mistake.
    package enum Kind: String, CaseIterable, Sendable {
      case missed
      case falseAlarm = "false alarm"
      case wrongStage = "wrong stage"
      case unknownStage = "unknown stage"
      case wrongFrame = "wrong frame"
      case unjudged = "not judged"
    }

    package let kind: Kind
    package let surface: Int?
    /// The refresh; `nil` where a false alarm names only a frame.
    package let refresh: Int64?
    package let time: Int64?
    /// The position of the frame in the truth.
    package let frame: Int?
    /// What the tool says, and what is true; `nil` where there is nothing.
    package let said, truth: String?
  }

  /// - Parameter namesFrames: Whether the tool says which frame is to blame.
  package init(_ truth: JankTruth, _ output: DetectorOutput, namesFrames: Bool) {
    self.truth = truth
    let drops = truth.drops
    everyDrop = Array(drops.indices)
    byRefresh = Dictionary(grouping: drops.indices) { drops[$0].refresh }
    let numbers = truth.surfaces.flatMap(\.frames).compactMap(\.refresh) + drops.map(\.refresh)
    refreshCount = (numbers.max() ?? 0) - (numbers.min() ?? 0) + 2
    tally.traces = 1
    tally.drops = drops.count
    for drop in drops { stages[drop.stage.rawValue, default: ScoreTally()].drops += 1 }
    if output.whyUnjudged == nil {
      tally.clean = truth.isClean ? 1 : 0
      tally.shown = truth.shownCount
    }
    if let why = output.whyUnjudged {
      tally.unjudged = drops.count
      misses = truth.drops.map { miss(.unjudged, $0, said: why, truth: nil) }
    } else if let count = output.count {
      takeCount(count)
    } else {
      consume(output.findings, namesFrames: namesFrames)
    }
    tally.alarmed = truth.isClean && tally.falseAlarms > 0 ? 1 : 0
  }

  /// Scores a count of late frames, which detects at most that many.
  private mutating func takeCount(_ count: Int) {
    let victims = Set(truth.drops.map { JankTruth.Position(surface: $0.surface, frame: $0.victim) })
    let found = max(0, min(count, victims.count))
    tally.drops = victims.count
    tally.detected = found
    tally.unknownStage = found
    tally.falseAlarms = max(0, count) - found
  }

  private mutating func consume(_ findings: [DetectorOutput.Finding], namesFrames: Bool) {
    var answers: [Int: DetectorOutput.Finding] = [:]
    var strangers: Set<Stranger> = []
    for finding in findings {
      for piece in pieces(of: finding) {
        let drops = self.drops(of: piece)
        let open = drops.filter { answers[$0] == nil }
        for drop in open { answers[drop] = piece }
        if drops.isEmpty {
          if strangers.insert(Stranger(piece)).inserted {
            tally.falseAlarms += 1
            misses.append(falseAlarm(piece))
          } else {
            tally.repeated += 1
          }
        } else if open.isEmpty {
          tally.repeated += 1
        }
      }
    }
    for (position, drop) in truth.drops.enumerated() {
      stages[drop.stage.rawValue]?.detected += answers[position] == nil ? 0 : 1
      if let answer = answers[position] {
        judge(answer, drop, namesFrames: namesFrames)
      } else {
        misses.append(miss(.missed, drop, said: nil, truth: drop.stage.rawValue))
      }
    }
  }

  /// The properties that distinguish false alarms.
  private struct Stranger: Hashable {
    let surface: Int?
    let refresh: Int64?
    let time: Int64?
    let frame: Int?

    init(_ finding: DetectorOutput.Finding) {
      (surface, refresh, frame) = (finding.surface, finding.refresh, finding.frame)
      // The same refresh may be named by its number and by several times.
      time = refresh == nil ? finding.time : nil
    }
  }

  /// One finding for each of a finding's refreshes, by their numbers in the truth if available.
  private func pieces(of finding: DetectorOutput.Finding) -> [DetectorOutput.Finding] {
    guard finding.frame == nil else { return [finding] }
    var first = finding
    // A tool's own numbers differ from those of the truth.
    if let time = finding.time { first.refresh = truth.refresh(at: time) }
    let length = finding.length.map { length in
      let interval = truth.interval(at: finding.time ?? 0)
      return (length.count + interval / 2) / interval
    }
    return (0..<min(refreshCount, max(1, length ?? finding.count))).map { step in
      var piece = first
      piece.refresh = first.refresh.map { $0 + step }
      piece.time = step == 0 ? first.time : nil
      piece.count = 1
      return piece
    }
  }

  /// The positions, in the truth, of the dropped refreshes that a finding represents.
  private func drops(of finding: DetectorOutput.Finding) -> [Int] {
    let positions =
      finding.frame == nil ? finding.refresh.flatMap { byRefresh[$0] } ?? [] : everyDrop
    return positions.filter { position in
      let drop = truth.drops[position]
      if let surface = finding.surface, surface != drop.surface, finding.frame == nil {
        return false
      }
      guard let row = finding.frame else { return drop.refresh == finding.refresh }
      let isVictim =
        (finding.surface ?? drop.surface) == drop.surface
        && truth.row(.init(surface: drop.surface, frame: drop.victim)) == row
      let isCulprit = drop.culprit.map {
        (finding.surface ?? $0.surface) == $0.surface && truth.row($0) == row
      }
      return isVictim || isCulprit ?? false
    }
  }

  private mutating func judge(
    _ answer: DetectorOutput.Finding, _ drop: JankTruth.Drop, namesFrames: Bool
  ) {
    tally.detected += 1
    switch answer.stage {
    case nil, .unknown:
      tally.unknownStage += 1
      misses.append(miss(.unknownStage, drop, said: nil, truth: drop.stage.rawValue))
    case drop.stage: tally.rightStage += 1
    case let stage?:
      tally.wrongStage += 1
      misses.append(miss(.wrongStage, drop, said: stage.rawValue, truth: drop.stage.rawValue))
    }
    guard namesFrames, let culprit = drop.culprit, let row = truth.row(culprit) else { return }
    tally.culprits += 1
    let said = answer.culprit ?? answer.frame.map { .init(surface: answer.surface, row: $0) }
    if let said, said.row == row, said.surface ?? culprit.surface == culprit.surface {
      tally.rightCulprit += 1
    } else {
      misses.append(
        miss(
          .wrongFrame, drop, said: said.map { words($0.surface, $0.row) },
          truth: words(culprit.surface, row)))
    }
  }

  private func words(_ surface: Int?, _ row: Int) -> String {
    let position = truth.surfaces.count > 1 ? surface.map { " of surface \($0)" } : nil
    return "frame \(row)\(position ?? "")"
  }

  private func miss(
    _ kind: Miss.Kind, _ drop: JankTruth.Drop, said: String?, truth: String?
  ) -> Miss {
    Miss(
      kind: kind, surface: drop.surface, refresh: drop.refresh, time: drop.time,
      frame: drop.victim, said: said, truth: truth)
  }

  private func falseAlarm(_ finding: DetectorOutput.Finding) -> Miss {
    // A trace may have surfaces that are missing from the truth.
    let position = finding.surface ?? 0
    let frames = truth.surfaces.indices.contains(position) ? truth.surfaces[position].frames : []
    let frame = finding.frame.flatMap { row in frames.firstIndex { $0.row == row } }
    let shown = frame.flatMap { frames[$0].displayed }
    return Miss(
      kind: .falseAlarm, surface: finding.surface, refresh: finding.refresh,
      time: finding.time ?? finding.refresh.flatMap(truth.time) ?? shown, frame: frame,
      said: finding.stage?.rawValue, truth: nil)
  }
}

extension JankTruth {
  /// The row of a frame in the file.
  func row(_ position: Position) -> Int? { surfaces[position.surface].frames[position.frame].row }

  /// The refresh nearest to a time; `nil` where none is near.
  func refresh(at time: Int64) -> Int64? {
    if let rate = rates.last(where: { $0.time - $0.interval / 2 <= time }) ?? rates.first {
      let distance = time - rate.time
      let half = distance >= 0 ? rate.interval / 2 : -rate.interval / 2
      return rate.refresh + (distance + half) / rate.interval
    }
    let known =
      drops.map { (refresh: $0.refresh, time: $0.time) }
      + surfaces.flatMap(\.frames).compactMap { frame in
        frame.refresh.flatMap { number in frame.displayed.map { (refresh: number, time: $0) } }
      }
    let nearest = known.min { abs($0.time - time) < abs($1.time - time) }
    // A display that waits for frames shows each frame for more than two milliseconds.
    return nearest.flatMap { abs($0.time - time) < 2_000_000 ? $0.refresh : nil }
  }

  /// The time of a refresh; `nil` on a display that waits for frames, if the refresh was neither dropped nor showed a
  /// frame.
  func time(_ refresh: Int64) -> Int64? {
    if let rate = rates.last(where: { $0.refresh <= refresh }) ?? rates.first {
      return rate.time + (refresh - rate.refresh) * rate.interval
    }
    return drops.first { $0.refresh == refresh }?.time
      ?? surfaces.flatMap(\.frames).first { $0.refresh == refresh }?.displayed
  }

  /// The time from the first to the last instant at which anything about the trace is known.
  package var range: ClosedRange<Int64>? {
    let times = surfaces.flatMap(\.frames).flatMap { [$0.appStart, $0.commit, $0.displayed] }
      .compactMap(\.self)
    guard let first = times.min(), let last = times.max() else { return nil }
    return first...last
  }
}
