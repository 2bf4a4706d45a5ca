public import FrameTrace

extension Trace {
  /// The same trace with all measured durations lengthened by a share, counted from its start; the display's refreshes
  /// do not move.
  public func slowed(by share: Double) -> Trace {
    let origin = timeRange?.lowerBound.nanoseconds ?? 0
    var slowed = self
    for index in slowed.surfaces.indices {
      slowed.surfaces[index].frames.stretch(1 + share, origin)
    }
    slowed.commits.stretch(1 + share, origin)
    slowed.touches.stretch(1 + share, origin)
    slowed.bufferEvents.stretch(1 + share, origin)
    slowed.layers.stretch(1 + share, origin)
    slowed.launches.stretch(1 + share, origin)
    slowed.phases.stretch(1 + share, origin)
    slowed.threadStates.stretch(1 + share, origin)
    slowed.calls.stretch(1 + share, origin)
    slowed.passes.stretch(1 + share, origin)
    slowed.markers.stretch(1 + share, origin)
    slowed.statedHitches.stretch(1 + share, origin)
    slowed.hangs.stretch(1 + share, origin)
    slowed.pageEvents.stretch(1 + share, origin)
    slowed.figures.worsen(by: 1 + share)
    return slowed
  }
}

extension Table<FigureColumn> {
  /// Lengthens durations and sums of durations, and lowers rates.
  fileprivate mutating func worsen(by factor: Double) {
    var values = IntegerColumn()
    for row in 0..<count {
      let value = real(row, .value).map { value in
        switch text(row, .unit) {
        case "ms", "ms/s": value * factor
        case "fps": value / factor
        default: value
        }
      }
      values.append(value.map { Int64(bitPattern: $0.bitPattern) } ?? IntegerColumn.missing)
    }
    if has(.value) { setStored(.value, values) }
  }
}

extension Table {
  /// Stretches every time and duration, counted from an instant. Refresh numbers are removed,
  /// because they no longer match.
  fileprivate mutating func stretch(_ factor: Double, _ origin: Int64) {
    let stretched = { (length: Int64) in
      length == IntegerColumn.missing
        ? length : Int64(min(max((Double(length) * factor).rounded(), -9e17), 9e17))
    }
    for column in Column.allCases {
      guard let stored = stored(column) else { continue }
      switch column.schema.kind {
      case .time, .duration: setStored(column, stored.mapped(stretched))
      default:
        if column.schema.key.hasSuffix("Refresh") {
          setStored(column, IntegerColumn(missing: count))
        }
      }
    }
    references = references.map { origin + stretched($0 - origin) }
  }
}
