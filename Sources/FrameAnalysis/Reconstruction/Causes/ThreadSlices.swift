import FrameStatistics
import FrameTrace

/// The slices that threads marked, such as those of atrace: intervals with a name, nested in one another.
struct ThreadSlices {
  struct Slice {
    let name: String
    let span: Range<Timestamp>
  }

  /// The slices of a thread by their start, an outer one first, each with the last end among it and those before it.
  private struct Thread {
    let slices: [Slice]
    let ends: [Timestamp]

    init(_ slices: [Slice]) {
      self.slices = slices.sorted {
        ($0.span.lowerBound, $1.span.upperBound) < ($1.span.lowerBound, $0.span.upperBound)
      }
      var last = Timestamp.earliest
      ends = self.slices.map { slice in
        last = max(last, slice.span.upperBound)
        return last
      }
    }
  }

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
    threads = found.mapValues(Thread.init)
  }

  /// The slices of a thread that reach into a span, an outer one before those in it.
  func slices(of thread: Int64, in span: Range<Timestamp>) -> [Slice] {
    guard let known = threads[thread] else { return [] }
    let first = known.ends.partitioningIndex { $0 > span.lowerBound }
    return known.slices[first...].prefix { $0.span.lowerBound < span.upperBound }
      .filter { $0.span.overlaps(span) }
  }

  /// The parts of a span that a thread spent in each slice itself, without those in it.
  static func own(_ slices: [Slice], in span: Range<Timestamp>) -> [(
    name: String, part: Range<Timestamp>
  )] {
    var found: [(name: String, part: Range<Timestamp>)] = []
    var open: [Slice] = []
    var place = span.lowerBound
    func pass(to time: Timestamp) {
      let end = min(time, span.upperBound)
      if let inner = open.last, place < end { found.append((inner.name, place..<end)) }
      place = max(place, end)
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
