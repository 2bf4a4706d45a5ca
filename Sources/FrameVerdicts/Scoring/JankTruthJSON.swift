import FrameAnalysis
package import FrameTrace

extension JankTruth {
  /// The schema of the truth's JSON form, with its version.
  package static let schemaName = "frametool.truth/2"
  /// The suffix of the names of truth files.
  package static let suffix = ".truth.json"

  /// The columns of frames in the JSON form, each an array with one value per frame.
  fileprivate static let columns:
    [(key: String, member: any WritableKeyPath<Frame, Int64?> & Sendable)] = [
      ("app_start_ns", \.appStart), ("commit_ns", \.commit),
      ("compositor_start_ns", \.compositorStart), ("compositor_end_ns", \.compositorEnd),
      ("gpu_start_ns", \.gpuStart), ("gpu_end_ns", \.gpuEnd), ("queued_ns", \.queued),
      ("displayed_ns", \.displayed), ("refresh", \.refresh), ("replaced_ns", \.replaced),
      ("buffer", \.buffer),
    ]

  /// The keys of the columns of frames, in order.
  package static var columnNames: [String] { columns.map(\.key) }

  /// The truth as JSON.
  package var json: [UInt8] {
    var json = JSONWriter(indented: false)
    json.object { json in
      json.member("schema", Self.schemaName)
      json.member("trace", name)
      json.member("family", family)
      json.member("seed", Int64(truncatingIfNeeded: seed))
      json.member("version", version)
      json.key("file")
      if let file { json.object(file.write) } else { json.null() }
      json.key("display")
      json.object(writeDisplay)
      json.list("surfaces", surfaces) { $1.write(to: &$0) }
      json.list("faults", faults) { $1.write(to: &$0) }
      json.list("dropped", drops) { $1.write(to: &$0) }
      json.list("touches", touches) { json, touch in
        json.member("time_ns", touch.time)
        json.member("surface", touch.surface)
        json.member("frame", touch.frame)
        json.member("latency_ns", touch.latency?.count)
      }
    }
    json.endLine()
    return json.bytes
  }

  private func writeDisplay(to json: inout JSONWriter) {
    json.member("variable", isVariable)
    json.list("rates", rates) { json, rate in
      json.member("refresh", rate.refresh)
      json.member("time_ns", rate.time)
      json.member("interval_ns", rate.interval)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func list<Value>(
    _ key: String, _ values: [Value], _ write: (inout JSONWriter, Value) -> Void
  ) {
    self.key(key)
    array { json in
      for value in values { json.object { write(&$0, value) } }
    }
  }

  fileprivate mutating func position(_ key: String, _ position: JankTruth.Position?) {
    self.key(key)
    guard let position else { return null() }
    object { json in
      json.member("surface", position.surface)
      json.member("frame", position.frame)
    }
  }
}

extension JankTruth.File {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("name", name)
    json.member("format", format)
    json.member("importer", importer)
    json.member("precision_ns", precision.count)
    json.member("crc32", Int64(checksum))
    json.key("missing")
    json.array { json in
      for item in missing { json.value(item) }
    }
  }
}

extension JankTruth.Surface {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("filled_by", isFilledByApp ? "app" : "compositor")
    json.key("frames")
    json.object { json in
      json.column("row", frames.map { $0.row.map(Int64.init) })
      if frames.contains(where: \.isGenerated) {
        json.column("generated", frames.map { $0.isGenerated ? 1 : 0 })
      }
      for column in JankTruth.columns {
        let values = frames.map { $0[keyPath: column.member] }
        if values.contains(where: { $0 != nil }) { json.column(column.key, values) }
      }
    }
    json.list("depth", depth) { json, change in
      json.member("time_ns", change.time)
      json.member("buffers", change.buffers)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func column(_ key: String, _ values: [Int64?]) {
    self.key(key)
    array { json in
      for value in values {
        if let value { json.value(value) } else { json.null() }
      }
    }
  }
}

extension JankTruth.Fault {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("surface", position.surface)
    json.member("frame", position.frame)
    json.member("stage", stage.rawValue)
    json.member("extra_ns", extra.count)
    json.member("sustained", isSustained)
    json.member("cause", cause)
  }
}

extension JankTruth.Drop {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("refresh", refresh)
    json.member("time_ns", time)
    json.member("surface", surface)
    json.member("victim", victim)
    json.position("culprit", culprit)
    json.member("stage", stage.rawValue)
    json.member("cause", cause)
  }
}

