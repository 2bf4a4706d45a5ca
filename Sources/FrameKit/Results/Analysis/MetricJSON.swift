/// The JSON object of one metric of a surface.
struct MetricJSON {
  private let metric: MetricResult

  init(_ metric: MetricResult) { self.metric = metric }

  func write(to json: inout JSONWriter) {
    json.member("unit", metric.unit.rawValue)
    switch metric.figures {
    case .summary(let summary):
      writeStart(n: summary.n, to: &json)
      for (key, figure) in zip(Summary.names, summary.figures) { json.member(key, figure / 1e6) }
      writeEnd(reasons: [], to: &json)
    case .figure(let figure, let n):
      writeStart(n: n, to: &json)
      for key in Summary.names { json.member(key, nil as Double?) }
      json.member("value", figure)
      writeEnd(
        reasons: Summary.names.map { ($0, "one figure for all frames, under value") }, to: &json
      )
    case .unavailable(let why):
      writeStart(n: 0, to: &json)
      for key in Summary.names { json.member(key, nil as Double?) }
      writeEnd(reasons: Summary.names.map { ($0, why) }, to: &json)
    }
  }

  private func writeStart(n: Int, to json: inout JSONWriter) {
    json.member("n", n)
    json.member("missing", metric.missing)
  }

  private func writeEnd(reasons: [(String, String)], to json: inout JSONWriter) {
    json.member("inferred", metric.isInferred)
    if let definition = metric.definition { json.member("definition", definition) }
    if let reason = metric.passedOver { json.member("passed_over", reason) }
    if !metric.exclusions.isEmpty {
      json.key("excluded")
      json.array { json in
        for exclusion in metric.exclusions {
          json.object { json in
            json.member("reason", exclusion.reason)
            json.member("count", exclusion.count)
          }
        }
      }
    }
    json.writeReasons(reasons)
  }
}
