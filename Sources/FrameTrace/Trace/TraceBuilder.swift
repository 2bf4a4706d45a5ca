/// A trace under construction by an importer.
package struct TraceBuilder {
  package var trace: Trace
  package var log = IssueLog()
  /// Records of the source that were not read.
  package var unread = UnreadRecords()
  private var surfaceNumbers: [String: Int] = [:]
  /// The marker under construction; its memory is reused for all markers.
  private var marker = Table<MarkerColumn>.Row()

  package init(_ provenance: Provenance) { trace = Trace(provenance) }

  /// The index of the surface with an id; a new surface is created by `make`.
  package mutating func surface(_ id: String, make: () -> Surface) -> Int {
    if let number = surfaceNumbers[id] { return number }
    let number = trace.surfaces.count
    surfaceNumbers[id] = number
    trace.surfaces.append(make())
    return number
  }

  /// The index of the surface with an id; `nil` if there is none.
  package func surface(_ id: String) -> Int? { surfaceNumbers[id] }

  /// Adds a marker, in ns; a marker that ends at its start, or has no end, is an instant.
  package mutating func addMark(
    _ name: String, _ start: Int64, _ end: Int64?, process: String?, thread: Int64?
  ) {
    let name = markText(name)
    addMark(name, start, end, process: process.map { markText($0) }, thread: thread)
  }

  /// Adds a marker by the numbers of its strings.
  package mutating func addMark(
    _ name: Int64, _ start: Int64, _ end: Int64?, process: Int64?, thread: Int64?
  ) {
    marker.clear()
    marker[.name] = name
    marker[.start] = start
    marker[.end] = end == start ? nil : end
    marker[.process] = process
    marker[.thread] = thread
    trace.markers.append(marker)
  }

  /// The number of a string of markers.
  package mutating func markText(_ text: String) -> Int64 {
    trace.markers.texts.number(of: text)
  }

  /// The columns that determine the order of frames, the best first.
  static let frameOrder: [FrameColumn] = [
    .commit, .queued, .appStart, .compositorStart, .gpuStart, .displayed,
  ]

  /// Sorts the frames of every surface by time and updates references to them; removes frames that
  /// the input repeats.
  /// - Returns: The new rows of the frames.
  @discardableResult
  package mutating func sortFrames() -> FramePositions {
    var positions: [Int: [Int32]] = [:]
    var (disorder, repeated) = (0, 0)
    let unordered = trace.surfaces.indices.filter {
      !trace.surfaces[$0].frames.isInOrder(by: Self.frameOrder)
    }
    mendFarTimes(of: unordered)
    mendJumps(of: unordered)
    let mended = Set(unordered)
    for index in trace.surfaces.indices {
      let frames = trace.surfaces[index].frames
      let found = mended.contains(index) ? frames.timeOrder(by: Self.frameOrder) : nil
      disorder += found?.disorder ?? 0
      let twins = RepeatedRows(frames, order: found?.order)
      guard found != nil || !twins.isEmpty else { continue }
      repeated += twins.count
      let order = twins.removed(from: found?.order ?? Array(0..<Int32(frames.count)))
      trace.surfaces[index].frames.reorder(by: order)
      positions[index] = twins.positions(inverse(of: order, count: frames.count))
    }
    log.note(
      .disorder, .info, "out-of-order frames of a surface, sorted by time",
      count: disorder)
    log.note(
      .repeatedRecord, .repaired, "duplicate frames, counted once", count: repeated)
    if !positions.isEmpty { moveFrameReferences(positions) }
    return FramePositions(bySurface: positions)
  }

  private func inverse(of order: [Int32], count: Int) -> [Int32] {
    var positions = [Int32](repeating: 0, count: count)
    for (new, old) in order.enumerated() { positions[Int(old)] = Int32(new) }
    return positions
  }

  private mutating func moveFrameReferences(_ positions: [Int: [Int32]]) {
    // A record without a surface belongs to the only surface.
    let only: Int64? = trace.surfaces.count == 1 ? 0 : nil
    for kind in FactTables.all {
      kind.changeFrames(&trace) { old, surface in
        old.flatMap { old in
          (surface ?? only).flatMap { positions[Int($0)] }.map { Int64($0[Int(old)]) }
        } ?? old
      }
    }
  }

  /// Sorts all other tables by time and returns the trace.
  package consuming func finish() -> Trace {
    noteAbsurdValues()
    nameColumnsApart()
    sortFrames()
    for index in trace.displays.indices { trace.displays[index].refreshes.sort(by: [.time]) }
    for kind in FactTables.all { kind.sort(&trace) }
    joinTelemetry()
    trace.issues = log.issues
    return trace
  }
}

