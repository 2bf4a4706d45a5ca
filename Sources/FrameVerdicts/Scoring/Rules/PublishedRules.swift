import FrameAnalysis
import FrameTrace

// Rules of platforms.
extension JankRule {
  static let surfaceFlinger = JankRule(
    name: "SurfaceFlinger", source: "AOSP, FrameTimeline.cpp, Android 16",
    formula:
      "displayed more than 2 ms later than predicted, by the app or by SurfaceFlinger as Perfetto's jank_type.sql counts them (buffer stuffing and unknown jank are neither)",
    notMeant: JankRules.startedByRefresh, namesFrames: true
  ) { frames in
    let byRow = Dictionary(frames.frames.map { ($0.row, $0) }) { first, _ in first }
    let counted: FrameTimelineJank = [
      .appDeadlineMissed, .appResyncedJitter, .compositorCPUDeadlineMissed,
      .compositorGPUDeadlineMissed, .compositorScheduling, .predictionError, .displayHAL,
    ]
    return FrameTimelineRule(frames).verdicts.compactMap { verdict in
      let jank = verdict.surfaceJank
      guard !jank.isDisjoint(with: counted), let frame = byRow[verdict.row] else { return nil }
      return frames.finding(frame, jank.verdict.flatMap { PipelineStage(rawValue: "\($0)") })
    }
  }

  static let hwui = JankRule(
    name: "gfxinfo (hwui)", source: "AOSP, frameworks/base/libs/hwui/JankTracker.cpp",
    formula:
      "the GPU is done after the deadline, which moves by a refresh while buffers are queued",
    notMeant: JankRules.startedByRefresh, namesFrames: true
  ) { frames in
    var next: Timestamp?
    return frames.frames.compactMap { frame in
      let intended = frames.grid.time(frame.startRefresh)
      let interval = frames.grid.interval(at: intended)
      let done =
        frames.isFilledByApp ? max(frame.commit, frame.gpuEnd ?? frame.commit) : frame.commit
      let isStuffed = next.map { ($0 - intended).count * 10 > interval.count } ?? false
      let budget = Nanoseconds(interval.count * max(1, frames.usualLag - 1))
      let deadline = (isStuffed ? next ?? intended : intended) + budget
      if done < deadline {
        if isStuffed { next = next.map { $0 + interval } }
        return nil
      }
      next = frames.grid.time(frames.grid.first(done))
      return frames.finding(frame, nil)
    }
  }

  static let jankStats = JankRule(
    name: "JankStats", source: "androidx.metrics, JankStats: jankHeuristicMultiplier 2",
    formula: "the app's thread takes more than 2 refreshes",
    notMeant: JankRules.threadOnly, namesFrames: true
  ) { frames in
    frames.frames.compactMap { frame in
      let expected = frames.grid.interval(at: frame.start)
      return (frame.commit - frame.start).count > 2 * expected.count
        ? frames.finding(frame, .app) : nil
    }
  }

  static let chromiumJank = JankRule(
    name: "Chromium Jank3", source: "Chromium, cc/metrics/jank_metrics.cc",
    formula:
      "from one presentation to the next, without time in which nothing was to be drawn, takes more than half a refresh longer than before",
    notMeant: JankRules.startedByRefresh, namesFrames: true
  ) { frames in
    var before: Nanoseconds?
    return zip(frames.shown.dropFirst(), frames.shown).compactMap { next, last in
      let grid = frames.grid
      let idle = max(
        0, next.frame.startRefresh - max(grid.first(last.frame.commit), last.frame.startRefresh + 1)
      )
      let interval = grid.interval(at: next.displayed)
      let step = next.displayed - last.displayed - Nanoseconds(idle * interval.count)
      defer { before = step }
      guard let before, (step - before).count * 2 > interval.count else { return nil }
      return frames.finding(next.frame, nil)
    }
  }

  static let chromiumDropped = JankRule(
    name: "Chromium dropped", source: "Chromium, cc/metrics/dropped_frame_counter.cc",
    formula: "a refresh asks for a frame while the main thread still works on an older one",
    notMeant: JankRules.threadOnly, namesFrames: false
  ) { frames in
    let lag = frames.usualLag
    return frames.frames.compactMap { frame in
      frames.finding(
        from: frame.startRefresh + lag, upTo: frames.grid.first(frame.commit) + (lag - 1), .app)
    }
  }

