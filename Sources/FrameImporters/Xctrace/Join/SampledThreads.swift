/// The states of threads as samples show them.
///
/// A sample with a weight stands for the time before it. A sample without a weight stands for the time up to the next
/// round of samples, but for no longer than the usual time between rounds.
struct SampledStates {
  let all: [XctraceThreadFacts.State]

  /// - Parameter samples: In order of time. If some samples have no weight, only those samples are used because they
  ///   also cover waiting threads.
  init(_ all: [XctraceThreadFacts.StackSample]) {
    let weightless = all.filter { $0.weight == nil }
    let samples = weightless.isEmpty ? all : weightless
    var covered: [Int64: Int64] = [:]
    var rounds: [Int64] = []
    for sample in samples where rounds.last != sample.time { rounds.append(sample.time) }
    let gaps = zip(rounds.dropFirst(), rounds).map { $0 - $1 }.sorted()
    let usual = gaps.isEmpty ? nil : gaps[(gaps.count - 1) / 2]
    var round = 0
    self.all = samples.compactMap { sample in
      guard let word = sample.state else { return nil }
      while round < rounds.count, rounds[round] <= sample.time { round += 1 }
      let next = round < rounds.count ? rounds[round] : nil
      let span: (Int64, Int64)? =
        if let weight = sample.weight { (max(0, sample.time - weight), sample.time) } else {
          usual.map { (sample.time, min(next ?? .max, sample.time + $0)) }
        }
      guard let (first, end) = span else { return nil }
      // A sampler can be late, but no thread is in two states.
      let start = max(first, covered[sample.thread] ?? first)
      guard end > start else { return nil }
      covered[sample.thread] = end
      return .init(
        thread: sample.thread, start: start, end: end, word: word, priority: nil, reason: nil)
    }
  }
}

/// Calls assembled from samples. A function is assumed to end when a sample of its thread no longer shows it at its
/// level. It also ends when no sample was taken for longer than the time that samples stand for.
struct SampledCalls {
  struct Call {
    let function: XctraceFunction
    let thread, start: Int64
    fileprivate(set) var end: Int64
    /// How long the thread ran in the function.
    fileprivate(set) var cpu: Int64
  }

  /// The functions that a thread is in, the innermost last.
  private var open: [Int64: [Call]] = [:]
  private var closed: [Call] = []
  /// The time up to which each thread's time has been assigned to calls.
  private var covered: [Int64: Int64] = [:]
  private(set) var sampleCount = 0
  /// The number of samples without a weight.
  private(set) var skippedCount = 0

  /// Consumes the next sample in order of time.
  mutating func consume(_ sample: XctraceThreadFacts.StackSample) {
    guard let weight = sample.weight, weight > 0 else {
      skippedCount += 1
      return
    }
    sampleCount += 1
    let start = max(0, sample.time - weight)
    var calls = open[sample.thread] ?? []
    // A sampler can be slightly early or late.
    let isNext = (calls.first?.end).map { start - $0 <= weight / 2 } ?? false
    let common = isNext ? zip(calls, sample.stack).prefix { $0.function == $1 }.count : 0
    closed += calls[common...]
    calls.removeSubrange(common...)
    // Stretches do not overlap, however late the sample was taken.
    let begin = max(start, covered[sample.thread] ?? start)
    guard begin < sample.time else {
      open[sample.thread] = calls
      return
    }
    covered[sample.thread] = sample.time
    let ran = sample.state.map { $0 == "Running" } ?? true
    for position in calls.indices {
      calls[position].end = sample.time
      if ran { calls[position].cpu += sample.time - begin }
    }
    for function in sample.stack[common...] {
      calls.append(
        Call(
          function: function, thread: sample.thread, start: begin, end: sample.time,
          cpu: ran ? sample.time - begin : 0))
    }
    open[sample.thread] = calls
  }

  /// All calls, including those that are still open.
  consuming func finish() -> [Call] {
    closed += open.sorted { $0.key < $1.key }.flatMap(\.value)
    return closed.sorted { ($0.start, $1.end, $0.thread) < ($1.start, $0.end, $1.thread) }
  }
}
