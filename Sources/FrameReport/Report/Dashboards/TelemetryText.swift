import FrameAnalysis
import FrameTrace

/// Slow and frozen frames as `app.jank` events of OpenTelemetry: one OTLP/JSON export request per line, for each trace
/// with such frames.
///
/// The event and its attributes follow OpenTelemetry's semantic conventions: the number of frames, the period in
/// seconds (here the sum of the frame times), and the threshold in seconds. Frame times at the display's rate are not
/// slow, so the threshold is one and a half refreshes. Events have no time, because the clocks of most traces have no
/// date.
enum TelemetryText {
  static func write(_ analyses: [TraceAnalysis]) -> String {
    analyses.compactMap { analysis in
      ShownSurfaces(analysis, .answer).whole.first.flatMap { surface in
        surface.jank.contains { $0.over > 0 } ? line(surface, of: analysis) : nil
      }
    }.joined()
  }

  private static func line(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) -> String {
    var json = JSONWriter(indented: false)
    json.object { json in
      json.key("resourceLogs")
      json.array { json in
        json.object { json in
          json.key("resource")
          json.object { $0.attributes(resource(surface, of: analysis)) }
          json.key("scopeLogs")
          json.array { $0.object { write(surface, to: &$0) } }
        }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func resource(
    _ surface: SurfaceAnalysis, of analysis: TraceAnalysis
  ) -> [(String, TelemetryValue)] {
    let setting = analysis.trace.setting
    let file = analysis.trace.provenance.shortTitle
    let known: [(String, String?)] = [
      ("service.name", surface.process ?? surface.name ?? file), ("frametool.trace", file),
      ("device.model.identifier", setting.device), ("os.description", setting.system),
      ("service.version", setting.version),
    ]
    return known.compactMap { key, text in text.map { (key, .text($0)) } }
  }

  private static func write(_ surface: SurfaceAnalysis, to json: inout JSONWriter) {
    json.key("scope")
    json.object { $0.member("name", "frametool") }
    json.key("logRecords")
    json.array { json in
      for share in surface.jank where share.over > 0 {
        json.object { json in
          json.member("eventName", "app.jank")
          json.attributes([
            ("app.jank.frame_count", .integer(share.over)),
            ("app.jank.period", .real(share.total.seconds)),
            ("app.jank.threshold", .real(share.budget.seconds)),
          ])
        }
      }
    }
  }
}

/// The value of an attribute in OTLP/JSON. Integers are strings in OTLP/JSON, because 64 bits do not fit into
/// JavaScript's numbers.
private enum TelemetryValue {
  case text(String)
  case integer(Int)
  case real(Double)
}

extension JSONWriter {
  fileprivate mutating func attributes(_ attributes: [(String, TelemetryValue)]) {
    key("attributes")
    array { json in
      for (name, value) in attributes {
        json.object { json in
          json.member("key", name)
          json.key("value")
          json.object { json in
            switch value {
            case .text(let text): json.member("stringValue", text)
            case .integer(let number): json.member("intValue", "\(number)")
            case .real(let number): json.member("doubleValue", number)
            }
          }
        }
      }
    }
  }
}
