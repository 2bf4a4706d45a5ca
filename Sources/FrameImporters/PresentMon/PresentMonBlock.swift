import FrameTrace

/// The frame columns from a block of PresentMon rows.
///
/// The reference time of a row is that of its present call, or in the `frames` dialect the start of
/// its frame. All other times are distances from it, as in the file.
struct PresentMonBlock {
  /// The reference time of each row, in the unit of the file's time column.
  let times: [Int64]
  private(set) var stored: [(FrameColumn, [Int64])] = []

  private let numbers: [PresentMonField: [Int64]]
  private let count: Int
  private static let missing = CSVBlock.missing

  init(_ header: PresentMonHeader, _ numbers: [PresentMonField: [Int64]], hasTime: Bool) {
    self.numbers = numbers
    count = numbers.values.map(\.count).min() ?? 0
    let time = hasTime ? header.time.flatMap { numbers[$0.field] } : nil
    times = time ?? Array(repeating: 0, count: count)
    if header.dialect == .frames { addFromStart() } else { addFromPresent() }
    addLengths()
  }

  /// Adds the times of rows that refer to their frame's start.
  private mutating func addFromStart() {
    let zero = [Int64](repeating: 0, count: count)
    add(.appStart, zero)
    add(.commit, numbers[.cpuBusy])
    add(.appEnd, sum(numbers[.cpuBusy], numbers[.cpuWait]))
    // The latency is written as 0 for GPU work that began before its frame, so such a zero
    // says nothing about when.
    let gpuStart = numbers[.gpuLatency].map { $0.map { $0 == 0 ? Self.missing : $0 } }
    add(.gpuStart, gpuStart)
    add(.gpuEnd, sum(gpuStart, gpuTime))
    add(.displayed, numbers[.displayLatency])
    add(.replaced, sum(numbers[.displayLatency], numbers[.displayedTime]))
    add(.startInterval, numbers[.frameTime] ?? sum(numbers[.cpuBusy], numbers[.cpuWait]))
    add(.gpuTime, gpuTime)
  }

  /// Adds the times of rows that refer to their present call.
  private mutating func addFromPresent() {
    add(.appStart, numbers[.cpuBusy].map { $0.map { $0 == Self.missing ? $0 : -$0 } })
    add(.commit, [Int64](repeating: 0, count: count))
    add(.appEnd, numbers[.inPresent] ?? numbers[.cpuWait])
    add(.gpuEnd, numbers[.untilRenderComplete])
    add(.gpuStart, gpuStartFromPresent)
    add(.displayed, numbers[.untilDisplayed])
    add(.presentInterval, numbers[.betweenPresents])
    add(.startInterval, numbers[.frameTime])
    add(.displayInterval, numbers[.betweenDisplayChange])
    add(.gpuTime, numbers[.gpuTime])
  }

  private mutating func addLengths() {
    add(.gpuBusy, numbers[.gpuBusy])
    add(.gpuWait, numbers[.gpuWait])
    add(.videoBusy, numbers[.videoBusy])
    add(.animationError, numbers[.animationError])
    add(.animationTime, numbers[.animationTime])
  }

  /// The GPU time from first to last work; PresentMon 2.0 gives it in two parts.
  private var gpuTime: [Int64]? { numbers[.gpuTime] ?? sum(numbers[.gpuBusy], numbers[.gpuWait]) }

  /// When the GPU started, relative to the present call. Without GPU work the file has a zero
  /// there, which is not a time.
  private var gpuStartFromPresent: [Int64]? {
    if let start = numbers[.untilRenderStart] {
      let busy = numbers[.gpuBusy]
      return start.indices.map {
        start[$0] == 0 && (busy?[$0] ?? 0) == 0 ? Self.missing : start[$0]
      }
    }
    guard let end = numbers[.untilRenderComplete], let time = numbers[.gpuTime] else { return nil }
    return end.indices.map { index in
      let known = end[index] != Self.missing && time[index] != Self.missing && time[index] != 0
      return known ? end[index] - time[index] : Self.missing
    }
  }

  private mutating func add(_ column: FrameColumn, _ values: [Int64]?) {
    if let values { stored.append((column, values)) }
  }

  /// The sums of two columns, missing where either is.
  private func sum(_ first: [Int64]?, _ second: [Int64]?) -> [Int64]? {
    guard let first, let second else { return nil }
    return first.indices.map { index in
      let known = first[index] != Self.missing && second[index] != Self.missing
      return known ? first[index] &+ second[index] : Self.missing
    }
  }

  /// The inputs in rows.
  /// - Parameter firstFrame: The index in its surface of the frame in the first of `rows`.
  func inputs(of rows: [Int32], surface: Int, firstFrame: Int) -> [PresentMonInput] {
    let latency = numbers[.untilDisplayed] ?? numbers[.displayLatency]
    let clicks = numbers[.click]
    var inputs = collect(.click, clicks, from: latency, of: rows, surface, firstFrame)
    if let any = numbers[.allInput] {
      // A click is also an input and then appears in both columns.
      let others = any.indices.map { any[$0] == clicks?[$0] ? Self.missing : any[$0] }
      inputs += collect(.input, others, from: latency, of: rows, surface, firstFrame)
    }
    let present = [Int64](repeating: 0, count: count)
    inputs += collect(.input, numbers[.sinceInput], from: present, of: rows, surface, firstFrame)
    return inputs
  }

  /// The inputs that precede an instant of their frame by the time in a column.
  private func collect(
    _ device: TouchColumn.Device, _ ages: [Int64]?, from instants: [Int64]?, of rows: [Int32],
    _ surface: Int, _ firstFrame: Int
  ) -> [PresentMonInput] {
    guard let ages, let instants else { return [] }
    var inputs: [PresentMonInput] = []
    for (offset, row) in rows.enumerated() {
      let row = Int(row)
      guard ages[row] != Self.missing, instants[row] != Self.missing else { continue }
      inputs.append(
        PresentMonInput(
          device: device, surface: surface, frame: firstFrame + offset,
          distance: Nanoseconds(instants[row] &- ages[row])))
    }
    return inputs
  }
}
