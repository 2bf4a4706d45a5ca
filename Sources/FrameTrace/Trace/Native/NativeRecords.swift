/// The records of the native format that are not rows of tables, shared by the writers of complete
/// traces and of traces still being recorded.
extension JSONWriter {
  /// Writes a line with a record of a kind.
  package mutating func record(_ type: NativeFormat.Record, _ body: (inout JSONWriter) -> Void) {
    object { json in
      json.member("type", type.rawValue)
      body(&json)
    }
    endLine()
  }

  /// Writes the first line; all times after it are in nanoseconds.
  /// - Parameter part: The number of the file in a recording of several files, from 1; `nil` for a trace in one file.
  package mutating func header(origin: String, part: Int? = nil) {
    object { json in
      json.member("schema", NativeFormat.schema)
      json.member("unit", "ns")
      json.member("origin", origin)
      json.memberIfAny("part", part)
    }
    endLine()
  }

  package mutating func record(_ clock: ClockDomain) {
    record(.clock) { json in
      json.member("name", clock.name)
      json.member("join", clock.join.rawValue)
      json.memberIfAny("offset", clock.offset?.count)
      json.memberIfAny("resolution", clock.resolution?.count)
    }
  }

  package mutating func record(_ display: Display) {
    record(.display) { json in
      json.member("id", display.id)
      json.memberIfAny("interval", display.interval?.count)
      json.memberIfAny("shortestInterval", display.shortestInterval?.count)
      json.memberIfAny("variable", display.isVariable)
      json.memberIfAny("sampledRefreshes", display.hasSampledRefreshes)
    }
  }

  /// - Parameter display: The name of the display that shows the surface; `nil` if unknown.
  package mutating func record(_ surface: Surface, on display: String?) {
    record(.surface) { json in
      json.member("id", surface.id)
      json.memberIfAny("name", surface.name)
      json.memberIfAny("process", surface.process)
      json.memberIfAny("pid", surface.processID)
      json.memberIfAny("display", display)
      json.memberIfAny("bufferOwner", surface.bufferOwner?.rawValue)
      json.memberIfAny("composited", surface.isComposited)
      json.memberIfAny("allocatedBuffers", surface.allocatedBuffers)
      json.memberIfAny("targetInterval", surface.targetInterval?.count)
      json.memberIfAny("idsCountFrames", surface.numbersCountFrames)
      json.memberIfAny("derivesStarts", surface.derivesStarts)
      json.memberIfAny("dropsThatAffectSmoothness", surface.statedDrops?.visible)
      json.memberIfAny("otherDrops", surface.statedDrops?.invisible)
      json.memberIfAny("longestDropRun", surface.statedDrops?.longest?.frames)
      json.memberIfAny("longestDropRunStart", surface.statedDrops?.longest?.start.nanoseconds)
      json.memberIfAny("longestDropRunLength", surface.statedDrops?.longest?.length.count)
    }
  }

  /// Writes a reading of a sensor or counter.
  package mutating func record(_ series: TelemetrySeries, _ time: Timestamp, _ value: Double) {
    record(.telemetry) { json in
      json.member("name", series.name)
      json.memberIfAny("unit", series.unit)
      json.memberIfAny("source", series.source)
      json.member("time", time.nanoseconds)
      json.key("value")
      json.value(value)
    }
  }

  package mutating func record(_ issue: TraceIssue) {
    record(.issue) { json in
      json.member("kind", issue.kind.rawValue)
      json.member("severity", issue.severity.rawValue)
      json.member("message", issue.message)
      json.member("count", issue.count)
      switch issue.first {
      case .line(let number): json.member("line", number)
      case .byte(let offset): json.member("byte", offset)
      case nil: break
      }
    }
  }
}
