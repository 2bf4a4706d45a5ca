package import FrameKit

extension GameChain {
  /// The trace that a recorder would have written for the played frames.
  /// - Parameters:
  ///   - process: The name of the program.
  ///   - refreshes: The refresh times of a display that waits for frames, and whether it repeated a frame at each;
  ///     empty if the recorder did not see the refreshes.
  ///   - queues: Whether the recorder saw when each buffer was queued, that is, when the GPU had finished it.
  ///   - generatedFirst: Whether a driver shows a generated frame halfway before each of the app's frames, and lists it
  ///     before that frame (`true`) or after it (`false`); `nil` if it shows none.
  package func trace(
    of frames: [Stages], named name: String, process: String,
    refreshes: [(time: Int64, isRepeated: Bool)] = [], queues: Bool = false,
    generatedFirst: Bool? = nil
  ) -> Trace {
    var builder = TraceBuilder(
      Provenance(
        file: name, importer: "scenario", format: "scenario \(name)", reason: "it was generated"))
    builder.trace.clocks = [
      ClockDomain(
        name: "simulated", join: .traceClock, offset: nil, resolution: Nanoseconds(100))
    ]
    builder.trace.displays = [display(until: frames.compactMap(\.displayed).max() ?? 0, refreshes)]
    let surface = builder.surface("game") {
      Surface(
        id: "game", name: "0xF00D", process: process, processID: 4242, display: 0, bufferOwner: .app
      )
    }
    for (row, stages) in frames.enumerated() {
      let made = row > 0 ? generated(between: frames[row - 1], stages) : nil
      if let made, generatedFirst == true { builder.trace.surfaces[surface].frames.append(made) }
      var written = Self.row(stages)
      if queues { written[.queued] = stages.gpuEnd }
      builder.trace.surfaces[surface].frames.append(written)
      if let made, generatedFirst == false { builder.trace.surfaces[surface].frames.append(made) }
      if let click = stages.click {
        builder.trace.touches.append(Self.click(at: click, surface: surface, frame: row))
      }
    }
    return builder.finish()
  }

  /// The frame that a driver generates between two frames, if there is a refresh between them.
  private func generated(between before: Stages, _ next: Stages) -> Table<FrameColumn>.Row? {
    guard let start = before.displayed, let end = next.displayed else { return nil }
    let (first, last) = (display.first(atOrAfter: start), display.first(atOrAfter: end))
    guard last - first >= 2 else { return nil }
    var row = Table<FrameColumn>.Row()
    row[.kind] = FrameColumn.Kind.generated.rawValue
    row[.commit] = extrapolates ? before.commit : next.commit
    row[.displayed] = display.time(first + (last - first) / 2)
    row[.fate] = FrameColumn.Fate.displayed.rawValue
    return row
  }

  private func display(
    until end: Int64, _ refreshes: [(time: Int64, isRepeated: Bool)]
  ) -> Display {
    var display = Display(id: "display")
    if case .variableRefresh = presentation {
      display.isVariable = true
      display.shortestInterval = Nanoseconds(self.display.interval)
      for (number, refresh) in refreshes.enumerated() {
        var row = Table<RefreshColumn>.Row()
        row[.number] = Int64(number)
        row[.time] = refresh.time
        row[.repeated] = refresh.isRepeated ? 1 : 0
        display.refreshes.append(row)
      }
      return display
    }
    display.isVariable = false
    if self.display.keepsRate { display.interval = Nanoseconds(self.display.interval) }
    for number in 0...self.display.first(atOrAfter: max(0, end)) {
      var row = Table<RefreshColumn>.Row()
      row[.number] = number
      row[.time] = self.display.time(number)
      display.refreshes.append(row)
    }
    return display
  }

  private static func row(_ stages: Stages) -> Table<FrameColumn>.Row {
    var row = Table<FrameColumn>.Row()
    row[.appStart] = stages.appStart
    row[.commit] = stages.commit
    row[.appEnd] = stages.appEnd
    row[.gpuStart] = stages.gpuStart
    row[.gpuEnd] = stages.gpuEnd
    row[.gpuBusy] = stages.gpuEnd - stages.gpuStart
    row[.displayed] = stages.displayed
    row[.replaced] = stages.displayed == nil ? nil : stages.replaced
    let fate: FrameColumn.Fate = stages.displayed == nil ? .discarded : .displayed
    row[.fate] = fate.rawValue
    return row
  }

  private static func click(at time: Int64, surface: Int, frame: Int) -> Table<TouchColumn>.Row {
    var row = Table<TouchColumn>.Row()
    row[.kind] = TouchColumn.Kind.main.rawValue
    row[.device] = TouchColumn.Device.click.rawValue
    row[.scanStart] = time
    row[.surface] = Int64(surface)
    row[.frame] = Int64(frame)
    return row
  }
}
