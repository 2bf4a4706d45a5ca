import FrameTrace

/// The data of a plot as JSON, for scripts that draw it with other tools, and for tests.
package enum PlotData {
  static let schema = "frametool.plot/1"

  /// A plot as JSON, including the final line feed.
  package static func json(_ plot: Plot) -> String {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.member("schema", schema)
      json.member("kind", plot.kind)
      json.member("title", plot.title)
      json.member("subtitle", plot.subtitle)
      json.member("description", plot.description)
      json.key("panels")
      json.array { json in
        for panel in plot.panels { json.object { write(panel, to: &$0) } }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func write(_ panel: PlotPanel, to json: inout JSONWriter) {
    for (key, axis) in [("x", panel.x), ("y", panel.y)] {
      json.key(key)
      json.object { json in write(axis, to: &json) }
    }
    json.key("layers")
    json.array { json in
      for layer in panel.layers { json.object { write(layer, to: &$0) } }
    }
    json.key("labels")
    json.array { json in
      for label in panel.labels {
        json.object { json in
          json.member("x", label.x)
          json.member("y", label.y)
          json.member("text", label.text)
        }
      }
    }
  }

  private static func write(_ axis: PlotAxis, to json: inout JSONWriter) {
    json.member("label", axis.label)
    json.member("low", axis.range.lowerBound)
    json.member("high", axis.range.upperBound)
    json.memberIfAny("reversed", axis.isReversed ? "yes" : nil)
    guard let ticks = axis.ticks else { return }
    json.key("names")
    json.array { json in for tick in ticks { json.value(tick.text) } }
  }

  private static func write(_ layer: PlotLayer, to json: inout JSONWriter) {
    json.member("shape", layer.shape.rawValue)
    json.memberIfAny("name", layer.name)
    json.member("stands_for", layer.color.name)
    json.member("drawn_from", layer.count ?? layer.rows.count)
    json.key("columns")
    json.array { json in for column in layer.shape.columns { json.value(column) } }
    json.key("rows")
    // One row on each line.
    json.array { json in
      for row in layer.rows {
        json.inlineArray { json in for value in row { json.value(value) } }
      }
    }
  }
}
