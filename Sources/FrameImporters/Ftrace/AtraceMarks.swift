import FrameTrace

/// The marks that Android's `atrace` writes to the kernel log: starts and ends of slices, and
/// counters.
///
/// Grammar: Android, `system/core/libcutils/trace-dev.inc`. `B|812|doFrame` begins a slice of the thread that writes
/// it, `E` ends the thread's last slice; `S|812|launch|7` and `F|812|launch|7` are a slice of the process; `C|812|iq|1`
/// is a counter. OpenHarmony's `hitrace` writes the same with other separators.
struct AtraceMarks {
  struct Slice {
    /// The number of the slice's name in `names`.
    let name: Int
    let start: Int64
    // A log has millions of slices, and an optional number takes twice the memory of a number.
    private var storedEnd = IntegerColumn.missing
    private let storedThread: Int64
    let process: Int64

    fileprivate init(name: Int, start: Int64, end: Int64?, process: Int64, thread: Int64?) {
      (self.name, self.start, self.process) = (name, start, process)
      storedThread = thread ?? IntegerColumn.missing
      self.end = end
    }

    /// `nil` for a slice that had not ended.
    fileprivate(set) var end: Int64? {
      get { storedEnd == IntegerColumn.missing ? nil : storedEnd }
      set { storedEnd = newValue ?? IntegerColumn.missing }
    }

    /// `nil` for a slice of the whole process.
    var thread: Int64? { storedThread == IntegerColumn.missing ? nil : storedThread }
  }

  struct Counter {
    let process: Int64
    let name: String
    fileprivate(set) var readings: [(time: Int64, value: Int64)] = []
  }

  /// In the order in which they began.
  private(set) var slices: [Slice] = []
  /// In the order of their first readings.
  private(set) var counters: [Counter] = []
  /// The number of ends without a recorded begin.
  private(set) var unmatchedEnds = 0
  /// The number of marks that do not follow the grammar.
  private(set) var malformed = 0

  private struct CounterKey: Hashable {
    let process: Int64
    let name: Int
  }

  private var reader = AtraceMarkReader()
  private var counterPositions: [CounterKey: Int] = [:]
  private var open = OpenSlices()
  /// The last slice of each track that has not ended, and the unfinished slices that began before it, which few tracks
  /// have.
  private var openAsync: [AtraceMark.Track: Int] = [:]
  private var covered: [AtraceMark.Track: [Int]] = [:]

  /// The number of slices that had not ended.
  var openCount: Int {
    open.count + openAsync.count
      + covered.values.reduce(0) { $0 + $1.count }
  }

  /// The names of slices and counters by their numbers.
  var names: ByteTable { reader.names }

  /// The name of a slice.
  func name(of slice: Slice) -> String { names.text(slice.name) }

  /// What each name means, by its number. Since Android 12, each frame has different names, so there are as many names
  /// as slices. Names are parsed without creating a string for each.
  func meanings<Meaning>(_ meaning: (Span<UInt8>, Range<Int>) -> Meaning) -> [Meaning] {
    let (names, bytes) = (names, names.bytes)
    return (0..<names.count).map { meaning(bytes.span, names.range($0)) }
  }

  /// The slices whose names begin with one of `heads` and meet a condition, which is checked once for each such name.
  func slices(
    beginning heads: ByteName..., where isWanted: ((String) -> Bool)? = nil
  ) -> [Slice] {
    let wanted = meanings { bytes, name in
      heads.contains { bytes.begins($0, in: name) } && isWanted?(bytes.text(name)) ?? true
    }
    guard wanted.contains(true) else { return [] }
    return slices.filter { wanted[$0.name] }
  }

  /// Reads a string that a thread wrote; `nil` if the string does not have the form of the grammar.
  /// - Precondition: Eight bytes can be read from any index in the range.
  mutating func read(_ bytes: Span<UInt8>, _ text: Range<Int>) -> AtraceMark? {
    reader.read(bytes, text)
  }

  /// Consumes a mark that a thread wrote.
  mutating func consume(_ mark: AtraceMark, at time: Int64, thread: Int64) {
    switch mark {
    case .malformed: malformed += 1
    case .begin(let process, let name):
      open.push(slices.count, of: thread)
      begin(name, time, process: process, thread: thread)
    case .end: end(open.pop(of: thread), at: time)
    case .asyncBegin(let track, let name):
      if let before = openAsync.updateValue(slices.count, forKey: track) {
        covered[track, default: []].append(before)
      }
      begin(name, time, process: track.process, thread: nil)
    case .asyncEnd(let track):
      end(openAsync.removeValue(forKey: track), at: time)
      if !covered.isEmpty { uncover(track) }
    case .counter(let process, let name, let value):
      let key = CounterKey(process: process, name: name)
      let position = counterPositions[key] ?? counters.count
      if position == counters.count {
        counterPositions[key] = position
        counters.append(Counter(process: process, name: reader.names.text(name)))
      }
      counters[position].readings.append((time, value))
    case .instant(let process, let name):
      begin(name, time, end: time, process: process, thread: thread)
    }
  }

  private mutating func begin(
    _ name: Int, _ start: Int64, end: Int64? = nil, process: Int64, thread: Int64?
  ) {
    slices.append(
      Slice(name: name, start: start, end: end, process: process, thread: thread))
  }

  private mutating func end(_ position: Int?, at time: Int64) {
    guard let position else {
      unmatchedEnds += 1
      return
    }
    slices[position].end = max(time, slices[position].start)
  }

  /// After a track's last slice has ended, the slice before it becomes the last.
  private mutating func uncover(_ track: AtraceMark.Track) {
    guard let before = covered[track]?.popLast() else { return }
    openAsync[track] = before
    if covered[track]?.isEmpty == true { covered[track] = nil }
  }
}

/// The slices of each thread that have not ended.
private struct OpenSlices {
  /// The indices of slices, the innermost last, for each thread.
  private var stacks: [[Int]] = []
  private var positions: [Int64: Int] = [:]
  /// The thread of the last mark; the next mark usually has the same thread.
  private var last: (thread: Int64, position: Int)?

  /// How many slices have not ended.
  var count: Int { stacks.reduce(0) { $0 + $1.count } }

  mutating func push(_ slice: Int, of thread: Int64) { stacks[position(of: thread)].append(slice) }

  /// Removes the innermost slice of a thread; `nil` if the thread has none.
  mutating func pop(of thread: Int64) -> Int? { stacks[position(of: thread)].popLast() }

  private mutating func position(of thread: Int64) -> Int {
    if let last, last.thread == thread { return last.position }
    let position = positions[thread] ?? stacks.count
    if position == stacks.count {
      positions[thread] = position
      stacks.append([])
    }
    last = (thread, position)
    return position
  }
}
