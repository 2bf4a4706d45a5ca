/// The facts that a source can record about a frame: what the compositor takes in one step.
///
/// The summaries of stage times contain the letters of the pipeline model, such as A0 for the start
/// of the app's work.
public enum FrameColumn: Int, TableColumn {
  case identifier, kind, fate, mode, animating, startRefresh
  case appStart, appEnd, commit, bufferWaitStart, bufferWaitEnd, firstWrite
  case compositorStart, compositorEnd, compositorFrame
  case gpuStart, gpuEnd, vertexStart, vertexEnd, fragmentStart, fragmentEnd
  case queued, fenceSignaled, displayed, displayedRefresh, replaced, released
  case expectedDisplay, deadline, buffer, offscreenPasses
  case presentInterval, startInterval, displayInterval, gpuTime, gpuBusy, gpuWait, videoBusy
  case animationTime, animationError
  case workStart, syncInterval, presentMode, verdict, threadRan, threadStarved
  case gameThread, renderThread, rhiThread

  /// The values of `kind`.
  public enum Kind: Int64, CaseIterable, Sendable { case application, generated }
  /// The values of `fate`. For an `unknown` frame, nothing shows whether it was displayed, nor what the display showed
  /// until the next displayed frame.
  public enum Fate: Int64, CaseIterable, Sendable {
    case displayed, discarded, unknown

