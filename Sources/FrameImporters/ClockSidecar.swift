import FrameStatistics
import FrameTrace

/// The clocks of a recording, read together by the recorder: `NAME.meta.json` next to `NAME.wayland.log`,
/// `NAME.proxy.jsonl`, `NAME.timeline.jsonl`.
///
///     {"clock_begin": {"monotonic_ns": 3178382296847, "realtime_ns": 1795192164256884693,
///       "monotonic_raw_ns": 3178132499583, "boottime_ns": 3178382297003}, "clock_end": {…}}
///
/// Clocks drift against each other, so offsets are interpolated linearly between two readings.
struct ClockSidecar {
  /// A system clock, by its Linux number.
  enum Clock: UInt32 {
    case realtime = 0
    case monotonic = 1
    case raw = 4
    case boottime = 7

    /// Coarse clocks are the same clocks at a lower resolution.
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

  /// The file's path; `nil` for readings from the recording itself.
  let path: String?
  /// The readings of each clock, each paired with the monotonic time, ordered by time.
  private let readings: [Clock: [(own: Int64, monotonic: Int64)]]

  private static let mostBytes = 1 << 20
  private static let clocks: [Clock] = [.realtime, .monotonic, .raw, .boottime]

  /// The sidecar next to an input; `nil` if there is none.
  /// - Throws: `ParseError` if its content cannot be read.
  static func find(beside input: InputFile) throws(ParseError) -> ClockSidecar? {
    for path in SiblingFile.paths(of: input.path, suffix: ".meta.json") {
      // A file that cannot be opened counts as missing because the user did not name it.
      if let file = try? InputFile(path: path) { return try ClockSidecar(file) }
    }
    return nil
  }

  /// Whether an input is itself a clock sidecar.
  static func recognizes(_ head: FileHead) -> Bool {
    head.lines(4).contains { $0.contains("\"clock_begin\"") }
  }

  init(_ input: InputFile) throws(ParseError) {
    path = input.path
    let root = try JSONNode(
      input, atMost: Self.mostBytes, of: "clocks",
      help: "the file is read as the recording's clocks; move it to read the recording without them"
    )
    guard let begin = root["clock_begin"].flatMap(Self.reading) else {
      throw ParseError(
        path: input.path, problem: "expected clock_begin with monotonic_ns, found none",
        help:
          "the file is read as the recording's clocks; move it to read the recording without them")
    }
    readings = Self.pairs([begin] + (root["clock_end"].flatMap(Self.reading).map { [$0] } ?? []))
  }

  /// - Parameter readings: Clock readings, each with the monotonic time, in order of that time.
  /// - Returns: `nil` if there are no readings.
  init?(_ readings: [[Clock: Int64]]) {
    guard !readings.isEmpty else { return nil }
    path = nil
    self.readings = Self.pairs(readings)
  }

  private static func pairs(
    _ readings: [[Clock: Int64]]
  ) -> [Clock: [(own: Int64, monotonic: Int64)]] {
    var pairs: [Clock: [(own: Int64, monotonic: Int64)]] = [:]
    for clock in clocks {
      for reading in readings {
        guard let own = reading[clock], let monotonic = reading[.monotonic] else { continue }
        // Readings after a clock was set back are ignored.
        if let last = pairs[clock]?.last, last.own >= own { continue }
        pairs[clock, default: []].append((own, monotonic))
      }
    }
    return pairs
  }

  private static func reading(_ node: JSONNode) -> [Clock: Int64]? {
    var times: [Clock: Int64] = [:]
    for clock in clocks {
      guard let time = node[clock.key]?.integer, 0...Timestamp.bound ~= time else { continue }
      times[clock] = time
    }
    return times[.monotonic] == nil ? nil : times
  }

  /// The time on the monotonic clock; `nil` if the clock has no readings.
  func monotonic(_ time: Int64, from clock: Clock) -> Int64? {
    if clock == .monotonic { return time }
    guard let pairs = readings[clock], let first = pairs.first, let last = pairs.last else {
      return nil
    }
    // The readings before and after the time. Outside all readings, the offset of the nearest reading applies.
    let next = pairs.partitioningIndex { $0.own >= time }
    guard next > 0 else { return time &+ (first.monotonic - first.own) }
    guard next < pairs.count else { return time &+ (last.monotonic - last.own) }
    let (before, after) = (pairs[next - 1], pairs[next])
    let distance = before.monotonic - before.own
    let drift = (after.monotonic - after.own) - distance
    let share = Double(time - before.own) / Double(after.own - before.own)
    return time &+ distance &+ Int64((Double(drift) * share).rounded())
  }

  /// The first reading of a clock, and the last reading if the clock was read more than once.
  func span(of clock: Clock) -> (begin: Int64, end: Int64?)? {
    readings[clock].flatMap { pairs in
      pairs.first.map { ($0.own, pairs.count > 1 ? pairs.last?.own : nil) }
    }
  }
}
