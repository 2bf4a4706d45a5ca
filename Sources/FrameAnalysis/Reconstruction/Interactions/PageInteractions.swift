import FrameStatistics
public import FrameTrace

/// The interactions of a trace with pages, and their interaction to next paint.
///
/// W3C, "Event Timing API"; web.dev, "Interaction to Next Paint"; GoogleChrome/web-vitals 6, `onINP`: an interaction's
/// time is that of its longest event. Events whose next pictures are within 8 ms of each other share the same picture,
/// so their handlers count together.
public struct PageInteractions: Sendable {
  /// The interactions in order of time.
  public let all: [PageInteraction]
  /// The interaction of each page whose time is the page's interaction to next paint, the longest first.
  public let decisive: [PageInteraction]
  /// How many events of interactions lack their start or end.
  public let missing: Int
  /// The interaction to next paint of each page whose source states it, whether its events are known or not.
  private let stated: [Nanoseconds]

  /// Next pictures that are closer than this are treated as one, because pages see rounded times.
  private static let samePicture = Nanoseconds.milliseconds(8)
  /// One in this many interactions is skipped, the longest first: an approximation of the 98 % quantile.
  private static let perOutlier = 50
  /// The maximum number of interactions that are skipped, plus one: a page keeps only this many.
  private static let mostKept = 10

  /// The maximum number of events before one picture that are examined.
  private static let mostOfPicture = 1024
  /// With this many frames within 8 ms, the picture cannot be identified.
  private static let mostNear = 64
  /// The maximum number of slices examined to find where interactions spent their time, longest first.
  private static let mostSlices = 2_000_000

  /// The bounds between good, in need of improvement, and poor (web.dev).
  package static let (good, poor) = (Nanoseconds.milliseconds(200), Nanoseconds.milliseconds(500))

  private struct Event {
    let interaction: Int64
    let kind, target, process: String?
    let start, end: Timestamp
    let handlers: Range<Timestamp>?
    let thread: Int64?
  }

  /// - Parameter region: Only interactions that begin within the region count.
  init(_ trace: Trace, within region: TraceRegion?) {
    let table = trace.pageEvents
    var (events, missing) = ([Event](), 0)
    for row in 0..<table.count {
      let interaction = table[row, .interaction] ?? 0
      guard let start = table.time(row, .start), let end = table.time(row, .end), end >= start
      else {
        if interaction != 0 { missing += 1 }
        continue
      }
      if let region, !region.range.contains(start) { continue }
      let (first, last) = (table.time(row, .processingStart), table.time(row, .processingEnd))
      let handlers = first.flatMap { first in
        // Handlers that begin after the next picture belong to a different picture: the times contradict each other.
        last.flatMap { last in
          start <= first && first <= last && first <= end + Self.samePicture ? first..<last : nil
        }
      }
      events.append(
        Event(
          interaction: interaction, kind: table.text(row, .kind), target: table.text(row, .target),
          process: table.text(row, .process), start: start, end: end, handlers: handlers,
          thread: table[row, .thread]))
    }
    self.missing = missing
    let displayed = events.isEmpty ? [] : Self.displayed(trace)
    let byNumber = Dictionary(grouping: events.filter { $0.interaction != 0 }) {
      Key(process: $0.process, number: $0.interaction)
    }
    let sorted = events.sorted { $0.end < $1.end }
    var found = byNumber.values.compactMap { own in Self.interaction(own, among: sorted, displayed)
    }
    .sorted {
      ($0.one.start, $0.one.process ?? "", $0.one.number)
        < ($1.one.start, $1.one.process ?? "", $1.one.number)
    }
    Self.addWork(to: &found, trace)
    all = found.map(\.one)
    decisive = Self.decisive(of: all)
    stated = StatedFigures.all(trace)
      .filter { $0.metric == StatedMetric.interactionToNextPaint.rawValue }.flatMap(\.values)
      .filter { $0 >= 0 }.map { Nanoseconds.milliseconds($0) }
  }

  private struct Key: Hashable {
    let process: String?
    let number: Int64
  }

