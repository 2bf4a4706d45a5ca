import FrameTrace

/// Events of programs on their tracks: `TrackEvent`.
///
/// Perfetto, "Track events". A begin and an end on a track form a slice; the slice that began last ends first.
struct PerfettoTracks {
  private typealias Descriptor = PerfettoSchema.TrackDescriptor
  private typealias Field = PerfettoSchema.TrackEvent
  private typealias Annotation = PerfettoSchema.DebugAnnotation

  struct Slice {
    let name: String
    let start: Int64
    fileprivate(set) var end: Int64?
    let track: UInt64
    /// The index of the enclosing slice.
    let parent: Int?
    /// The contents of the arguments.
    let chrome: Chrome?
  }

  /// Arguments of Chromium's and Flutter's events that are read.
  enum Chrome {
    case frame(ChromeReporter.Facts)
    case input(ChromeEvent.Facts)
    case scrollJank(ChromeScrollJank.Facts)
    /// The number of the frame that Flutter's engine works on.
    case flutter(Int64)
  }

  /// How an event changes the slices of its track.
  private enum Kind: Int64 {
    case begin = 1
    case end, instant
  }

  private struct Event {
    let time: Int64
    let kind: Kind
    let name: String
    let track: UInt64
    /// The index of the event's arguments.
    let chrome: Int?
  }

  /// The thread or process that a track belongs to.
  struct Track {
    fileprivate(set) var name: String?
    fileprivate(set) var process: Int64?
    fileprivate(set) var thread: Int64?
    fileprivate(set) var parent: UInt64?
    fileprivate(set) var threadName: String?
    fileprivate(set) var processName: String?
  }

  private var events: [Event] = []
  private var chrome: [Chrome] = []
  private var names = StringTable()
  private(set) var slices: [Slice] = []
  private(set) var tracks: [UInt64: Track] = [:]
  private(set) var unmatchedEnds = 0
  /// The number of events that are not read.
  private(set) var unreadCount = 0
  private var open: [UInt64: [Int]] = [:]

  var openCount: Int { open.values.reduce(0) { $0 + $1.count } }

  /// Reads a `TrackDescriptor`.
  mutating func takeDescriptor(_ descriptor: ProtobufMessage) {
    guard let identifier = descriptor[Descriptor.uuid]?.number else { return }
    var track = tracks[identifier] ?? Track()
    track.name = descriptor.text(Descriptor.name) ?? track.name
    track.parent = descriptor[Descriptor.parentUUID]?.number ?? track.parent
    if let process = descriptor.message(Descriptor.process) {
      track.process = process.integer(PerfettoSchema.ProcessDescriptor.pid)
      track.processName = process.text(PerfettoSchema.ProcessDescriptor.processName)
    }
    if let thread = descriptor.message(Descriptor.thread) {
      track.process = thread.integer(PerfettoSchema.ThreadDescriptor.pid) ?? track.process
      track.thread = thread.integer(PerfettoSchema.ThreadDescriptor.tid)
      track.threadName = thread.text(PerfettoSchema.ThreadDescriptor.threadName)
    }
    tracks[identifier] = track
  }

  /// Reads a `TrackEvent`.
  mutating func takeEvent(_ context: PerfettoRecording.Context, sequence: UInt64) {
    guard let time = context.time else { return }
    let event = context.message
    let track = event[Field.trackUUID]?.number ?? context.state.track ?? 0
    let legacy = event.message(Field.legacyEvent)
    let number = event[Field.nameIID]?.number ?? legacy?[Field.LegacyEvent.nameIID]?.number
    let name =
      event.text(Field.name) ?? number.flatMap { context.state.names[.name]?[$0] } ?? "slice"
    guard let kind = event.integer(Field.type).flatMap(Kind.init) ?? legacy.flatMap(Self.kind)
    else {
      return addComplete(legacy, name, at: time, track: track)
    }
    let own = legacy.flatMap { asynchronousTrack($0, of: track) } ?? track
    let arguments = Chrome(event) ?? Self.flutterFrame(event, context.state).map { .flutter($0) }
    if let arguments { chrome.append(arguments) }
    events.append(
      Event(
        time: time, kind: kind, name: names.shared(name), track: own,
        chrome: arguments == nil ? nil : chrome.count - 1))
  }