extension JankTruth {
  /// Whether a file's first bytes are those of a truth file, of any version.
  package static func recognizes(_ head: [UInt8]) -> Bool {
    let start = String(decoding: head.prefix(200), as: UTF8.self)
    return start.contains(#""schema""#) && start.contains("frametool.truth/")
  }

  /// Reads a truth.
  /// - Throws: If the text is not a truth, or if it has a different version.
  package init(_ bytes: [UInt8], path: String) throws(ParseError) {
    let node = try JSONNode(bytes, path: path, help: TruthReading.help)
    let schema = node["schema"]?.text ?? "none"
    guard schema == Self.schemaName else {
      throw ParseError(
        path: path, problem: "expected the schema \(Self.schemaName), found \(schema)",
        help: "truths to score by are written by 'frametool generate --random N -o FOLDER'")
    }
    self = try TruthReading(path: path).truth(node)
  }
}

/// Reads a truth from its JSON form.
private struct TruthReading {
  static let help = "write the truths again with 'frametool generate --random'"

  let path: String

  private func fail(_ what: String) -> ParseError {
    ParseError(
      path: path, problem: "expected \(what)", help: Self.help)
  }

  private func integer(_ node: JSONNode?, _ key: String) throws(ParseError) -> Int64 {
    guard let value = node?[key]?.integer, JankTruth.times.contains(value) else {
      throw fail("a whole number as \(key), far from the bounds of 64 bits")
    }
    return value
  }

  /// The number of a refresh.
  private func number(_ node: JSONNode?, _ key: String) throws(ParseError) -> Int64 {
    let value = try integer(node, key)
    guard JankTruth.refreshes.contains(value) else {
      throw fail("the number of a refresh as \(key)")
    }
    return value
  }

  private func position(_ node: JSONNode?, _ key: String) throws(ParseError) -> Int {
    guard let value = Int(exactly: try integer(node, key)), value >= 0 else {
      throw fail("a place as \(key)")
    }
    return value
  }

  private func text(_ node: JSONNode?, _ key: String) throws(ParseError) -> String {
    guard let value = node?[key]?.text else { throw fail("a text as \(key)") }
    return value
  }

  private func rows(_ node: JSONNode?, _ key: String) throws(ParseError) -> [JSONNode] {
    guard let rows = node?[key]?.array else { throw fail("a list as \(key)") }
    return rows
  }

  private func stage(_ node: JSONNode) throws(ParseError) -> PipelineStage {
    guard let stage = PipelineStage(rawValue: try text(node, "stage")) else {
      throw fail("app, compositor, gpu, display or unknown as stage")
    }
    return stage
  }

