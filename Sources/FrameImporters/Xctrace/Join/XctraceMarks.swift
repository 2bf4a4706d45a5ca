import FrameTrace

extension XctraceJoin {
  /// Adds the marks of hangs, hang risks and signposts.
  mutating func addMarks() {
    let facts = recording.marks
    var seen: Set<XctraceMarkFacts.Mark> = []
    // Two tables list the same intervals.
    let marks = facts.marks.filter { seen.insert($0).inserted }
    // Intervals can be exported together with the signposts that form them.
    let known = Set(marks.map { MarkSpan($0) })
    var pairs = SignpostPairs()
    let signposts = facts.signposts.enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }
    for (_, signpost) in signposts { pairs.consume(signpost) }
    for mark in marks + pairs.marks.filter({ !known.contains(MarkSpan($0)) }) { add(mark) }
    builder.log.note(
      .brokenReference, .dataLoss, "ends of signposts whose beginning is not in the export",
      count: pairs.unmatchedEnds)
    builder.log.note(
      .cutOff, .info, "signposts that had not ended at the end of the recording",
      count: pairs.openCount)
  }

  /// Adds hangs, each once.
  mutating func addHangs() {
    var seen: Set<XctraceMarkFacts.Hang> = []
    for hang in recording.marks.hangs where seen.insert(hang).inserted {
      var row = Table<HangColumn>.Row()
      row[.start] = hang.start
      row[.duration] = hang.duration
      row[.kind] = builder.trace.hangs.texts.number(of: hang.kind)
      row[.process] = hang.process.map { builder.trace.hangs.texts.number(of: $0) }
      row[.thread] = hang.thread
      builder.trace.hangs.append(row)
    }
  }

  private mutating func add(_ mark: XctraceMarkFacts.Mark) {
    var row = Table<MarkerColumn>.Row()
    row[.name] = builder.trace.markers.texts.number(of: mark.name)
    row[.start] = mark.start
    row[.end] = mark.end
    row[.process] = mark.process.map { builder.trace.markers.texts.number(of: $0) }
    row[.thread] = mark.thread
    builder.trace.markers.append(row)
  }
}

/// The key that identifies equal marks.
private struct MarkSpan: Hashable {
  let name: String
  let start: Int64
  let end: Int64?

  init(_ mark: XctraceMarkFacts.Mark) { (name, start, end) = (mark.name, mark.start, mark.end) }
}

/// Pairs the begins and the ends of signposts.
private struct SignpostPairs {
  private(set) var marks: [XctraceMarkFacts.Mark] = []
  private(set) var unmatchedEnds = 0
  /// The indexes of marks without an end so far; the last mark of a key ends first.
  private var open: [XctraceMarkFacts.Signpost.Key: [Int]] = [:]

  var openCount: Int { open.values.reduce(0) { $0 + $1.count } }

  mutating func consume(_ signpost: XctraceMarkFacts.Signpost) {
    switch signpost.kind {
    case .event: add(signpost)
    case .begin:
      open[signpost.key, default: []].append(marks.count)
      add(signpost)
    case .end:
      guard let position = open[signpost.key]?.popLast() else {
        unmatchedEnds += 1
        return
      }
      let begun = marks[position]
      marks[position] = .init(
        name: begun.name, start: begun.start, end: signpost.time, process: begun.process,
        thread: begun.thread)
    }
  }

  private mutating func add(_ signpost: XctraceMarkFacts.Signpost) {
    marks.append(
      .init(
        name: signpost.key.name ?? "signpost", start: signpost.time, end: nil,
        process: signpost.key.process?.name, thread: signpost.thread))
  }
}