  /// The kind of an event in the older trace format, according to its phase.
  ///
  /// Perfetto, `TrackEvent.LegacyEvent`; the phases are those of Chromium's JSON.
  private static func kind(_ legacy: ProtobufMessage) -> Kind? {
    switch legacy.integer(Field.LegacyEvent.phase).flatMap({ UInt8(exactly: $0) }) {
    case UInt8(ascii: "B"), UInt8(ascii: "b"), UInt8(ascii: "S"): .begin
    case UInt8(ascii: "E"), UInt8(ascii: "e"), UInt8(ascii: "F"): .end
    case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "R"), UInt8(ascii: "n"): .instant
    default: nil
    }
  }

  /// The track of an asynchronous event, which older traces identify by a number; `nil` for an event without a number.
  private mutating func asynchronousTrack(_ legacy: ProtobufMessage, of track: UInt64) -> UInt64? {
    typealias Legacy = Field.LegacyEvent
    let local = legacy[Legacy.unscopedID]?.number ?? legacy[Legacy.localID]?.number
    guard let number = local ?? legacy[Legacy.globalID]?.number else { return nil }
    let process = local == nil ? nil : owner(of: track).process
    // The numbers are mixed because track numbers can have any value.
    let mixed =
      (number ^ UInt64(truncatingIfNeeded: process ?? -1) << 32) &* 0x9E37_79B9_7F4A_7C15 | 1 << 63
    if tracks[mixed] == nil {
      var own = Track()
      (own.process, own.processName) = (process, owner(of: track).processName)
      tracks[mixed] = own
    }
    return mixed
  }

  /// Adds a slice from an older event that states its duration.
  private mutating func addComplete(
    _ legacy: ProtobufMessage?, _ name: String, at time: Int64, track: UInt64
  ) {
    guard let legacy, legacy.integer(Field.LegacyEvent.phase) == Int64(UInt8(ascii: "X")),
      let length = legacy.integer(Field.LegacyEvent.durationUS).flatMap({
        Timestamp.believed($0, unit: 1000)
      }), length >= 0
    else {
      unreadCount += 1
      return
    }
    slices.append(
      Slice(
        name: names.shared(name), start: time, end: time &+ length, track: track,
        parent: nil, chrome: nil))
  }

  /// The frame number of an event of Flutter's engine.
  private static func flutterFrame(
    _ event: ProtobufMessage, _ state: PerfettoSequences.State
  ) -> Int64? {
    for annotation in event.messages(Field.debugAnnotations) {
      let name =
        annotation.text(Annotation.name)
        ?? annotation[Annotation.nameIID]?.number.flatMap { state.names[.annotation]?[$0] }
      guard name == "frame_number" else { continue }
      return annotation.integer(Annotation.intValue) ?? annotation.integer(Annotation.uintValue)
        ?? annotation.text(Annotation.stringValue).flatMap { Int64($0) }
    }
    return nil
  }

  /// Converts the events to slices. Threads write in blocks, so the events of a track come in any
  /// order.
  mutating func finish() {
    events.sort { $0.time < $1.time }
    for event in events {
      let parent = open[event.track]?.last
      let arguments = event.chrome.map { chrome[$0] }
      switch event.kind {
      case .begin, .instant:
        if event.kind == .begin { open[event.track, default: []].append(slices.count) }
        slices.append(
          Slice(
            name: event.name, start: event.time, end: event.kind == .begin ? nil : event.time,
            track: event.track, parent: parent, chrome: arguments))
      case .end:
        guard let position = open[event.track]?.popLast() else {
          unmatchedEnds += 1
          continue
        }
        slices[position].end = event.time
      }
    }
    events = []
  }

  /// The owner of a track, taken from its parents if the track does not state it.
  func owner(of identifier: UInt64) -> Track {
    var found = tracks[identifier] ?? Track()
    var next = found.parent
    var steps = 0
    while let parent = next, steps < 16, found.process == nil || found.thread == nil {
      let track = tracks[parent]
      found.process = found.process ?? track?.process
      found.thread = found.thread ?? track?.thread
      found.processName = found.processName ?? track?.processName
      next = track?.parent
      steps += 1
    }
    return found
  }
}

