/// The touch samples of a surface, each with the frame that consumed it and the one that
/// shows it.
struct SurfaceTouches: Sendable {
  /// In order of delivery.
  let samples: [TouchSample]

  init(_ trace: Trace, _ timeline: SurfaceTimeline) {
    let rows = Self.rows(trace, surface: timeline.surface)
    let consumption = TouchConsumption(trace, timeline, rows: rows)
    let touches = trace.touches
    var places: [Int64: Int] = [:]
    var samples: [TouchSample] = []
    // Main samples first, as the others follow theirs.
    let ordered =
      rows.filter { touches.kind($0) == .main } + rows.filter { touches.kind($0) != .main }
    for row in ordered {
      guard let scanStart = touches[row, .scanStart] else { continue }
      let kind = touches.kind(row)
      let main = kind == .main ? nil : touches[row, .main].flatMap { places[$0] }
      if kind == .main, let id = touches[row, .identifier] { places[id] = samples.count }
      let own = consumption.frame(of: row)
      let mainSample = main.map { samples[$0] }
      let consumed = own.frame == nil ? mainSample.map { ($0.frame, $0.isInferred) } ?? own : own
      samples.append(
        TouchSample(
          row: row, kind: kind, finger: touches[row, .finger], scanStart: scanStart,
          scanEnd: touches[row, .scanEnd],
          delivered: touches[row, .delivered] ?? mainSample?.delivered,
          main: main, frame: consumed.0, isInferred: consumed.1,
          outcome: consumption.outcome(of: row, frame: consumed.0),
          isCopy: kind == .coalesced && mainSample?.scanStart == scanStart,
          location: touches.location(row)))
    }
    self.samples = samples
  }

  /// The rows of touches that are the surface's; those of no surface are the only one's.
  private static func rows(_ trace: Trace, surface: Int) -> [Int] {
    (0..<trace.touches.count).filter { row in
      guard trace.touches.isTouch(row) else { return false }
      return trace.touches[row, .surface].map { $0 == Int64(surface) }
        ?? (trace.surfaces.count == 1)
    }
  }
}

extension Table<TouchColumn> {
  /// The kind of a sample; a source that tells none has main ones only.
  fileprivate func kind(_ row: Int) -> TouchColumn.Kind {
    self[row, .kind].flatMap(TouchColumn.Kind.init) ?? .main
  }

  /// Whether a sample is one of a finger or a pen, or of a device that is not told.
  fileprivate func isTouch(_ row: Int) -> Bool {
    guard let device = self[row, .device].flatMap(TouchColumn.Device.init) else { return true }
    return device == .touch || device == .pen
  }

  fileprivate func location(_ row: Int) -> TouchSample.Location? {
    guard let x = real(row, .x), let y = real(row, .y) else { return nil }
    return TouchSample.Location(x: x, y: y)
  }
}
