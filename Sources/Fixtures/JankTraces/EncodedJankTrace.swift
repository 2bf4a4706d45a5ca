package import FrameKit

/// A generated trace as a file, and its truth in terms of that file: with the file's clock, frame rows, surface names,
/// and a list of the data that the file lacks.
///
/// Missing data is found by reading the file back, so that it is stated for each trace and not for the format.
package struct EncodedJankTrace: Sendable {
  package let bytes: [UInt8]
  package let truth: JankTruth

  /// Why a trace cannot be written.
  package struct Refusal: Error {
    package let why: String
  }

  package init(_ generated: JankTrace, as encoder: any TraceEncoder) throws(Refusal) {
    let whyNot = encoder.whyNot(generated.trace) ?? encoder.whyMisread(generated.trace)
    if let whyNot { throw Refusal(why: whyNot) }
    bytes = encoder.encode(generated.trace)
    let name = generated.truth.name + encoder.suffix
    let read: Trace
    do throws(ParseError) {
      read = try Importers.read(InputFile(bytes: bytes, path: name))
    } catch {
      throw Refusal(why: "what is written cannot be read: \(error.problem)")
    }
    let asRead = TraceAsRead(generated.trace, read)
    guard asRead.hasSurfaces else {
      throw Refusal(why: "the format does not keep the surfaces apart")
    }
    var truth = generated.truth
    var file = JankTruth.File(
      name: name, format: encoder.name, importer: encoder.importer,
      precision: Nanoseconds.milliseconds(encoder.precision), checksum: Checksum.of(bytes))
    file.missing = asRead.missing
    truth.file = file
    asRead.restate(&truth)
    guard truth.surfaces.allSatisfy({ $0.frames.contains { $0.row != nil } }) else {
      throw Refusal(why: "its frames cannot be distinguished in the file")
    }
    self.truth = truth
  }
}

extension TraceEncoder {
  /// The suffix of the file's name.
  package var suffix: String {
    switch importer {
    case "native": ".jsonl"
    case "packed": ".ftz"
    case "perfetto": ".pftrace"
    case "xctrace": ".xml"
    case "chrome": ".json"
    case "gfxinfo", "systrace", "wayland-debug", "evemu", "x11-present", "frame-recorder": ".txt"
    default: ".csv"
    }
  }
}

/// A trace as read back from a file.
private struct TraceAsRead {
  private let trace, read: Trace
  /// The file's surface for each surface of the trace.
  private let positions: [Int?]
  /// How much later an instant is on the file's clock.
  private let shift: Int64

  init(_ trace: Trace, _ read: Trace) {
    (self.trace, self.read) = (trace, read)
    let drawn = read.surfaces.indices.filter { read.surfaces[$0].frames.count > 0 }
    positions = trace.surfaces.indices.map { index in
      let same = drawn.filter { read.surfaces[$0].id == trace.surfaces[index].id }
      if same.count == 1 { return same[0] }
      return drawn.count == trace.surfaces.count ? drawn[index] : nil
    }
    let last = { (surface: Surface, column: FrameColumn) in
      (0..<surface.frames.count).compactMap { surface.frames[$0, column] }.max()
    }
    let known = zip(trace.surfaces, positions).compactMap { surface, position -> Int64? in
      for column in [FrameColumn.displayed, .commit, .appStart] {
        guard let own = last(surface, column), let position,
          let other = last(read.surfaces[position], column)
        else { continue }
        return other - own
      }
      return nil
    }
    // Rounding does not count as a shift.
    let offset = known.first ?? 0
    shift = abs(offset) < 1_000_000 ? 0 : offset
  }

  var hasSurfaces: Bool { positions.allSatisfy { $0 != nil } }

  /// The data that the file lacks.
  var missing: [String] {
    var missing: Set<String> = []
    for (surface, position) in zip(trace.surfaces, positions) {
      guard let position else { continue }
      let frames = read.surfaces[position].frames
      for column in FrameColumn.allCases where surface.frames.has(column) && !frames.has(column) {
        missing.insert("frames.\(column.schema.key)")
      }
    }
    if trace.touches.count > 0, read.touches.count == 0 { missing.insert("touches") }
    if trace.threadStates.count > 0, read.threadStates.count == 0 { missing.insert("threads") }
    let refreshes = { (trace: Trace) in trace.displays.contains { $0.refreshes.count > 0 } }
    if refreshes(trace), !refreshes(read) { missing.insert("refreshes") }
    return missing.sorted()
  }

  /// Expresses the truth in terms of the file.
  func restate(_ truth: inout JankTruth) {
    for index in truth.surfaces.indices {
      guard let position = positions[index] else { continue }
      let surface = read.surfaces[position]
      truth.surfaces[index].id = surface.id
      let rows = self.rows(trace.surfaces[index].frames, surface.frames)
      for frame in truth.surfaces[index].frames.indices {
        truth.surfaces[index].frames[frame].row = rows[frame]
      }
    }
    if shift != 0 { truth.shift(by: shift) }
  }

  /// The file's row of each frame: the row with the same commit, or else with the same display time.
  private func rows(_ own: Table<FrameColumn>, _ other: Table<FrameColumn>) -> [Int?] {
    var rows = [Int?](repeating: nil, count: own.count)
    var next = 0
    for frame in 0..<own.count {
      guard let found = (next..<other.count).first(where: { isSame(own, frame, other, $0) })
      else { continue }
      rows[frame] = found
      next = found + 1
    }
    return rows
  }

  private func isSame(
    _ own: Table<FrameColumn>, _ frame: Int, _ other: Table<FrameColumn>, _ row: Int
  ) -> Bool {
    for column in [FrameColumn.displayed, .commit, .appStart] {
      guard let time = own[frame, column] else { continue }
      guard let found = other[row, column] else { continue }
      return abs(found - shift - time) < 1_000_000
    }
    return false
  }
}

extension JankTruth {
  /// Moves all times to another clock.
  fileprivate mutating func shift(by offset: Int64) {
    for index in rates.indices { rates[index].time += offset }
    for index in drops.indices { drops[index].time += offset }
    for index in touches.indices { touches[index].time += offset }
    for surface in surfaces.indices {
      for index in surfaces[surface].depth.indices { surfaces[surface].depth[index].time += offset }
      for index in surfaces[surface].frames.indices {
        surfaces[surface].frames[index].shift(by: offset)
      }
    }
  }
}

extension JankTruth.Frame {
  fileprivate mutating func shift(by offset: Int64) {
    let times: [WritableKeyPath<JankTruth.Frame, Int64?>] = [
      \.appStart, \.commit, \.compositorStart, \.compositorEnd, \.gpuStart, \.gpuEnd, \.queued,
      \.displayed, \.replaced,
    ]
    for time in times { self[keyPath: time] = self[keyPath: time].map { $0 + offset } }
  }
}