extension PerfettoTracks.Chrome {
  private typealias Field = PerfettoSchema.TrackEvent
  private typealias Reporter = PerfettoSchema.ChromeFrameReporter

  /// Chromium, `chrome_track_event.proto`: `frame_reporter` and `event_latency`. Older traces have
  /// Perfetto's `chrome_frame_reporter` with the same numbers.
  init?(_ event: ProtobufMessage) {
    if let reporter = event.message(Field.frameReporter) ?? event.message(Field.chromeFrameReporter)
    {
      self = .frame(
        ChromeReporter.Facts(
          outcome: ChromeReporter.Outcome(rawValue: reporter.integer(Reporter.state) ?? 0),
          kind: reporter.integer(Reporter.frameType).flatMap { ChromeReporter.Kind(rawValue: $0) },
          affectsSmoothness: reporter.integer(Reporter.affectsSmoothness) == 1,
          sequence: reporter.integer(Reporter.frameSequence),
          source: reporter.integer(Reporter.frameSource),
          host: reporter.integer(Reporter.layerTreeHostID),
          surfaceFrame: reporter[Reporter.surfaceFrameTraceID]?.number))
    } else if let latency = event.message(Field.eventLatency) {
      self = .input(
        ChromeEvent.Facts(
          type: latency.integer(PerfettoSchema.EventLatency.eventType),
          isJanky: latency.integer(PerfettoSchema.EventLatency.isJankyScrolledFrame) == 1,
          surfaceFrame: latency[PerfettoSchema.EventLatency.surfaceFrameTraceID]?.number))
    } else if let result = event.message(Field.scrollJankV4) {
      self = .scrollJank(ChromeScrollJank.Facts(result))
    } else {
      return nil
    }
  }
}

extension PerfettoTracks {
  /// The frames and inputs that Chromium reports.
  var reports: ChromeReportList {
    var found = ChromeReportList()
    var stages: [Int: [ChromeStages.Stage]] = [:]
    for slice in slices {
      // Stages are within the report or within a stage of the report.
      guard let parent = slice.parent else { continue }
      for position in [parent, slices[parent].parent] {
        guard let position, slices[position].chrome != nil else { continue }
        stages[position, default: []].append(
          ChromeStages.Stage(
            name: found.stageNames.number(slice.name), start: slice.start, end: slice.end))
      }
    }
    for (position, slice) in slices.enumerated() {
      let own = ChromeStages(all: (stages[position] ?? [])[...])
      switch slice.chrome {
      case .frame(let facts):
        found.frames.append(
          ChromeReporter(
            facts: facts, process: owner(of: slice.track).process, start: slice.start,
            end: slice.end, stages: own))
      case .input(let facts):
        found.inputs.append(ChromeEvent(facts: facts, start: slice.start, stages: own))
      case .scrollJank, .flutter, nil: break
      }
    }
    return found
  }

  /// Chromium's verdicts on the frames of scrolls.
  var scrollJank: ChromeScrollJank {
    var found = ChromeScrollJank()
    for slice in slices {
      guard case .scrollJank(let facts) = slice.chrome else { continue }
      found.consume(
        facts, name: slice.name, process: owner(of: slice.track).process, at: slice.start)
    }
    return found
  }
}

extension ChromeScrollJank.Facts {
  private typealias Result = PerfettoSchema.ScrollJankV4Result

  /// Chromium, `chrome_track_event.proto`: `scroll_jank_v4`.
  fileprivate init(_ result: ProtobufMessage) {
    identifier = result.integer(Result.resultID)
    isJanky = result.integer(Result.isJanky) == 1
    for entry in result.messages(Result.missedVsyncsPerJankReason) {
      guard
        let reason = entry.integer(Result.MissedVsyncs.jankReason)
          .flatMap(ChromeScrollJank.Reason.init)
      else { continue }
      missed[reason, default: 0] += max(0, entry.integer(Result.MissedVsyncs.missedVsyncs) ?? 0)
    }
  }
}
