import FrameTrace

/// A column of a PresentMon CSV by its content, whatever a version calls it.
enum PresentMonField: Int, CaseIterable {
  // Texts that rows repeat.
  case application, processID, swapChain, frameType, dropped, syncInterval, presentMode
  // The time of the frame's row.
  case presentTime, qpcTime, startTime
  // Durations in milliseconds.
  case betweenPresents, betweenDisplayChange, inPresent, untilRenderComplete, untilDisplayed
  case untilRenderStart, sinceInput, frameTime, cpuBusy, cpuWait, gpuLatency, gpuTime, gpuBusy
  case gpuWait, videoBusy, displayLatency, displayedTime, animationError, animationTime
  case allInput, click

  /// The names of the column in all versions, including those built between releases, in lower
  /// case.
  var names: [String] {
    switch self {
    case .application: ["application"]
    case .processID: ["processid"]
    case .swapChain: ["swapchainaddress"]
    case .frameType: ["frametype"]
    case .dropped: ["dropped"]
    case .syncInterval: ["syncinterval"]
    case .presentMode: ["presentmode"]
    case .presentTime: ["timeinseconds", "timeinms", "timeinqpc", "timeindatetime"]
    case .qpcTime: ["qpctime"]
    case .startTime:
      [
        "cpustarttime", "cpustarttimeinseconds", "cpustarttimeinms", "cpustartqpc",
        "cpustartqpctime", "cpustartqpctimeinms", "cpustartdatetime",
        "cpuframetime", "cpuframeqpc", "cpuframeqpctime", "cpuframedatetime",
      ]
    case .betweenPresents: ["msbetweenpresents"]
    case .betweenDisplayChange: ["msbetweendisplaychange"]
    case .inPresent: ["msinpresentapi"]
    case .untilRenderComplete: ["msuntilrendercomplete", "msrenderpresentlatency"]
    case .untilDisplayed: ["msuntildisplayed"]
    case .untilRenderStart: ["msuntilrenderstart", "msuntilrenderstarts"]
    case .sinceInput: ["mssinceinput"]
    case .frameTime: ["frametime", "msbetweenappstart"]
    case .cpuBusy: ["cpubusy", "mscpubusy", "cpuduration"]
    case .cpuWait: ["cpuwait", "mscpuwait", "cpuframepacingstall"]
    case .gpuLatency: ["gpulatency", "msgpulatency"]
    case .gpuTime: ["gputime", "msgputime", "gpuduration"]
    case .gpuBusy: ["gpubusy", "msgpubusy", "msgpuactive"]
    case .gpuWait: ["gpuwait", "msgpuwait"]
    case .videoBusy: ["videobusy", "msvideobusy", "msgpuvideoactive", "videoduration"]
    case .displayLatency: ["displaylatency"]
    case .displayedTime: ["displayedtime", "displayduration"]
    case .animationError: ["animationerror", "msanimationerror"]
    case .animationTime: ["animationtime"]
    case .allInput: ["allinputtophotonlatency", "msallinputtophotonlatency", "inputlatency"]
    case .click: ["clicktophotonlatency", "msclicktophotonlatency"]
    }
  }

  /// Whether the column is a duration in milliseconds.
  var isDuration: Bool { rawValue >= Self.betweenPresents.rawValue }

  /// Whether the column is read for that demand.
  func isNeeded(for demand: TraceDemand, in header: PresentMonHeader) -> Bool {
    switch self {
    case .click, .allInput, .sinceInput: demand.inputs
    default: fills(header).map(demand.needs) ?? true
    }
  }

  /// The frame columns that the field contributes to; `nil` if it is always needed because it
  /// identifies a row, times it, or states whether it was displayed.
  private func fills(_ header: PresentMonHeader) -> [FrameColumn]? {
    switch self {
    case .betweenDisplayChange: [.displayInterval]
    // The presents dialect takes a frame's start from the call before it.
    case .inPresent: header.dialect == .presents ? [.appEnd, .appStart] : [.appEnd]
    case .untilRenderComplete: [.gpuEnd, .gpuStart]
    case .untilRenderStart: [.gpuStart]
    case .cpuWait: header.position(.frameTime) == nil ? [.appEnd, .startInterval] : [.appEnd]
    case .gpuLatency: [.gpuStart, .gpuEnd]
    case .gpuTime: [.gpuTime, .gpuStart, .gpuEnd]
    case .gpuBusy: [.gpuBusy, .gpuTime, .gpuStart, .gpuEnd]
    case .gpuWait: [.gpuWait, .gpuTime, .gpuEnd]
    case .videoBusy: [.videoBusy]
    case .displayedTime: [.replaced]
    case .animationError: [.animationError]
    case .animationTime: [.animationTime]
    default: nil
    }
  }

  /// Whether a zero stands for a missing value, because these durations cannot be 0.
  var zeroIsMissing: Bool {
    switch self {
    case .untilDisplayed, .displayLatency, .displayedTime, .betweenDisplayChange: true
    case .sinceInput, .allInput, .click: true
    // The first present of a log has none before it.
    case .betweenPresents: true
    default: false
    }
  }

  /// The unit of a time column by its name; `nil` for a date and time.
  static func timeUnit(_ name: String) -> PresentMonClock.Unit {
    if name.hasSuffix("datetime") { return .dateTime }
    if ["timeinqpc", "cpustartqpc", "cpuframeqpc", "qpctime"].contains(name) { return .ticks }
    if name.hasSuffix("inseconds") { return .seconds }
    return .milliseconds
  }
}
