/// Writes an analysis of launches as JSON, schema `frametool.launch/1`: keys in a fixed order,
/// times in milliseconds, `null` with its reason under `why_missing` of the same object.
struct LaunchJSONWriter {
  static let schema = "frametool.launch/1"

  func write(_ analysis: LaunchAnalysis, _ comparison: Comparison?) -> String {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.member("schema", Self.schema)
      json.member("goal_ms", LaunchShares.goal.milliseconds)
      json.member("system_goal_ms", LaunchShares.systemGoal.milliseconds)
      json.member("app_goal_ms", LaunchShares.appGoal.milliseconds)
      json.key("groups")
      json.array { json in
        for group in analysis.groups { json.object { Self.write(group, to: &$0) } }
      }
      json.key("left_out")
      json.object { json in
        for why in RebuiltLaunch.Exclusion.allCases {
          json.member(why.rawValue, analysis.excluded.first { $0.why == why }?.count ?? 0)
        }
      }
      json.key("findings")
      json.array { json in
        for launch in analysis.told { Self.writeFindings(launch, to: &json) }
      }
      json.key("traces")
      json.array { json in
        for (trace, launches) in zip(analysis.traces, analysis.launches) {
          json.object { Self.write(trace, launches, to: &$0) }
        }
      }
      if let comparison {
        json.key("comparison")
        json.object { ComparisonJSONWriter.write(comparison, to: &$0) }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func write(_ group: LaunchGroup, to json: inout JSONWriter) {
    json.member("process", group.key.process)
    json.member("kind", group.key.kind.map { "\($0)" })
    json.member("until", "\(group.key.until)")
    json.member("profiled", group.key.isProfiled)
    let hasGoal = group.key.until != .exited
    json.member("from", group.key.measure.isFromTap ? "tap" : "process")
    json.member("metric", group.key.measure.name)
    json.member("over_goal", hasGoal ? group.overGoal : nil)
    let untold = "the trace does not tell it"
    let summaries = [
      ("total", group.total, untold), ("system", group.system, "no launch tells its phases"),
      ("app", group.app, "no launch tells its phases"), ("cpu", group.cpu, untold),
    ]
    for (key, summary, why) in summaries {
      SummaryJSON.write(
        key, summary, missing: group.launches.count - (summary?.n ?? 0), unit: "ms",
        isInferred: false, why: why, to: &json)
    }
    json.key("phases")
    json.array { json in
      for phase in group.phases {
        json.object { json in
          json.member("name", "\(phase.name)")
          for (key, summary) in [("wall", phase.wall), ("cpu", phase.cpu)] {
            SummaryJSON.write(
              key, summary, missing: group.launches.count - (summary?.n ?? 0), unit: "ms",
              isInferred: false, why: untold, to: &json)
          }
        }
      }
    }
    var reasons: [(String, String)] = []
    if group.key.process == nil { reasons.append(("process", untold)) }
    if group.key.kind == nil { reasons.append(("kind", untold)) }
    if !hasGoal { reasons.append(("over_goal", "the goal is one of first frames")) }
    json.writeReasons(reasons)
  }

  private static func writeFindings(_ launch: RebuiltLaunch, to json: inout JSONWriter) {
    for finding in launch.findings {
      json.object { json in
        json.member("launch", launch.number)
        json.member("question", finding.question.rawValue)
        json.member("phase", "\(finding.phase)")
        json.member("ms", Double(finding.cost) / 1e6)
        json.member("text", finding.words)
      }
    }
  }

  private static func write(
    _ trace: Trace, _ launches: [RebuiltLaunch], to json: inout JSONWriter
  ) {
    json.member("file", trace.provenance.file)
    json.member("importer", trace.provenance.importer)
    json.key("issues")
    json.array { json in
      for issue in trace.issues { json.object(issue.write) }
    }
    json.key("launches")
    json.array { json in
      for launch in launches { json.object { LaunchJSON(launch).write(to: &$0) } }
    }
  }
}
