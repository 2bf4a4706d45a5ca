extension Trace {
  /// The trace with only those surfaces whose facts pass the test, and what belongs to them
  /// or to no surface at all.
  public func selectingSurfaces(_ isWanted: (Surface) -> Bool) -> Trace {
    var trace = self
    let kept = surfaces.indices.filter { isWanted(surfaces[$0]) }
    var places: [Int64: Int64] = [:]
    for (new, old) in kept.enumerated() { places[Int64(old)] = Int64(new) }
    trace.surfaces = kept.map { surfaces[$0] }
    trace.commits.keepSurfaces(places)
    trace.touches.keepSurfaces(places)
    trace.bufferEvents.keepSurfaces(places)
    trace.layers.keepSurfaces(places)
    trace.passes.keepSurfaces(places)
    trace.statedHitches.keepSurfaces(places)
    return trace
  }
}

extension Table {
  /// Drops the rows of surfaces that are not in `places`, and moves the others' references.
  fileprivate mutating func keepSurfaces(_ places: [Int64: Int64]) {
    guard let column = Column.allCases.first(where: { $0.schema.kind == .surface }), has(column)
    else { return }
    let kept = (0..<Int32(count)).filter { row in
      self[Int(row), column].map { places[$0] != nil } ?? true
    }
    reorder(by: kept)
    if let stored = stored(column) {
      setStored(column, stored.mapped { places[$0] ?? IntegerColumn.missing })
    }
  }
}
