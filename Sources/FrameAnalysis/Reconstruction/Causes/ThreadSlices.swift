import FrameStatistics
import FrameTrace

/// What threads were in: the slices that they marked, such as those of atrace, and the app's functions in which a
/// profiler saw them. Both are named, nested intervals. Functions of the system are left out because an engineer can
/// change only their callers.
struct ThreadSlices {
  struct Slice {
    let name: String
    let span: Range<Timestamp>
  }

  /// The slices of a thread by start, an outer one first, each with the slice that contains it.
  private struct Thread {
    let slices: [Slice]
    let outer: [Int?]

    init(_ slices: [Slice]) {
      let sorted = slices.sorted {
        ($0.span.lowerBound, $1.span.upperBound) < ($1.span.lowerBound, $0.span.upperBound)
      }
      var open: [Int] = []
      outer = sorted.indices.map { position in
        while let last = open.last, sorted[last].span.upperBound <= sorted[position].span.lowerBound
        {
          open.removeLast()
        }
        defer { open.append(position) }
        return open.last
      }
      self.slices = sorted
    }

    /// The slices that contain a time, the innermost first. A slice that ends while slices inside it continue is
    /// skipped.
    func around(_ time: Timestamp) -> [Int] {
      let next = slices.partitioningIndex { $0.span.lowerBound > time }
      var found: [Int] = []
      var position = next > 0 ? next - 1 : nil
      while let own = position, found.count < ThreadSlices.deepest {
        if slices[own].span.upperBound > time { found.append(own) }
        position = outer[own]
      }
      return found
    }
  }

  /// The maximum number of nested slices that are examined.
  private static let deepest = 256

  private let threads: [Int64: Thread]

  var isEmpty: Bool { threads.isEmpty }

  init(_ trace: Trace) {
    let markers = trace.markers
    var found: [Int64: [Slice]] = [:]
    for row in 0..<markers.count {
      guard let thread = markers[row, .thread], let start = markers.time(row, .start),
        let end = markers.time(row, .end), end > start, let name = markers.text(row, .name)
      else { continue }
      found[thread, default: []].append(Slice(name: name, span: start..<end))
    }
    let calls = trace.calls
    for row in 0..<calls.count where calls[row, .own] != 0 {
      guard let thread = calls[row, .thread], let start = calls.time(row, .start),
        let end = calls.time(row, .end), end > start, let name = calls.text(row, .function)
      else { continue }
      found[thread, default: []].append(Slice(name: name, span: start..<end))
    }
    threads = found.mapValues(Thread.init)
  }

  /// The slices of a thread that reach into a span; an outer slice comes before those inside it.
  func slices(of thread: Int64, in span: Range<Timestamp>) -> [Slice] {
    guard let known = threads[thread] else { return [] }
    let next = known.slices.partitioningIndex { $0.span.lowerBound > span.lowerBound }
    return known.around(span.lowerBound).reversed().map { known.slices[$0] }
      + known.slices[next...].prefix { $0.span.lowerBound < span.upperBound }
  }

  /// The slices that a thread is in at a time, the innermost first.
  func slices(of thread: Int64, at time: Timestamp) -> [Slice] {
    guard let known = threads[thread] else { return [] }
    return known.around(time).map { known.slices[$0] }
  }

  /// The parts of a span that a thread spent in each slice itself, excluding the slices inside it.
  static func own(_ slices: [Slice], in span: Range<Timestamp>) -> [(
    name: String, part: Range<Timestamp>
  )] {
    var found: [(name: String, part: Range<Timestamp>)] = []
    var open: [Slice] = []
    var position = span.lowerBound
    func pass(to time: Timestamp) {
      let end = min(time, span.upperBound)
      if let inner = open.last, position < end { found.append((inner.name, position..<end)) }
      position = max(position, end)
    }
    func close(before time: Timestamp) {
      while let inner = open.last, inner.span.upperBound <= time {
        pass(to: inner.span.upperBound)
        open.removeLast()
      }
    }
    for slice in slices {
      close(before: slice.span.lowerBound)
      pass(to: slice.span.lowerBound)
      open.append(slice)
    }
    close(before: span.upperBound)
    pass(to: span.upperBound)
    return found
  }
}