  func truth(_ node: JSONNode) throws(ParseError) -> JankTruth {
    var surfaces: [JankTruth.Surface] = []
    for row in try rows(node, "surfaces") { surfaces.append(try surface(row)) }
    var truth = JankTruth(
      name: try text(node, "trace"), family: try text(node, "family"),
      seed: UInt64(bitPattern: node["seed"]?.integer ?? 0), surfaces: surfaces)
    truth.version = try position(node, "version")
    if let file = node["file"], file.isObject { truth.file = try self.file(file) }
    truth.isVariable = node["display"]?["variable"]?.isTrue ?? false
    for rate in try rows(node["display"], "rates") {
      let interval = try integer(rate, "interval_ns")
      guard (1...1_000_000_000_000).contains(interval) else {
        throw fail("1 to 1000000000000 as interval_ns")
      }
      truth.rates.append(
        .init(
          refresh: try number(rate, "refresh"), time: try integer(rate, "time_ns"),
          interval: interval))
    }
    for row in try rows(node, "faults") {
      truth.faults.append(
        .init(
          position: try known(row, "frame", surfaces), stage: try stage(row),
          extra: Nanoseconds(try integer(row, "extra_ns")),
          isSustained: row["sustained"]?.isTrue ?? false, cause: row["cause"]?.text))
    }
    for row in try rows(node, "dropped") { truth.drops.append(try drop(row, surfaces)) }
    for row in try rows(node, "touches") {
      truth.touches.append(
        .init(
          time: try integer(row, "time_ns"), surface: try position(row, "surface"),
          frame: row["frame"]?.count,
          latency: row["latency_ns"]?.integer.flatMap {
            JankTruth.times.contains($0) ? Nanoseconds($0) : nil
          }))
    }
    return truth
  }

  private func drop(
    _ row: JSONNode, _ surfaces: [JankTruth.Surface]
  ) throws(ParseError) -> JankTruth.Drop {
    let victim = try known(row, "victim", surfaces)
    let culprit = row["culprit"].flatMap { $0.isObject ? $0 : nil }
    return JankTruth.Drop(
      refresh: try number(row, "refresh"), time: try integer(row, "time_ns"),
      surface: victim.surface, victim: victim.frame,
      culprit: try culprit.map { node throws(ParseError) in try known(node, "frame", surfaces) },
      stage: try stage(row), cause: row["cause"]?.text)
  }

  private func known(
    _ row: JSONNode, _ key: String, _ surfaces: [JankTruth.Surface]
  ) throws(ParseError) -> JankTruth.Position {
    let position = JankTruth.Position(
      surface: try position(row, "surface"), frame: try self.position(row, key))
    guard surfaces.indices.contains(position.surface),
      surfaces[position.surface].frames.indices.contains(position.frame)
    else { throw fail("a frame of one of its surfaces as \(key)") }
    return position
  }

  private func file(_ node: JSONNode) throws(ParseError) -> JankTruth.File {
    var file = JankTruth.File(
      name: try text(node, "name"), format: try text(node, "format"),
      importer: try text(node, "importer"),
      precision: Nanoseconds(try integer(node, "precision_ns")),
      checksum: UInt32(truncatingIfNeeded: try integer(node, "crc32")))
    file.missing = try rows(node, "missing").compactMap(\.text)
    return file
  }

  private func surface(_ node: JSONNode) throws(ParseError) -> JankTruth.Surface {
    guard let columns = node["frames"]?.membersByKey, let rows = columns["row"]?.array else {
      throw fail("frames with a column row")
    }
    var frames = rows.map { JankTruth.Frame(row: $0.count) }
    for (position, value) in (columns["generated"]?.array ?? []).enumerated()
    where frames.indices.contains(position) {
      frames[position].isGenerated = value.integer == 1
    }
    for column in JankTruth.columns {
      guard let values = columns[column.key]?.array else { continue }
      guard values.count == frames.count else {
        throw fail("\(frames.count) values as \(column.key), found \(values.count)")
      }
      for (position, value) in values.enumerated() {
        let bounds = column.key == "refresh" ? JankTruth.refreshes : JankTruth.times
        frames[position][keyPath: column.member] = value.integer.flatMap {
          bounds.contains($0) ? $0 : nil
        }
      }
    }
    var surface = JankTruth.Surface(
      id: try text(node, "id"), isFilledByApp: try text(node, "filled_by") == "app",
      frames: frames)
    for change in try self.rows(node, "depth") {
      surface.depth.append(
        (time: try integer(change, "time_ns"), buffers: try position(change, "buffers")))
    }
    return surface
  }
}
