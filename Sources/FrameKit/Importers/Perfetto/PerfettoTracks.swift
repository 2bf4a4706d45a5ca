/// Events of programs on their tracks: `TrackEvent`.
///
/// Perfetto, "Track events". A begin and an end of a track are a slice; the last begun ends first.
struct PerfettoTracks {
  struct Slice {
    let name: String
    let start: Int64
    fileprivate(set) var end: Int64?
    let track: UInt64
  }

  /// What a track is of.
  struct Track {
    fileprivate(set) var name: String?
    fileprivate(set) var process: Int64?
    fileprivate(set) var thread: Int64?
    fileprivate(set) var parent: UInt64?
    fileprivate(set) var threadName: String?
    fileprivate(set) var processName: String?
  }

  private(set) var slices: [Slice] = []
  private(set) var tracks: [UInt64: Track] = [:]
  private(set) var unmatchedEnds = 0
  private var open: [UInt64: [Int]] = [:]

  var openCount: Int { open.values.reduce(0) { $0 + $1.count } }

  /// Takes a `TrackDescriptor`.
  mutating func takeDescriptor(_ descriptor: ProtobufMessage) {
    guard let identifier = descriptor[1]?.number else { return }
    var track = tracks[identifier] ?? Track()
    track.name = descriptor.text(2) ?? track.name
    track.parent = descriptor[5]?.number ?? track.parent
    if let process = descriptor.message(3) {
      track.process = process.integer(1)
      track.processName = process.text(6)
    }
    if let thread = descriptor.message(4) {
      track.process = thread.integer(1) ?? track.process
      track.thread = thread.integer(2)
      track.threadName = thread.text(5)
    }
    tracks[identifier] = track
  }

  /// Takes a `TrackEvent`.
  mutating func takeEvent(_ context: PerfettoRecording.Context, sequence: UInt64) {
    guard let time = context.time else { return }
    let event = context.message
    let track = event[11]?.number ?? context.state.track ?? 0
    let name =
      event.text(23) ?? event[10]?.number.flatMap { context.state.names[.name]?[$0] } ?? "slice"
    switch event.integer(9) {
    case 1:
      open[track, default: []].append(slices.count)
      slices.append(Slice(name: name, start: time, end: nil, track: track))
    case 2:
      guard let place = open[track]?.popLast() else {
        unmatchedEnds += 1
        return
      }
      slices[place].end = max(time, slices[place].start)
    case 3: slices.append(Slice(name: name, start: time, end: time, track: track))
    default: break
    }
  }

  /// What a track is of, taken from those that it is part of where it does not tell itself.
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