    /// Whether a frame without a display time was or may have been displayed, so that the display's content is unknown
    /// from then on.
    package static func hidesDisplay(_ value: Int64?) -> Bool {
      value == displayed.rawValue || value == unknown.rawValue
    }
  }
  /// The values of `verdict`: on time, late with no stated cause, late by a stage, shown in part, or dropped.
  public enum StatedVerdict: Int64, CaseIterable, Sendable {
    case onTime, late, app, compositor, gpu, display
    /// Shown without an update that the app was still working on; the frame need not be late.
    case partial
    /// Never shown.
    case dropped
  }
  /// The values of `mode`.
  public enum Mode: Int64, CaseIterable, Sendable { case classic, lowLatency }

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .identifier: .init("id", .identifier, "The frame's number in the source.")
    case .kind:
      .init(
        "kind", .choice(words(Kind.self)),
        "Who made it: the application, or a driver that generates frames in between.")
    case .fate:
      .init(
        "fate", .choice(words(Fate.self)),
        "Its fate, if the source reports it in words and not by a time; \"unknown\" if the source does not know."
      )
    case .mode:
      .init(
        "mode", .choice(words(Mode.self)),
        "How the compositor was woken for it: at a refresh, or as soon as the app committed.")
    case .animating:
      .init("animating", .flag, "Whether an animation was active when the app committed it.")
    case .startRefresh:
      .init("startRefresh", .identifier, "The number of the refresh that started the app on it.")
    case .appStart: .init("appStart", .time, "A0: the app started to work on it.")
    case .appEnd:
      .init("appEnd", .time, "A1: the app was done with it, including the call that submits it.")
    case .commit:
      .init(
        "commit", .time, "The app submitted it: its last commit, the start of its present call.")
    case .bufferWaitStart:
      .init("bufferWaitStart", .time, "The app began to wait for a free buffer.")
    case .bufferWaitEnd: .init("bufferWaitEnd", .time, "The app got its buffer.")
    case .firstWrite:
      .init(
        "firstWrite", .time, "Its buffer was dequeued or attached, the first thing done to it.")
    case .compositorStart:
      .init("compositorStart", .time, "R0: the compositor started to work on it.")
    case .compositorEnd:
      .init("compositorEnd", .time, "R1: the compositor had issued its commands.")
    case .compositorFrame:
      .init("compositorFrame", .identifier, "The compositor's number for the pass that took it.")
    case .gpuStart: .init("gpuStart", .time, "G0: the GPU started to work on it.")
    case .gpuEnd: .init("gpuEnd", .time, "G1: the GPU was done with it.")
    case .vertexStart: .init("vertexStart", .time, "The GPU started its vertex work.")
    case .vertexEnd: .init("vertexEnd", .time, "The GPU was done with its vertex work.")
    case .fragmentStart: .init("fragmentStart", .time, "The GPU started its fragment work.")
    case .fragmentEnd: .init("fragmentEnd", .time, "The GPU was done with its fragment work.")
    case .queued: .init("queued", .time, "The finished buffer was queued for the display.")
    case .fenceSignaled:
      .init(
        "fenceSignalled", .time, "The buffer's fence signaled; Q is the later of this and queued.")
    case .displayed: .init("displayed", .time, "D: the refresh at which it was swapped in.")
    case .displayedRefresh:
      .init(
        "displayedRefresh", .identifier, "The number of the refresh at which it was swapped in.")
    case .replaced: .init("replaced", .time, "X: the refresh at which it was swapped out.")
    case .released: .init("released", .time, "Its buffer was released and free again.")
    case .expectedDisplay:
      .init("expectedDisplay", .time, "When the source expected it on the display.")
    case .deadline: .init("deadline", .time, "When the source expected the app to be done with it.")
    case .buffer: .init("buffer", .identifier, "The buffer it was drawn into.")
    case .offscreenPasses: .init("offscreenPasses", .count, "How many offscreen passes it needed.")
    case .presentInterval:
      .init(
        "presentInterval", .duration,
        "From the previous present call to this one's, as the source states it.")
    case .startInterval:
      .init(
        "startInterval", .duration,
        "From its start to the start of the next one, as the source states it.")
    case .displayInterval:
      .init(
        "displayInterval", .duration,
        "From the previous display change to the one it caused, as the source states it.")
    case .gpuTime:
      .init(
        "gpuTime", .duration, "From the first to the last of its GPU work, as the source states it."
      )
    case .gpuBusy: .init("gpuBusy", .duration, "How long at least one GPU engine worked on it.")
    case .gpuWait:
      .init(
        "gpuWait", .duration,
        "How long no GPU engine worked on it between its first and last GPU work.")
    case .videoBusy: .init("videoBusy", .duration, "How long a video engine worked on it.")
    case .animationTime:
      .init(
        "animationTime", .duration,
        "The simulation time that it shows, counted from the source's zero.")
    case .workStart:
      .init(
        "workStart", .time,
        "The app actually started to work on it, if its thread was blocked from A0 until then."
      )
    case .syncInterval:
      .init(
        "syncInterval", .count,
        "The minimum number of refreshes for which the app asks to show the previous frame.")
    case .presentMode:
      .init(
        "presentMode", .text, "How it reached the display, in the source's words.")
    case .verdict:
      .init(
        "verdict", .choice(words(StatedVerdict.self)),
        "The source's verdict on it: on time, late, late because of a stage, or shown without the app's own update."
      )
    case .threadRan:
      .init(
        "threadRan", .duration,
        "How long the thread that handed it over ran since it had handed over the one before.")
    case .threadStarved:
      .init(
        "threadStarved", .duration,
        "How long that thread was ready to run during the wait without a processor.")
    case .gameThread:
      .init(
        "gameThread", .duration,
        "How long the engine's game thread was busy with a frame, by the source's own counter.")
    case .renderThread:
      .init(
        "renderThread", .duration,
        "How long the engine's render thread was busy with a frame, by the source's own counter.")
    case .rhiThread:
      .init(
        "rhiThread", .duration,
        "How long the engine's thread that submits to the graphics API was busy with a frame, by the source's own counter."
      )
    case .animationError:
      .init(
        "animationError", .duration,
        "The difference between its simulation step and its display step, as the source states it."
      )
    }
  }
}

/// The names of an enum's cases, used as the words of a column of kind `choice`.
func words<Choice: CaseIterable>(_: Choice.Type) -> [String] {
  Choice.allCases.map { "\($0)" }
}
