import FrameStatistics
import FrameTrace

extension FrameMetric {
  /// How long the app works on a frame.
  static let cpuBusy = FrameMetric(
    name: "cpuBusy", direction: .lowerIsBetter,
    summary: "How long the app worked on a frame before its present or commit call.",
    formula: "commit − app start",
    source: "PresentMon, README-ConsoleApplication.md: CPUBusy",
    scope: .application,
    definitions: [
      .init(expression: .between(.appStart, .commit), words: "app start to commit")
    ])

  /// How long the app's thread was blocked before a frame.
  static let uiThreadBlocked = FrameMetric(
    name: "uiThreadBlocked", direction: .lowerIsBetter,
    summary:
      "How long the app's UI thread was blocked before it began a frame that should have started; part of the app's time.",
    formula: "work start − app start",
    source: "Android, FrameMetrics.UNKNOWN_DELAY_DURATION",
    scope: .application,
    definitions: [
      .init(expression: .between(.appStart, .workStart), words: "app start to work start")
    ])

  /// How long the app waits after a frame.
  static let cpuWait = FrameMetric(
    name: "cpuWait", direction: .neither,
    summary: "How long the app was blocked in a frame's present or commit call.",
    formula: "app end − commit",
    source: "PresentMon, README-ConsoleApplication.md: CPUWait",
    scope: .application,
    definitions: [
      .init(expression: .between(.commit, .appEnd), words: "commit to app end")
    ])

  /// How long the GPU works.
  static let gpuBusy = FrameMetric(
    name: "gpuBusy", direction: .lowerIsBetter,
    summary: "How long at least one GPU engine worked on a frame.",
    formula: "the union of the engines' busy times",
    source: "PresentMon, README-ConsoleApplication.md: GPUBusy, msGPUActive",
    scope: .application,
    definitions: [
      .init(expression: .column(.gpuBusy), words: "as the source states it")
    ])

  /// The time from the start of a frame to its GPU work.
  static let gpuLatency = FrameMetric(
    name: "gpuLatency", direction: .lowerIsBetter,
    summary:
      "The time from the app's start on a frame to the start of its GPU work; negative if the GPU starts first.",
    formula: "gpu start − app start",
    source: "PresentMon, README-ConsoleApplication.md: GPULatency",
    scope: .application,
    isSigned: true,
    definitions: [
      .init(expression: .between(.appStart, .gpuStart), words: "app start to GPU start")
    ])

  /// The time that the GPU takes, from its first work to its last.
  static let gpuTime = FrameMetric(
    name: "gpuTime", direction: .lowerIsBetter,
    summary: "The time from the start of a frame's first GPU work to the end of its last.",
    formula: "gpu end − gpu start",
    source: "PresentMon, README-ConsoleApplication.md: GPUTime",
    scope: .application,
    definitions: [
      .init(expression: .column(.gpuTime), words: "as the source states it"),
      .init(expression: .between(.gpuStart, .gpuEnd), words: "GPU start to GPU end"),
    ])

  /// How long the GPU is idle within a frame.
  static let gpuWait = FrameMetric(
    name: "gpuWait", direction: .neither,
    summary:
      "How long no GPU engine worked between the start of a frame's first GPU work and the end of its last.",
    formula: "gpu time − gpu busy",
    source: "PresentMon, README-ConsoleApplication.md: GPUWait",
    scope: .application,
    definitions: [
      .init(expression: .column(.gpuWait), words: "as the source states it"),
      .init(expression: .difference(.gpuTime, .gpuBusy), words: "GPU time less GPU busy"),
    ])

  /// How long the video engine works.
  static let videoBusy = FrameMetric(
    name: "videoBusy", direction: .lowerIsBetter,
    summary: "How long a video engine worked on a frame.",
    formula: "the busy time of the video engines",
    source: "PresentMon, README-ConsoleApplication.md: VideoBusy",
    scope: .application,
    definitions: [
      .init(expression: .column(.videoBusy), words: "as the source states it")
    ])

  /// How long the thread that simulates the game works.
  static let gameThreadTime = engineThread(
    "gameThreadTime", .gameThread, "game thread, which simulates the game,", "GameThreadTime")
  /// How long the thread that decides what is drawn works.
  static let renderThreadTime = engineThread(
    "renderThreadTime", .renderThread, "render thread, which decides what is drawn,",
    "RenderThreadTime")
  /// How long the thread that submits to the graphics API works.
  static let rhiThreadTime = engineThread(
    "rhiThreadTime", .rhiThread, "RHI thread, which submits to the graphics API,", "RHIThreadTime")

  private static func engineThread(
    _ name: String, _ column: FrameColumn, _ thread: String, _ counter: String
  ) -> FrameMetric {
    FrameMetric(
      name: name, direction: .lowerIsBetter,
      summary:
        "How long the engine's \(thread) was busy, by the source's counter, which can be in the row of a later frame.",
      formula: "the source's counter",
      source: "Unreal Engine, CSV profiler: \(counter); XRFrameTools",
      scope: .application,
      definitions: [.init(expression: .column(column), words: "as the source states it")])
  }
}

extension PipelineMetric {
  /// How long the app worked on a frame.
  static let appTime = PipelineMetric.stage(
    "appTime", "The time the app worked on a frame, less the time it waited for a buffer.",
    "last commit − app start − wait for a buffer", needs: "appStart and commit"
  ) { $0.stages.appTime($1) }

  /// How long the compositor worked on a frame.
  static let compositorTime = PipelineMetric.stage(
    "compositorTime", "The time the compositor worked on a frame.",
    "compositor end − compositor start", needs: "compositorStart and compositorEnd",
    columns: [.compositorStart, .compositorEnd]
  ) { $0.stages.compositorTime($1) }

  /// How long a finished buffer waited to be shown.
  static let queueWait = PipelineMetric.stage(
    "queueWait", "The time a finished buffer waited for its refresh.", "displayed − queued",
    needs: "when buffers were finished"
  ) { frames, row in
    guard let queued = frames.stages.queued(row), let displayed = frames.displayed(row) else {
      return nil
    }
    // Display times jitter around refreshes: a frame that was finished after its refresh's time, but before it was
    // recorded as displayed, is not a contradiction.
    if displayed.refresh < queued, let recorded = displayed.recorded { return recorded - queued }
    return displayed.refresh - queued
  }

  /// How much later than its deadline a frame was finished.
  static let frameOverrun = PipelineMetric(
    name: "frameOverrun",
    summary: "How long after its deadline a frame was finished; negative if before.",
    formula: "(queued, else GPU end, else commit) − deadline",
    source: "Android, Macrobenchmark metrics: frameOverrunMs"
  ) { rebuilt, surface in
    let frames = surface.frames
    guard frames.has(.deadline) else { return .unavailable(FrameMetric.notRecorded + "deadline") }
    var values: [Int64] = []
    for (position, row) in surface.rows.enumerated() {
      let times = rebuilt.timeline.stages[row]
      guard let deadline = frames.time(position, .deadline),
        let end = times.queued ?? times.gpuEnd ?? times.commit
      else { continue }
      values.append((end - deadline).count)
    }
    guard !values.isEmpty else { return .unavailable("no frame has a deadline and an end") }
    return Measurement(content: .sample(Sample(values)), missing: surface.rows.count - values.count)
  }
}
