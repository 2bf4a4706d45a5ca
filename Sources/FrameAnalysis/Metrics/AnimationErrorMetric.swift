import FrameStatistics
package import FrameTrace

/// The difference between steps of the animation and of the display, as stated by the source, otherwise computed.
package struct AnimationErrorMetric: Metric {
  package static let animationError = AnimationErrorMetric()

  /// Animation errors that sources state themselves, as PresentMon does.
  private static let stated = FrameMetric(
    name: "animationError", direction: .neither,
    summary:
      "The app's simulation step from frame to frame minus the display step; 0 is smooth, positive or negative is not.",
    formula:
      "(start(i) − start(p)) / n − (displayed(i) − displayed(i−1)); p is the app's frame displayed before, n the frames displayed from it to the app's next one, generated ones included; as the source states it where it does",
    source:
      "PresentMon, README-ConsoleApplication.md: AnimationError; for generated frames, pull request 669 of 2026",
    scope: .displayed,
    isSigned: true,
    definitions: [
      .init(expression: .column(.animationError), words: "as the source states it")
    ])

  package var name: String { Self.stated.name }
  package var unit: MetricUnit { Self.stated.unit }
  package var direction: MetricDirection { Self.stated.direction }
  package var summary: String { Self.stated.summary }
  package var formula: String { Self.stated.formula }
  package var source: String? { Self.stated.source }

  package var demand: TraceDemand {
    TraceDemand(frameColumns: [.animationError, .appStart, .displayed, .kind])
  }

  package func basis(on surface: MeasuredSurface) -> MeasurementBasis.Use? {
    surface.frames.has(.animationError) ? Self.stated.basis(on: surface) : nil
  }

  package func measure(_ surface: MeasuredSurface) -> Measurement {
    if surface.frames.has(.animationError) {
      var measurement = Self.stated.measure(surface)
      measurement.definition = "as the source states it"
      return measurement
    }
    let frames = surface.frames
    guard frames.has(.appStart), frames.has(.displayed) else {
      return .unavailable(FrameMetric.notRecorded + "animationError, or appStart and displayed")
    }
    let selection = surface.selection(.displayed)
    let rests = surface.rests
    let steps = AnimationSteps(of: frames) { rests.isBetween($0, $1) }
    let values = steps.errors.known.map(\.count)
    guard !values.isEmpty else {
      return .unavailable("no two frames of the app that were displayed have a start")
    }
    var exclusions = selection.exclusions
    if steps.leftOut > 0 {
      exclusions.append(
        Measurement.Exclusion(reason: AppRests.Reason.rest.rawValue, count: steps.leftOut))
    }
    var measurement = Measurement(
      content: .sample(Sample(values)),
      definition: "from the starts of the app's frames, by which it need not animate",
      missing: max(0, selection.count - steps.leftOut - values.count), exclusions: exclusions)
    measurement.isInferred = true
    return measurement
  }
}
