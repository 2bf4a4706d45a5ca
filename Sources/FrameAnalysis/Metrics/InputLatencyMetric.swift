import FrameStatistics
package import FrameTrace

/// A metric of the time from an input to the frame that shows it.
package struct InputLatencyMetric: Metric {
  package let name: String
  package let unit = MetricUnit.milliseconds
  package let direction = MetricDirection.lowerIsBetter
  package let summary: String
  package let formula: String
  package let source: String?
  /// The kinds of device whose inputs count; `nil` for all.
  let devices: Set<TouchColumn.Device>?

  package var demand: TraceDemand { TraceDemand(frameColumns: [], inputs: true) }

  package func measure(_ surface: MeasuredSurface) -> Measurement {
    let inputs = inputs(of: surface)
    guard !inputs.isEmpty else {
      let isThere = surface.pipeline.trace.touches.count > 0
      return .unavailable(
        isThere
          ? "no input of this kind names the frame that consumed it"
          : "the source records no input of this kind")
    }
    let frames = surface.surface.frames
    let values = earliest(on: surface).compactMap { frame, made in
      frames.time(frame, .displayed).map { ($0 - made).count }
    }
    guard !values.isEmpty else { return .unavailable("no frame that shows an input was displayed") }
    let (sample, leftOut) = Contradictions.lengths(Sample(values))
    guard !sample.values.isEmpty else { return .unavailable(Contradictions.reason) }
    var measurement = Measurement(
      content: .sample(sample), missing: inputs.count { $0.shownBy == nil })
    measurement.leaveOut(leftOut)
    return measurement
  }

  /// The frames that show an input, in order, each with the time of its earliest input. Where the source itself states
  /// which input of any kind a frame responds to, as PresentMon does in addition to the click, that input is used.
  package func earliest(on surface: MeasuredSurface) -> [(frame: Int, made: Timestamp)] {
    var earliest: [Int: Timestamp] = [:]
    let inputs = inputs(of: surface)
    let stated = Set(inputs.lazy.filter { $0.device == .input }.compactMap(\.shownBy))
    for input in inputs {
      guard let frame = input.shownBy, surface.rows.contains(frame),
        input.device == .input || !stated.contains(frame)
      else { continue }
      earliest[frame] = min(earliest[frame] ?? input.made, input.made)
    }
    return earliest.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func inputs(of surface: MeasuredSurface) -> [ShownInputs.Input] {
    surface.inputs.inputs.filter { input in
      devices.map { devices in input.device.map(devices.contains) ?? false } ?? true
    }
  }
}
