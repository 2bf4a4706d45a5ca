/// The clocks of a recording, read together by whoever recorded it: `NAME.meta.json` beside
/// `NAME.wayland.log`, `NAME.proxy.jsonl`, `NAME.timeline.jsonl`.
///
///     {"clock_begin": {"monotonic_ns": 3178382296847, "realtime_ns": 1795192164256884693,
///       "monotonic_raw_ns": 3178132499583, "boottime_ns": 3178382297003}, "clock_end": {…}}
///
/// Clocks drift against each other, so that between both readings distances lie evenly.
struct ClockSidecar {
  /// A clock of the system, by the number that Linux gives it.
  enum Clock: UInt32 {
    case realtime = 0
    case monotonic = 1
    case raw = 4
    case boottime = 7

    /// Coarse clocks are the same ones, told in larger steps.
    init?(number: UInt32) {
      switch number {
      case 5: self = .realtime
      case 6: self = .monotonic
      default: self.init(rawValue: number)
      }
    }

    var name: String {
      switch self {
      case .realtime: "CLOCK_REALTIME"
      case .monotonic: "CLOCK_MONOTONIC"
      case .raw: "CLOCK_MONOTONIC_RAW"
      case .boottime: "CLOCK_BOOTTIME"
      }
    }

    fileprivate var key: String {
      switch self {
      case .realtime: "realtime_ns"
      case .monotonic: "monotonic_ns"
      case .raw: "monotonic_raw_ns"
      case .boottime: "boottime_ns"
      }
    }
  }

  /// The file's name.
  let path: String
  private let begin: [Clock: Int64]
  private let end: [Clock: Int64]?

  private static let mostBytes = 1 << 20
  private static let clocks: [Clock] = [.realtime, .monotonic, .raw, .boottime]

  /// The sidecar of an input; `nil` where there is none beside it.
  /// - Throws: `ParseError` when there is one that cannot be read.
  static func find(beside input: InputFile) throws(ParseError) -> ClockSidecar? {
    for path in SiblingFile.paths(of: input.path, suffix: ".meta.json") {
      // What cannot be opened is not there; nobody asked for it.
      if let file = try? InputFile(path: path) { return try ClockSidecar(file) }
    }
    return nil
  }

  /// Whether an input is such a file itself.
  static func recognises(_ head: FileHead) -> Bool {
    head.lines(4).contains { $0.contains("\"clock_begin\"") }
  }

  init(_ input: InputFile) throws(ParseError) {
    path = input.path
    let root = try JSONNode(
      input, atMost: Self.mostBytes, of: "clocks",
      help: "it is read as the recording's clocks; move it away to read without them")
    guard let begin = root["clock_begin"].flatMap(Self.reading) else {
      throw ParseError(
        path: input.path, problem: "expected clock_begin with monotonic_ns, found none",
        help: "it is read as the recording's clocks; move it away to read without them")
    }
    self.begin = begin
    end = root["clock_end"].flatMap(Self.reading)
  }

  private static func reading(_ node: JSONNode) -> [Clock: Int64]? {
    var times: [Clock: Int64] = [:]
    for clock in clocks {
      guard let time = node[clock.key]?.integer, 0...Timestamp.bound ~= time else { continue }
      times[clock] = time
    }
    return times[.monotonic] == nil ? nil : times
  }

  /// The time on the monotonic clock; `nil` when the sidecar has no reading of the clock.
  func monotonic(_ time: Int64, from clock: Clock) -> Int64? {
    if clock == .monotonic { return time }
    guard let start = begin[clock], let zero = begin[.monotonic] else { return nil }
    let distance = zero - start
    guard let last = end?[clock], let lastZero = end?[.monotonic], last > start else {
      return time &+ distance
    }
    let drift = (lastZero - last) - distance
    let share = min(max(Double(time &- start) / Double(last - start), 0), 1)
    return time &+ distance &+ Int64((Double(drift) * share).rounded())
  }

  /// When a clock was read first, and last where it was.
  func span(of clock: Clock) -> (begin: Int64, end: Int64?)? {
    begin[clock].map { ($0, end?[clock]) }
  }
}