/// The positions of frames after sorting.
package struct FramePositions {
  /// For each surface with moved frames, the new row of each frame.
  fileprivate let bySurface: [Int: [Int32]]

  /// The new row of a frame, by its previous row.
  package func row(_ row: Int, of surface: Int) -> Int {
    bySurface[surface].map { Int($0[row]) } ?? row
  }
}

extension TraceBuilder {
  private mutating func noteAbsurdValues() {
    var values = AbsurdValues(count: leaveOutAbsurdIntervals())
    trace.visitTables(&values)
    log.note(
      .absurdValue, .dataLoss,
      "times, durations and counts beyond ±2^61 (73 years of nanoseconds), left out",
      count: values.count)
  }

  /// - Returns: The number of display and surface intervals left out.
  private mutating func leaveOutAbsurdIntervals() -> Int {
    var count = 0
    func check(_ interval: inout Nanoseconds?) {
      guard let length = interval?.magnitude, length.count > Timestamp.bound else { return }
      interval = nil
      count += 1
    }
    for index in trace.displays.indices {
      check(&trace.displays[index].interval)
      check(&trace.displays[index].shortestInterval)
    }
    for index in trace.surfaces.indices { check(&trace.surfaces[index].targetInterval) }
    return count
  }

  /// No sensor has readings beyond this value, and sums of such readings would not be finite.
  private static let mostReading = 1e15

  /// Joins readings of the same name, unit and source, for example from a log that was restarted, and sorts them by
  /// time.
  private mutating func joinTelemetry() {
    var joined: [TelemetrySeries] = []
    var positions: [[String?]: Int] = [:]
    var absurd = 0
    for var series in trace.telemetry {
      let kept = series.values.indices.filter { series.values[$0].magnitude <= Self.mostReading }
      if kept.count < series.values.count {
        absurd += series.values.count - kept.count
        series.times = kept.map { [times = series.times] in times[$0] }
        series.values = kept.map { [values = series.values] in values[$0] }
      }
      if series.values.isEmpty { continue }
      let key = [series.name, series.unit, series.source]
      guard let position = positions[key] else {
        positions[key] = joined.count
        joined.append(series)
        continue
      }
      joined[position].times += series.times
      joined[position].values += series.values
    }
    for position in joined.indices
    where !zip(joined[position].times, joined[position].times.dropFirst())
      .allSatisfy({ $0 <= $1 })
    {
      let times = joined[position].times
      let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
      joined[position].times = order.map { times[$0] }
      joined[position].values = order.map { [values = joined[position].values] in values[$0] }
    }
    log.note(
      .absurdValue, .dataLoss, "readings of sensors beyond 10^15, left out", count: absurd)
    trace.telemetry = joined
  }

  /// Numbers columns with the same name, so that each can be referred to by name.
  private mutating func nameColumnsApart() {
    for surface in trace.surfaces.indices {
      var names: Set<String> = []
      for position in trace.surfaces[surface].frames.extras.indices {
        let column = trace.surfaces[surface].frames.extras[position]
        var name = column.name
        var number = 2
        while !names.insert(name).inserted {
          name = "\(column.name) (\(number))"
          number += 1
        }
        if name != column.name {
          trace.surfaces[surface].frames.extras[position] = ExtraColumn(
            name: name, unit: column.unit, values: column.values)
        }
      }
    }
  }
}

extension Table {
  /// Sorts the rows by time, in the order of `timeOrder`.
  mutating func sort(by keys: [Column]) {
    if let found = timeOrder(by: keys) { reorder(by: found.order) }
  }
}

/// Counts the values that were left out because they exceed the bound of times and counts.
private struct AbsurdValues: TableVisitor {
  var count: Int

  package mutating func visit<Column>(_ table: Table<Column>, at position: TablePosition) {
    count += table.absurdCount
  }
}
