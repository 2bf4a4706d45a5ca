import FrameTrace

/// Writes events of the Trace Event Format, piece by piece.
struct TraceEvents {
  /// A thread of a process; viewers show it as one row.
  struct Track: Hashable {
    let process, thread: Int
  }

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
  mutating func name(_ track: Track, _ name: String) {
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
    _ name: String, _ track: Track, _ span: Range<Timestamp>, category: String,
    arguments: (inout JSONWriter) -> Void = { _ in }
  ) {
    event("X", name, track.process, track.thread) { json in
      json.member("cat", category)
      json.raw("ts", DecimalText.microseconds(span.lowerBound.nanoseconds))
      json.raw("dur", DecimalText.microseconds(span.length.count))
      json.key("args")
      json.object(arguments)
    }
  }

  /// A point in time on a track.
  mutating func instant(_ name: String, _ track: Track, at time: Timestamp, category: String) {
    event("i", name, track.process, track.thread) { json in
      json.member("cat", category)
      json.raw("ts", DecimalText.microseconds(time.nanoseconds))
      json.member("s", "t")
    }
  }

  /// A value that holds until the next one.
  mutating func counter(_ name: String, process: Int, at time: Timestamp, _ value: Int) {
    event("C", name, process, nil) { json in
      json.raw("ts", DecimalText.microseconds(time.nanoseconds))
      json.key("args")
      json.object { $0.member("value", value) }
    }
  }

  /// An arrow from the slice at the first point, through those at the next points, to the one at
  /// the last.
  mutating func flow(_ id: String, _ places: [(track: Track, time: Timestamp)]) {
    guard places.count > 1 else { return }
    for (index, place) in places.enumerated() {
      let phase = index == 0 ? "s" : index + 1 == places.count ? "f" : "t"
      event(phase, "frame", place.track.process, place.track.thread) { json in
        json.member("cat", "frame")
        json.member("id", id)
        json.raw("ts", DecimalText.microseconds(place.time.nanoseconds))
        // Binds the end of the arrow to the slice around it, instead of the next one.
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
