import FrameKit

/// One launch as observed from outside; times are in nanoseconds on the monotonic clock.
struct LaunchRecord: Sendable {
  let process: String
  let kind: LaunchColumn.Kind?
  let isThrowaway: Bool
  let started: Int64
  var firstFrame: Int64?
  var frameCallback: Int64?
  var marked: Int64?
  var exited: Int64?
  var until: LaunchColumn.End
  var cpu: Int64?
  var bytesRead: Int64?
}

/// A recording of launches as a trace in the native format.
struct LaunchRecording {
  private var json = JSONWriter(indented: false)
  private var count: Int64 = 0

  init() {
    record { json in
      json.key("schema")
      json.value("frametool.trace/1")
      json.key("unit")
      json.value("ns")
      json.key("origin")
      json.value("frametool launch run")
    }
    record("clock") { json in
      json.key("name")
      json.value("CLOCK_MONOTONIC")
      json.key("join")
      json.value("traceClock")
    }
  }

  /// The complete file.
  var bytes: [UInt8] { json.bytes }

  mutating func append(_ launch: LaunchRecord) {
    let number = count
    count += 1
    record("launch") { json in
      json.key("id")
      json.value(number)
      json.key("process")
      json.value(launch.process)
      let times = [
        ("started", launch.started), ("firstFrame", launch.firstFrame),
        ("frameCallback", launch.frameCallback), ("marked", launch.marked),
        ("exited", launch.exited), ("cpu", launch.cpu), ("bytesRead", launch.bytesRead),
      ]
      if let kind = launch.kind {
        json.key("kind")
        json.value("\(kind)")
      }
      for (key, time) in times {
        guard let time else { continue }
        json.key(key)
        json.value(time)
      }
      json.key("until")
      json.value("\(launch.until)")
      if launch.isThrowaway {
        json.key("throwaway")
        json.value(true)
      }
    }
  }

  /// Records the conditions under which the launches were measured.
  mutating func note(_ message: String, count: Int) {
    record("issue") { json in
      json.key("kind")
      json.value(TraceIssue.Kind.conditions.rawValue)
      json.key("severity")
      json.value(TraceIssue.Severity.info.rawValue)
      json.key("message")
      json.value(message)
      json.key("count")
      json.value(count)
    }
  }

  private mutating func record(_ type: String? = nil, _ body: (inout JSONWriter) -> Void) {
    json.object { json in
      if let type {
        json.key("type")
        json.value(type)
      }
      body(&json)
    }
    json.endLine()
  }
}
