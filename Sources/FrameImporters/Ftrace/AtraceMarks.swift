import FrameTrace

/// The marks that Android's `atrace` writes to the kernel log: starts and ends of slices, and
/// counters.
///
/// Grammar: Android, `system/core/libcutils/trace-dev.inc`. `B|812|doFrame` begins a slice of the
/// thread that writes it, `E` ends its last one; `S|812|launch|7` and `F|812|launch|7` are a slice of
/// the process; `C|812|iq|1` is a counter. OpenHarmony's `hitrace` writes the same with other separators.
struct AtraceMarks {
  struct Slice {
    let name: String
    let start: Int64
    fileprivate(set) var end: Int64?
    let process: Int64?
    /// `nil` for a slice of the whole process.
    let thread: Int64?
  }

  struct Counter: Hashable {
    let process: Int64
    let name: String
  }

  /// In the order in which they began.
  private(set) var slices: [Slice] = []
  private(set) var counters: [Counter: [(time: Int64, value: Int64)]] = [:]
  /// The counters in order of first appearance.
  private(set) var counterOrder: [Counter] = []
  /// The number of ends without a recorded begin.
  private(set) var unmatchedEnds = 0
  /// The number of marks that do not follow the grammar.
  private(set) var malformed = 0

  private struct AsyncKey: Hashable {
    let process: Int64
    let name, cookie: String
  }

  /// Shared names: there are many marks but few names.
  private var names = StringTable()
  private var open: [Int64: [Int]] = [:]
  private var openAsync: [AsyncKey: [Int]] = [:]

  /// The number of slices that had not ended.
  var openCount: Int {
    open.values.reduce(0) { $0 + $1.count } + openAsync.values.reduce(0) { $0 + $1.count }
  }

  /// Takes a text that a thread wrote; ignores one that does not have the form of the grammar.
  mutating func take(_ text: Substring, at time: Int64, thread: Int64) {
    var bytes = text.utf8
    while let last = bytes.last, last == UInt8(ascii: "\n") || last == 0 {
      bytes = bytes.dropLast()
    }
    guard let kind = bytes.first.map({ Character(Unicode.Scalar($0)) }), "BESFCINGH".contains(kind),
      bytes.dropFirst().first == Self.bar || (kind == "E" && bytes.count == 1)
    else { return }
    var parts = bytes.split(separator: Self.bar, maxSplits: 4, omittingEmptySubsequences: false)
      .map { Substring($0) }
    Self.separate(&parts, kind)
    let process = parts.count > 1 ? Int64(parts[1]) : nil
    switch kind {
    case "B":
      guard let process, process >= 0, parts.count > 2 else { return note() }
      let name = parts.count == 3 ? String(parts[2]) : parts[2...].joined(separator: "|")
      open[thread, default: []].append(slices.count)
      slices.append(
        Slice(name: names.shared(name), start: time, end: nil, process: process, thread: thread))
    case "E":
      guard let place = open[thread]?.popLast() else { return unmatched() }
      slices[place].end = max(time, slices[place].start)
    case "S", "G":
      let isTrack = kind == "G"
      guard let process, parts.count > (isTrack ? 4 : 3) else { return note() }
      let key = AsyncKey(
        process: process, name: String(parts[2]), cookie: String(parts[isTrack ? 4 : 3]))
      openAsync[key, default: []].append(slices.count)
      slices.append(
        Slice(
          name: names.shared(String(parts[isTrack ? 3 : 2])), start: time, end: nil,
          process: process,
          thread: nil))
    case "F", "H":
      guard let process, parts.count > 3, let cookie = parts.last else { return note() }
      let key = AsyncKey(process: process, name: String(parts[2]), cookie: String(cookie))
      guard let place = openAsync[key]?.popLast() else { return unmatched() }
      // A cookie is used once, so a closed entry is removed.
      if openAsync[key]?.isEmpty == true { openAsync[key] = nil }
      slices[place].end = max(time, slices[place].start)
    case "C":
      guard let process, parts.count > 3, let value = Int64(parts[3]) else { return note() }
      let counter = Counter(process: process, name: names.shared(String(parts[2])))
      if counters[counter] == nil { counterOrder.append(counter) }
      counters[counter, default: []].append((time, value))
    default:
      // I and N: an instant.
      guard let process, let name = parts.dropFirst(2).last else { return note() }
      slices.append(
        Slice(
          name: names.shared(String(name)), start: time, end: time, process: process, thread: thread
        ))
    }
  }

  /// OpenHarmony begins names with `H:`, and writes a cookie or a value after the last blank of one: `S|532|H:open 7`.
  /// Newer versions end with a level: `B|532|H:open|M62`.
  private static func separate(_ parts: inout [Substring], _ kind: Character) {
    guard parts.count > 2, parts[2].hasPrefix("H:") else { return }
    parts[2] = parts[2].dropFirst(2)
    if "BSFC".contains(kind) { parts.removeLast(parts.count - 3) }
    guard "SFC".contains(kind), let blank = parts[2].lastIndex(of: " ") else { return }
    parts.append(parts[2][parts[2].index(after: blank)...])
    parts[2] = parts[2][..<blank]
  }

  private static let bar = UInt8(ascii: "|")

  private mutating func note() { malformed += 1 }
  private mutating func unmatched() { unmatchedEnds += 1 }
}
