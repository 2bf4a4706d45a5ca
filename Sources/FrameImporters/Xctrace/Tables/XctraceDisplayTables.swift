/// The contents of the display and GPU tables.
struct XctraceDisplayFacts {
  /// A buffer that was swapped in.
  struct Swap {
    /// When it was swapped in, and when it had been handed over.
    let displayed: Int64
    let queued: Int64?
    let display: String
    let swap, surface: Int64?
    /// The input that it shows, and its desired display time.
    let input, desired: Int64?
  }

  /// A period for which a buffer was on the display.
  struct Shown {
    let start, end: Int64
    let display: String
    let surface: Int64?
    /// The app's frame, if an app drew it without the compositor.
    let app: AppFrame?
  }

  /// A frame, by its number within an app.
  struct AppFrame: Hashable {
    let process: XctraceProcess
    let number: Int64
  }

  /// GPU work for an app's frame.
  struct Work {
    enum Kind { case vertex, fragment, other }

    let start, end: Int64
    let frame: AppFrame
    let kind: Kind
  }

  /// The capability of a display.
  struct Ability {
    let name: String
    /// In refreshes per second.
    let highestRate: Int64
  }

  var swaps: [Swap] = []
  var shown: [Shown] = []
  var refreshes: [String: [Int64]] = [:]
  var abilities: [Ability] = []
  var work: [Work] = []
  /// The number of intervals of GPU work that belong to no app frame.
  var framelessWork = 0
}

extension XctraceRecording {
  static let displayReaders: [String: Reader] = [
    "display-surface-swap": { $1.takeSwap($0) },
    "displayed-surfaces-interval": { $1.takeShown($0) },
    "display-vsyncs-interval": { $1.takeRefresh($0) },
    "display-vsync-interval": { $1.takeRefresh($0) },
    "device-display-info": { $1.takeAbility($0) },
    "metal-gpu-intervals": { $1.takeWork($0) },
  ]

  private mutating func takeSwap(_ row: XctraceRow) -> Bool {
    guard let time = row.time(.timestamp) else { return false }
    let delay = row.time(.delay)
    let input = row.time(.hidTime)
    displays.swaps.append(
      .init(
        displayed: time, queued: delay.map { time - $0 }, display: Self.display(row),
        swap: row.number(.swapId), surface: row.number(.surfaceId),
        // 0 means no input.
        input: input == 0 ? nil : input, desired: row.time(.desiredPresentationTime)))
    return true
  }

  private mutating func takeShown(_ row: XctraceRow) -> Bool {
    guard let (start, end) = row.span else { return false }
    displays.shown.append(
      .init(
        start: start, end: end, display: Self.display(row), surface: row.number(.surfaceId),
        app: Self.appFrame(row.value(.eventLabel))))
    return true
  }

  /// The frame in a label such as `Game (4711):Frame 12`; other labels name the surface. The parts of the label are
  /// read if present, because numbers in the label's text are in the user's format.
  static func appFrame(_ label: XctraceValue) -> XctraceDisplayFacts.AppFrame? {
    guard let shown = label.text, namesFrame(shown) else { return nil }
    if let process = XctraceProcess(label.part("process")), process.identifier != nil,
      let number = label.lastNumber
    {
      return .init(process: process, number: number)
    }
    return appFrame(shown)
  }

  /// Whether a label may name a frame. Every row of a large table has a label, and the standard library's substring
  /// search took a tenth of the import time.
  private static func namesFrame(_ label: String) -> Bool {
    var rest = label.utf8[...]
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[colon...]
      if rest.starts(with: ":Frame ".utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  static func appFrame(_ label: String) -> XctraceDisplayFacts.AppFrame? {
    guard let owner = label.beforeLast(":Frame "), let name = owner.beforeLast(" ("),
      let number = Int64(label.dropFirst(owner.count + ":Frame ".count)),
      let process = Int64(owner.dropFirst(name.count + 2).dropLast())
    else { return nil }
    return .init(process: XctraceProcess(name: name, identifier: process), number: number)
  }

  private mutating func takeRefresh(_ row: XctraceRow) -> Bool {
    guard let time = row.time(.timestamp) else { return false }
    displays.refreshes[Self.display(row), default: []].append(time)
    return true
  }

  private mutating func takeAbility(_ row: XctraceRow) -> Bool {
    guard let rate = row.number(.maxRefreshRate), rate > 0 else { return false }
    displays.abilities.append(
      .init(name: row.text(.deviceName) ?? "display", highestRate: rate))
    return true
  }

  private mutating func takeWork(_ row: XctraceRow) -> Bool {
    guard let (start, end) = row.span else { return false }
    guard let number = row.number(.frameNumber),
      let process = XctraceProcess(row.value(.process))
    else {
      displays.framelessWork += 1
      return true
    }
    let channel = row.text(.channelName) ?? ""
    let kind: XctraceDisplayFacts.Work.Kind =
      channel.contains("Vertex") ? .vertex : channel.contains("Fragment") ? .fragment : .other
    displays.work.append(
      .init(
        start: start, end: end, frame: .init(process: process, number: number), kind: kind))
    return true
  }
}
