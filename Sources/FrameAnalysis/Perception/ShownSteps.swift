import FrameTrace

/// How long each picture of a surface stayed, in display order, with breaks where the app rested.
struct ShownSteps {
  /// The times at which pictures that followed one another without a rest were shown.
  let stretches: [[Timestamp]]
  /// The display's interval; `nil` if it kept none.
  let interval: Nanoseconds?
  /// The shortest interval of a display with a variable refresh rate; `nil` if unknown.
  let shortest: Nanoseconds?
  /// Whether the display refreshes when a picture arrives.
  let isVariable: Bool

  /// - Throws: Why the trace does not show this.
  init(_ measured: MeasuredSurface) throws(Unknown) {
    guard let rebuilt = measured.rebuilt else { throw Unknown(why: "the pipeline was not rebuilt") }
    let schedule = rebuilt.timeline.schedule
    let frames = measured.frames
    let times = Set((0..<frames.count).compactMap { frames.time($0, .displayed) }).sorted()
    guard times.count > 1 else {
      throw Unknown(
        why: times.isEmpty
          ? "the trace does not tell when frames were shown" : "only one frame was shown")
    }
    var stretches: [[Timestamp]] = [[times[0]]]
    for (before, time) in zip(times, times.dropFirst()) {
      if measured.rests.isBetween(before, time) {
        stretches.append([time])
      } else {
        stretches[stretches.count - 1].append(time)
      }
    }
    self.stretches = stretches.filter { $0.count > 1 }
    isVariable = schedule.isVariable
    interval = schedule.hasInterval && !isVariable ? schedule.grid.interval : nil
    let least = schedule.shortestInterval
    shortest = isVariable && least.count > 0 ? least : nil
  }

  /// Why the time that pictures stayed is unknown.
  struct Unknown: Error {
    let why: String
  }

  /// A time in which each picture stayed equally long.
  struct Steady {
    let rate: Double
    let length: Nanoseconds
  }

  /// The shortest time that counts as steady: shorter times are over before a viewer sees their rate.
  private static let shortest = Nanoseconds(1_000_000_000)
  /// How far the steps of a display without an interval may differ from their mean.
  private static let tolerance = 0.05

  /// The times at a steady rate, in order.
  ///
  /// With an interval, all pictures stayed for the same number of refreshes. A cadence of 3 and 2 is not steady.
  var steady: [Steady] {
    var found: [Steady] = []
    for times in stretches {
      var start = 0
      for position in 1...times.count {
        if position < times.count, continues(times, start, position) { continue }
        let length = times[position - 1] - times[start]
        if length >= Self.shortest {
          found.append(
            Steady(rate: Double(position - 1 - start) / length.seconds, length: length))
        }
        // The step that differs begins the next one.
        start = position - 1
      }
    }
    return found
  }

  /// Whether the step that ends at a position is as long as those since a start.
  private func continues(_ times: [Timestamp], _ start: Int, _ position: Int) -> Bool {
    let step = times[position] - times[position - 1]
    guard position - 1 > start else { return true }
    guard let interval else {
      let mean = Double((times[position - 1] - times[start]).count) / Double(position - 1 - start)
      return abs(Double(step.count) - mean) <= Self.tolerance * mean
    }
    // Uses floating point because hostile times can be as far apart as integers allow.
    let count = { (length: Nanoseconds) in (Double(length.count) / Double(interval.count)).rounded()
    }
    return count(step) == count(times[start + 1] - times[start])
  }

  /// The times of pictures that stayed for more than two refreshes and more than twice the median, longest first.
  var interruptions: [Nanoseconds] {
    let steps = stretches.flatMap { times in zip(times, times.dropFirst()).map { $1 - $0 } }
      .sorted()
    guard !steps.isEmpty else { return [] }
    let usual = max(interval ?? Nanoseconds(0), steps[steps.count / 2])
    // A display's own unsteadiness may add half an interval.
    return steps.filter { Double($0.count) > 2.5 * Double(usual.count) }.reversed()
  }
}
