import FrameTrace

/// Writes the contents of tracks in a format that other viewers read.
protocol TrackWriter {
  /// Names a process and sets its position among the others.
  mutating func name(process: Int, _ name: String)
  /// Names a track and sets its position among the others.
  mutating func name(_ track: EventTrack, _ name: String)
  /// A slice of time on a track.
  /// - Parameter flow: The flow whose arrows connect this slice with others; `nil` for none.
  mutating func slice(
    _ name: String, _ track: EventTrack, _ span: Range<Timestamp>, category: String,
    flow: EventFlow?, _ arguments: [EventArgument])
  /// A point in time on a track.
  mutating func instant(_ name: String, _ track: EventTrack, at time: Timestamp, category: String)
  /// A value that holds until the next one.
  mutating func counter(_ name: String, process: Int, at time: Timestamp, _ value: Int)
  /// An arrow from the slice at the first point, through the slices at the points between, to the slice at the last.
  mutating func flow(_ flow: EventFlow, _ positions: [(track: EventTrack, time: Timestamp)])
}

extension TrackWriter {
  mutating func slice(
    _ name: String, _ track: EventTrack, _ span: Range<Timestamp>, category: String,
    flow: EventFlow? = nil
  ) {
    slice(name, track, span, category: category, flow: flow, [])
  }
}

/// A thread of a process; viewers show it as one row.
struct EventTrack: Hashable {
  let process, thread: Int
}

/// A frame's path along the tracks of a process.
struct EventFlow: Hashable {
  let process, frame: Int
}

/// A named fact about a slice.
struct EventArgument {
  enum Value {
    case integer(Int64)
    case text(String)
    case flag(Bool)
  }

  let key: String
  let value: Value

  static func integer(_ key: String, _ value: some BinaryInteger) -> EventArgument {
    EventArgument(key: key, value: .integer(Int64(clamping: value)))
  }

  static func text(_ key: String, _ value: String) -> EventArgument {
    EventArgument(key: key, value: .text(value))
  }

  static func flag(_ key: String, _ value: Bool) -> EventArgument {
    EventArgument(key: key, value: .flag(value))
  }
}

/// Writes events of the Trace Event Format, piece by piece.
struct TraceEvents: TrackWriter {

  private var json = JSONWriter(indented: false)
  private let sink: ([UInt8]) -> Void
  private var isFirst = true

  init(to sink: @escaping ([UInt8]) -> Void) { self.sink = sink }

  mutating func begin(file: String, clock: String?) {
    json.object { json in
      json.member("generator", "frametool")
      json.member("file", file)
      json.memberIfAny("clock", clock)
    }
    let about = String(decoding: json.takeBytes(), as: UTF8.self)
    json = JSONWriter(indented: false)
    sink(Array("{\"displayTimeUnit\":\"ms\",\"otherData\":\(about),\"traceEvents\":[\n".utf8))
  }

  mutating func end() {
    flush()
    sink(Array("\n]}\n".utf8))
  }

  /// Names a process and sets its position among the others.
  mutating func name(process: Int, _ name: String) {
    event("M", "process_name", process, nil) { json in
      json.key("args")
      json.object { $0.member("name", name) }
    }
    event("M", "process_sort_index", process, nil) { json in
      json.key("args")
      json.object { $0.member("sort_index", process) }
    }
  }

  /// Names a thread and sets its position among the others.
  mutating func name(_ track: EventTrack, _ name: String) {
    event("M", "thread_name", track.process, track.thread) { json in
      json.key("args")
      json.object { $0.member("name", name) }
    }
    event("M", "thread_sort_index", track.process, track.thread) { json in
      json.key("args")
      json.object { $0.member("sort_index", track.thread) }
    }
  }

  /// A slice of time on a track.
  mutating func slice(
    _ name: String, _ track: EventTrack, _ span: Range<Timestamp>, category: String,
    flow: EventFlow?, _ arguments: [EventArgument]
  ) {
    event("X", name, track.process, track.thread) { json in
      json.member("cat", category)
      json.member("ts", span.lowerBound.nanoseconds, decimals: 3)
      json.member("dur", span.length.count, decimals: 3)
      json.key("args")
      json.object { json in
        for argument in arguments { argument.write(to: &json) }
      }
    }
  }

  /// A point in time on a track.
  mutating func instant(_ name: String, _ track: EventTrack, at time: Timestamp, category: String) {
    event("i", name, track.process, track.thread) { json in
      json.member("cat", category)
      json.member("ts", time.nanoseconds, decimals: 3)
      json.member("s", "t")
    }
  }

  /// A value that holds until the next one.
  mutating func counter(_ name: String, process: Int, at time: Timestamp, _ value: Int) {
    event("C", name, process, nil) { json in
      json.member("ts", time.nanoseconds, decimals: 3)
      json.key("args")
      json.object { $0.member("value", value) }
    }
  }

  /// An arrow from the slice at the first point, through the slices at the points between, to the slice at the last.
  mutating func flow(_ flow: EventFlow, _ positions: [(track: EventTrack, time: Timestamp)]) {
    guard positions.count > 1 else { return }
    for (index, position) in positions.enumerated() {
      let phase = index == 0 ? "s" : index + 1 == positions.count ? "f" : "t"
      event(phase, "frame", position.track.process, position.track.thread) { json in
        json.member("cat", "frame")
        json.member("id", "\(flow.process).\(flow.frame)")
        json.member("ts", position.time.nanoseconds, decimals: 3)
        // Binds the end of the arrow to the slice around it instead of the next slice.
        json.memberIfAny("bp", phase == "f" ? "e" : nil)
      }
    }
  }

  private mutating func event(
    _ phase: String, _ name: String, _ process: Int, _ thread: Int?,
    _ body: (inout JSONWriter) -> Void
  ) {
    let separator = isFirst ? "" : ",\n"
    isFirst = false
    json.literal(separator)
    json.object { json in
      json.member("ph", phase)
      json.member("name", name)
      json.member("pid", process)
      json.memberIfAny("tid", thread)
      body(&json)
    }
    if json.bytes.count > 1 << 16 { flush() }
  }

  private mutating func flush() { sink(json.takeBytes()) }
}

extension EventArgument {
  fileprivate func write(to json: inout JSONWriter) {
    switch value {
    case .integer(let number): json.member(key, number)
    case .text(let text): json.member(key, text)
    case .flag(let flag): json.member(key, flag)
    }
  }
}