  private static func interaction(
    _ own: [Event], among events: [Event],
    _ displayed: [(time: Timestamp, frame: FrameReference)]
  ) -> (one: PageInteraction, thread: Int64?)? {
    // If several events are equally long, the first is the user's action.
    guard
      let longest = own.max(by: { ($0.end - $0.start, $1.start) < ($1.end - $1.start, $0.start) })
    else { return nil }
    // The handlers of all events with the same next picture.
    let first = events.partitioningIndex { $0.end >= longest.end - samePicture }
    let group = events[first...].prefix(mostOfPicture)
      .prefix { $0.end <= longest.end + samePicture }
      .filter { $0.process == longest.process && $0.start >= longest.start }
    var parts: [PageInteraction.Part: Nanoseconds] = [:]
    let handlers = group.compactMap(\.handlers)
    if longest.handlers != nil, let begin = handlers.map(\.lowerBound).min(),
      let done = handlers.map(\.upperBound).max()
    {
      let first = min(begin, longest.end)
      let end = max(first, min(done, longest.end))
      parts = [
        .inputDelay: first - longest.start, .processing: end - first,
        .presentation: longest.end - end,
      ]
    }
    var found = PageInteraction(
      number: longest.interaction, kind: longest.kind,
      target: own.lazy.compactMap(\.target).first, process: longest.process, start: longest.start,
      end: longest.end, parts: parts)
    found.frame = frame(at: longest.end, displayed)
    return (found, longest.thread)
  }

  /// Adds the work in which the longest part of each interaction was spent, up to the maximum number of slices.
  private static func addWork(
    to found: inout [(one: PageInteraction, thread: Int64?)], _ trace: Trace
  ) {
    guard found.contains(where: { $0.thread != nil }) else { return }
    let slices = ThreadSlices(trace)
    guard !slices.isEmpty else { return }
    let order = found.indices.sorted {
      (found[$1].one.duration, $0) < (found[$0].one.duration, $1)
    }
    var room = mostSlices
    for position in order where room > 0 {
      guard let thread = found[position].thread, let part = found[position].one.longest,
        let span = found[position].one.span(of: part), !span.isEmpty
      else { continue }
      let own = slices.slices(of: thread, in: span)
      room -= own.count
      found[position].one.work = work(own, in: span)
    }
  }

  /// The work that took most of a thread's time in a span.
  private static func work(
    _ slices: [ThreadSlices.Slice], in span: Range<Timestamp>
  ) -> PageInteraction.Work? {
    var times: [String: Nanoseconds] = [:]
    for (name, part) in ThreadSlices.own(slices, in: span) {
      times[name, default: .zero] += part.length
    }
    return times.max { ($0.value, $1.key) < ($1.value, $0.key) }.map {
      PageInteraction.Work(name: $0.key, time: $0.value)
    }
  }

  /// The frames that were displayed, in order of time.
  private static func displayed(
    _ trace: Trace
  ) -> [(time: Timestamp, frame: FrameReference)] {
    trace.surfaces.enumerated().flatMap { index, surface in
      let frames = surface.frames
      return (0..<frames.count).compactMap { row in
        frames.time(row, .displayed).map {
          (time: $0, frame: FrameReference(surface: index, row: row))
        }
      }
    }.sorted { $0.time < $1.time }
  }

  /// The frame that was displayed at a time, within the precision that pages see; `nil` if there is none, or if frames
  /// of several surfaces match.
  private static func frame(
    at time: Timestamp, _ displayed: [(time: Timestamp, frame: FrameReference)]
  ) -> FrameReference? {
    let first = displayed.partitioningIndex { $0.time >= time - samePicture }
    let near = displayed[first...].prefix(mostNear).prefix { $0.time <= time + samePicture }
    guard near.count < mostNear, let one = near.first,
      near.allSatisfy({ $0.frame.surface == one.frame.surface })
    else { return nil }
    return near.min { distance($0.time, time) < distance($1.time, time) }?.frame
  }

  private static func distance(_ one: Timestamp, _ other: Timestamp) -> Nanoseconds {
    max(one, other) - min(one, other)
  }

  /// For each page, the interaction that decides its figure, the longest first. Of a page's longest interactions, one
  /// is skipped for each fifty interactions.
  private static func decisive(of all: [PageInteraction]) -> [PageInteraction] {
    Dictionary(grouping: all, by: \.process).values.compactMap { own in
      let longest = own.sorted { ($1.duration, $0.start) < ($0.duration, $1.start) }
        .prefix(mostKept)
      return longest.isEmpty ? nil : longest[min(longest.count - 1, own.count / perOutlier)]
    }.sorted {
      ($1.duration, $0.start, $0.process ?? "") < ($0.duration, $1.start, $1.process ?? "")
    }
  }

  /// The interaction to next paint of each page, as stated by the source, otherwise that of the page's decisive
  /// interaction.
  public var ofPages: [Nanoseconds] { stated.isEmpty ? decisive.map(\.duration) : stated }

  /// The interaction to next paint of the only page, or the value that three in four pages stay below; `nil` without
  /// any.
  public var interactionToNextPaint: Nanoseconds? {
    let times = ofPages.map { Double($0.count) }.sorted()
    guard !times.isEmpty else { return nil }
    return Nanoseconds(Int64(RealQuantile.type7(times, 0.75).rounded()))
  }
}
