package import FrameTrace

/// The touch samples of a surface, each with the frame that consumed it and the frame that shows it.
package struct SurfaceTouches: Sendable {
  /// The main samples first, then the others; each group in order of delivery.
  package private(set) var samples: [TouchSample] = []

  /// - Parameter end: The last instant of the trace.
  package init(_ trace: Trace, _ timeline: SurfaceTimeline, end: Timestamp?) {
    let rows = timeline.touchRows.map(Int.init).filter { trace.touches.isTouch($0) }
    guard !rows.isEmpty else { return }
    let consumption = TouchConsumption(trace, timeline, rows: rows, end: end)
    let touches = trace.touches
    var mains = MainSamples()
    for row in rows where touches.kind(row) == .main {
      mains.add(row, touches, position: samples.count)
      samples.append(sample(row, touches, consumption, main: nil, isCopy: false))
    }
    for row in rows where touches.kind(row) != .main {
      let main = touches[row, .main].flatMap { mains.byNumber[$0] }
      let isCopy = touches.kind(row) == .coalesced && mains.holds(row, touches)
      samples.append(sample(row, touches, consumption, main: main, isCopy: isCopy))
    }
  }

  /// A sample is consumed by the frame that it names, otherwise by the frame of its main sample, otherwise by an
  /// inferred frame.
  private func sample(
    _ row: Int, _ touches: Table<TouchColumn>, _ consumption: TouchConsumption, main: Int?,
    isCopy: Bool
  ) -> TouchSample {
    let mainSample = main.map { samples[$0] }
    var frame = consumption.recorded(row)
    var isInferred = false
    if frame == nil, let mainSample {
      (frame, isInferred) = (mainSample.frame, mainSample.isInferred)
    } else if frame == nil {
      frame = consumption.inferred(row)
      isInferred = frame != nil
    }
    let delivered = touches.time(row, .delivered) ?? mainSample?.delivered
    return TouchSample(
      row: row, kind: touches.kind(row),
      phase: touches[row, .phase].flatMap(TouchColumn.Phase.init),
      finger: touches[row, .finger], scanStart: touches.time(row, .scanStart),
      scanEnd: touches.time(row, .scanEnd), delivered: delivered, main: main, frame: frame,
      isInferred: isInferred,
      app: frame.flatMap { consumption.app(of: $0, deliveredAt: delivered) },
      outcome: consumption.outcome(of: row, frame: frame), isCopy: isCopy,
      location: touches.location(row))
  }
}

/// The main samples, indexed by the keys that other samples refer to.
private struct MainSamples {
  private struct Scan: Hashable {
    let finger, scanStart: Int64?
  }

  private(set) var byNumber: [Int64: Int] = [:]
  private var scans: Set<Scan> = []

  mutating func add(_ row: Int, _ touches: Table<TouchColumn>, position: Int) {
    if let number = touches[row, .identifier] { byNumber[number] = position }
    scans.insert(Scan(finger: touches[row, .finger], scanStart: touches[row, .scanStart]))
  }

  /// Whether the sample in a row has the same finger and scan as a main sample.
  func holds(_ row: Int, _ touches: Table<TouchColumn>) -> Bool {
    guard let scanStart = touches[row, .scanStart] else { return false }
    return scans.contains(Scan(finger: touches[row, .finger], scanStart: scanStart))
  }
}

extension Trace {
  /// Touch samples that name no surface although there are several, so that they belong to none.
  package var unassignedTouches: Int {
    guard surfaces.count > 1 else { return 0 }
    return (0..<touches.count).count { touches.isTouch($0) && touches[$0, .surface] == nil }
  }
}

extension Table<TouchColumn> {
  /// The kind of a sample; a source without kinds has only main samples.
  fileprivate func kind(_ row: Int) -> TouchColumn.Kind {
    self[row, .kind].flatMap(TouchColumn.Kind.init) ?? .main
  }

  /// Whether a sample comes from a finger, a pen, or an unknown device.
  fileprivate func isTouch(_ row: Int) -> Bool {
    guard let device = self[row, .device].flatMap(TouchColumn.Device.init) else { return true }
    return device == .touch || device == .pen
  }

  fileprivate func location(_ row: Int) -> TouchSample.Location? {
    guard let x = real(row, .x), let y = real(row, .y) else { return nil }
    return TouchSample.Location(x: x, y: y)
  }
}

/// When the light of a frame is emitted by the display.
struct PhotonTimes {
  private let schedule: FrameSchedule
  /// The part of a scan-out that must be complete: 0 for the top line, 1 for the whole frame.
  private let scanOutShare: Double
  /// The shortest interval of a display at a variable rate.
  private let shortest: Nanoseconds?

  /// - Returns: `nil` where a scan-out must be added but its length is unknown.
  init?(_ surface: RebuiltSurface, scanOutShare: Double) {
    schedule = surface.timeline.schedule
    self.scanOutShare = scanOutShare
    shortest = surface.refreshes.isVariable ? surface.refreshes.scanOutInterval : nil
    let isKnown = surface.refreshes.isVariable ? shortest != nil : schedule.hasInterval
    guard isKnown || scanOutShare == 0 else { return nil }
  }

  /// When a displayed frame's light appears; `nil` if the frame was never displayed.
  func photon(_ row: Int) -> Timestamp? {
    guard let refresh = schedule.displayed[row] else { return nil }
    let interval = shortest ?? schedule.grid.interval(after: refresh)
    let scanOut = Nanoseconds(rounding: Double(interval.count) * scanOutShare)
    return schedule.displayTime(at: refresh) + scanOut
  }

  /// The time between two instants in display intervals; `nil` if the display kept no interval.
  func frames(from start: Timestamp, to end: Timestamp) -> Double? {
    guard schedule.hasInterval else { return nil }
    return schedule.grid.position(end) - schedule.grid.position(start)
  }
}