  static let appleHitch = JankRule(
    name: "Apple hitch", source: "Apple, \"Explore UI animation hitches and the render loop\"",
    formula:
      "a frame stays on the display beyond the refresh at which the next one was expected: as long after its start as usual",
    notMeant: JankRules.startedByRefresh, namesFrames: false
  ) { frames in
    let lag = frames.usualLag
    return zip(frames.shown.dropFirst(), frames.shown).compactMap { next, last in
      let due = max(frames.refresh(last.displayed) + 1, next.frame.startRefresh + lag)
      let isCommit = next.frame.commit > frames.grid.time(next.frame.startRefresh + 1)
      return frames.finding(
        from: due, upTo: frames.refresh(next.displayed), isCommit ? .app : nil)
    }
  }
}

// Rules of game tools and of telemetry, applied to the times between frames.
extension JankRule {
  static let perfDogJank = perfDog("PerfDog jank", 2)
  static let perfDogBigJank = perfDog("PerfDog big jank", 3)

  private static func perfDog(_ name: String, _ movieFrames: Int) -> JankRule {
    JankRule(
      name: name, source: "PerfDog, WeTest user's guide",
      formula:
        "displayed for more than twice the mean of the three before, and more than \(movieFrames) frames of a movie (\(movieFrames == 2 ? "83.3" : "125") ms)",
      notMeant: [:], namesFrames: false
    ) { frames in
      let shown = frames.shown
      let steps = zip(shown.dropFirst(), shown).map { ($0.displayed - $1.displayed).milliseconds }
      return steps.indices.dropFirst(3).compactMap { position in
        let mean = (steps[position - 1] + steps[position - 2] + steps[position - 3]) / 3
        let isLong =
          steps[position] > 2 * mean && steps[position] > 1000.0 / 24 * Double(movieFrames)
        return isLong ? frames.finding(shown[position + 1].frame, nil) : nil
      }
    }
  }

  static let capFrameXStutter = JankRule(
    name: "CapFrameX stutter", source: "CapFrameX, FrametimeStatisticProvider.cs",
    formula: "from present to present takes more than 2.5 times its moving average",
    notMeant: [:], namesFrames: false
  ) { frames in
    let times = frames.presentTimes
    let means = JankCounts.capFrameXMeans(times)
    return times.indices.filter { times[$0] > 2.5 * means[$0] }.map {
      frames.finding(frames.frames[$0 + 1], nil)
    }
  }

  static let sentrySlow = JankRule(
    name: "Sentry slow", source: "Sentry, develop docs, frames delay",
    formula: "displayed for longer than 1 / (rate − 1) s",
    notMeant: JankRules.waiting, namesFrames: false
  ) { frames in
    zip(frames.shown.dropFirst(), frames.shown).compactMap { next, last in
      let refresh = frames.grid.interval(at: last.displayed).milliseconds
      return JankCounts.isSlow((next.displayed - last.displayed).milliseconds, refresh)
        ? frames.finding(next.frame, nil) : nil
    }
  }

  static let median = JankRule(
    name: "1.5 × median", source: "dashboards and scripts",
    formula: "from present to present takes more than 1.5 times the median",
    notMeant: [:], namesFrames: false
  ) { frames in
    let times = frames.presentTimes
    guard !times.isEmpty else { return [] }
    let median = times.sorted()[times.count / 2]
    return times.indices.filter { times[$0] > 1.5 * median }.map {
      frames.finding(frames.frames[$0 + 1], nil)
    }
  }

  static let repeated = JankRule(
    name: "no new frame", source: "frame counters",
    formula: "every refresh without a new frame is dropped", notMeant: [:], namesFrames: false
  ) { frames in
    zip(frames.shown.dropFirst(), frames.shown).compactMap { next, last in
      frames.finding(
        from: frames.refresh(last.displayed) + 1, upTo: frames.refresh(next.displayed), nil)
    }
  }
}

extension RuleFrames {
  /// The times from each present call to the next one, in milliseconds.
  fileprivate var presentTimes: [Double] {
    zip(frames.dropFirst(), frames).map { ($0.commit - $1.commit).milliseconds }
  }
}
