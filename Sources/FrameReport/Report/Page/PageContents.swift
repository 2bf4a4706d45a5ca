import FrameAnalysis
import FrameTrace

/// The data of an interactive page, in addition to its text: surfaces, and a comparison.
package struct PageContents: Sendable {
  let surfaces: [ExploredSurface]
  let comparison: ExploredComparison?
  let launches: [ExploredLaunch]
  /// The surfaces that are overlaid, by their indices; `nil` for none.
  let pair: (first: Int, second: Int)?
  /// Whether a server provides the data that the page does not contain.
  let isServed: Bool

  package init(
    _ surfaces: [ExploredSurface], comparison: ExploredComparison?, isServed: Bool = false,
    pair: (first: Int, second: Int)? = nil, launches: [ExploredLaunch] = []
  ) {
    self.launches = launches
    (self.surfaces, self.comparison, self.isServed) = (surfaces, comparison, isServed)
    self.pair = pair
  }

  /// All data and the page's plots as JSON that is safe between tags.
  func json(pictures: [HTMLPageWriter.Picture]) -> String {
    var json = JSONWriter(indented: false)
    let files = Set(surfaces.map(\.file))
    json.object { json in
      json.member("schema", "frametool.page/1")
      json.member("isServed", isServed)
      if let pair { json.array("pair", [pair.first, pair.second]) { $1.value($0) } }
      json.array("surfaces", surfaces) { surface, json in
        Self.write(surface, isOneOfSeveral: files.count > 1, &json)
      }
      if !launches.isEmpty { json.member("launches", Self.text(launches)) }
      if let comparison {
        json.key("comparison")
        Self.write(comparison, &json)
      }
      json.array("pictures", pictures) { picture, json in
        json.value(Base64.text(Deflated.all(picture.light + [0] + picture.dark)))
      }
    }
    return Self.betweenTags(json.takeBytes())
  }

  /// JSON without the character that begins a tag.
  private static func betweenTags(_ json: [UInt8]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.count)
    let less = Array("\\u003c".utf8)
    for byte in json {
      if byte == UInt8(ascii: "<") { bytes += less } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func write(
    _ surface: ExploredSurface, isOneOfSeveral: Bool, _ json: inout JSONWriter
  ) {
    json.object { json in
      json.member("title", isOneOfSeveral ? "\(surface.file): \(surface.title)" : surface.title)
      json.memberIfAny("command", surface.command)
      json.member("count", surface.count)
      json.member("detailed", surface.detailedCount)
      json.member("firstRow", surface.firstRow)
      json.array("stages", surface.stages) { row, json in
        json.object { json in
          json.member("key", "\(row.row)")
          json.member("name", row.name)
        }
      }
      if let frameTimes = surface.frameTimes {
        json.key("frameTimes")
        json.object { json in
          json.member("areSteps", frameTimes.areSteps)
          json.memberIfAny("words", frameTimes.words)
        }
      }
      if let latency = surface.latency {
        json.key("latency")
        json.object { json in
          json.member("metric", latency.metric)
          json.member("isOfTouches", latency.isOfTouches)
        }
      }
      json.member("leavesRestsOut", surface.leavesRestsOut)
      json.memberIfAny("interval", surface.interval?.count)
      json.memberIfAny("before", surface.outerIntervals?.before.count)
      json.memberIfAny("after", surface.outerIntervals?.after.count)
      json.memberIfAny("whyNoDrops", surface.whyNoDrops)
      json.member("hasHitches", surface.hitches != nil)
      json.member("areHitchesRebuilt", surface.hitches == .rebuilt)
      json.member("areBuffersInferred", surface.areBuffersInferred)
      json.member(
        "sentences",
        Base64.text(Deflated.all(Array(surface.sentences.joined(separator: "\0").utf8))))
      if !surface.causes.isEmpty { json.member("causes", Self.text(surface.causes)) }
      if !surface.counters.isEmpty { json.member("counters", Self.text(surface.counters)) }
      if !surface.markers.isEmpty { json.member("markers", Self.text(surface.markers)) }
      json.member("markerCount", surface.markerCount)
      write(surface.columns, &json)
    }
  }

  /// Writes the members of columns.
  private static func write(_ columns: PackedColumns, _ json: inout JSONWriter) {
    json.array("columns", columns.columns) { column, json in
      json.object { json in
        json.member("name", column.name)
        json.member("count", column.count)
        json.member("order", column.order)
        json.member("unit", column.unit)
        json.member("width", column.width)
        json.member("sparse", column.isSparse)
      }
    }
    json.member("data", Base64.text(columns.compressed))
  }

  /// The stages of some frames as JSON, for a page that requests them.
  static func json(_ stages: PackedColumns) -> [UInt8] {
    var json = JSONWriter(indented: false)
    json.object { write(stages, &$0) }
    return json.takeBytes()
  }

  /// The values of an array as compressed JSON.
  private static func packed(_ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter(indented: false)
    json.array(write)
    return Base64.text(Deflated.all(json.takeBytes()))
  }

  /// Launches as compressed JSON.
  private static func text(_ launches: [ExploredLaunch]) -> String {
    packed { json in
      for launch in launches {
        json.object { json in
          json.member("name", launch.name)
          json.memberIfAny("end", launch.end)
          json.member("length", launch.length)
          json.array("phases", launch.phases) { phase, json in
            json.array { json in
              json.value(phase.name)
              json.values([phase.start, phase.end])
            }
          }
          write(launch.lanes, &json)
          json.array("slices", launch.slices) { slice, json in
            json.array { json in
              json.value(slice.name)
              json.values([slice.start, slice.end, Int64(slice.depth)])
            }
          }
        }
      }
    }
  }

  /// Writes the member with the states of threads.
  private static func write(_ lanes: [ExploredCause.Lane], _ json: inout JSONWriter) {
    json.array("lanes", lanes) { lane, json in
      json.object { json in
        json.member("name", lane.name)
        json.array("states", lane.states) { state, json in
          json.array { json in
            json.values([state.start, state.end, Int64(state.state.rawValue)])
          }
        }
      }
    }
  }

  /// Causes as compressed JSON; they are viewed one by one.
  private static func text(_ causes: [ExploredCause]) -> String {
    packed { json in
      for cause in causes {
        json.object { json in
          json.member("frame", cause.frame)
          json.member("sentence", cause.sentence)
          for (key, span) in [("range", cause.range), ("app", cause.app)] {
            json.array(key, [span.lowerBound, span.upperBound]) { $1.value($0) }
          }
          write(cause.lanes, &json)
        }
      }
    }
  }

  /// Counters as compressed JSON.
  private static func text(_ counters: [ExploredCounter]) -> String {
    packed { json in
      for counter in counters {
        json.object { json in
          json.member("name", counter.name)
          json.member("unit", counter.unit)
          json.member("count", counter.count)
          json.array("times", counter.readings) { $1.value($0.time) }
          json.array("values", counter.readings) { $1.value($0.value) }
        }
      }
    }
  }

  /// Markers as compressed JSON, each with its time and its name.
  private static func text(_ markers: [ExploredMarker]) -> String {
    packed { json in
      for marker in markers {
        json.array { json in
          json.value(marker.time)
          json.value(marker.name)
        }
      }
    }
  }

  private static func write(_ comparison: ExploredComparison, _ json: inout JSONWriter) {
    json.object { json in
      json.member("what", comparison.what)
      json.array("sides", comparison.sides) { side, json in
        json.object { json in
          json.member("name", side.name)
          json.array("runs", side.runs) { run, json in
            json.object { json in
              json.member("file", run.file)
              json.member("n", run.n)
              json.array("curve", run.curve) { $1.value($0) }
            }
          }
        }
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func values(_ numbers: [Int64]) {
    for number in numbers { value(number) }
  }

  fileprivate mutating func array<Item>(
    _ key: String, _ items: [Item], _ write: (Item, inout JSONWriter) -> Void
  ) {
    self.key(key)
    array { json in for item in items { write(item, &json) } }
  }
}
