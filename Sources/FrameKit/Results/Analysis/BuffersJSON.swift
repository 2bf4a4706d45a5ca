/// The JSON object of a surface's buffers.
struct BuffersJSON {
  private static let depths = ["1", "2", "3", "4+"]

  /// Writes the members of the object.
  static func write(
    _ finding: Finding<BufferFindings>, from origin: Timestamp, to json: inout JSONWriter
  ) {
    let buffers = finding.value
    let why = finding.whyMissing ?? "no frame has a display time"
    json.key("depth_share")
    json.object { json in
      for (index, key) in depths.enumerated() {
        json.member(key, buffers?.depthShares.map { $0[index] })
      }
      if buffers?.depthShares == nil { json.writeReasons(depths.map { ($0, why) }) }
    }
    json.member("colors", buffers?.count)
    json.member("inferred", buffers.map { $0.isInferred || $0.hasInferredUse })
    json.key("mode_changes")
    if let buffers {
      json.array { json in
        for change in buffers.changes {
          json.object { json in write(change, from: origin, to: &json) }
        }
      }
    } else {
      json.null()
    }
    json.member("used", buffers?.used)
    json.member("allocated", buffers?.allocated)
    json.member("held", buffers?.held)
    json.member("pool", buffers?.isPool)
    var reasons: [(String, String)] = []
    if buffers == nil {
      reasons = ["colors", "inferred", "mode_changes", "used", "allocated", "held", "pool"].map {
        ($0, why)
      }
    } else {
      if buffers?.used == nil { reasons.append(("used", "the trace names no buffers")) }
      if buffers?.allocated == nil {
        reasons.append(("allocated", "the trace does not tell how many were allocated"))
      }
      if buffers?.held == nil {
        reasons.append(("held", "the trace does not tell which the compositor held"))
      }
    }
    json.writeReasons(reasons)
  }

  private static func write(
    _ change: BufferFindings.Change, from origin: Timestamp, to json: inout JSONWriter
  ) {
    json.member("t_ms", (change.time - origin).milliseconds)
    json.member("from", change.from)
    json.member("to", change.to)
    json.member("frame", change.frame)
    json.member("stage", change.stage?.rawValue)
    if change.stage == nil {
      json.writeReasons([("stage", "no stage that the trace tells of took another time")])
    }
  }
}
