import FrameStatistics
import FrameTrace

/// What a list of bins with their counts contains instead of each bin.
enum ListedBins: String {
  case numbers = "bins"
  /// The distance from the previous bin; from 0 for the first bin.
  case steps = "bin steps"
}

extension FrameHistogram {
  /// The histogram that a line of a summary refers to by index or, in earlier versions, lists.
  /// - Parameter packed: The histograms that the line refers to; `nil` for a list.
  init(
    _ node: JSONNode, _ packed: UnpackedHistograms?, listed: ListedBins
  ) throws(JSONScanner.Problem) {
    if let packed {
      guard let found = node.integer.flatMap({ packed[$0] }) else {
        throw JSONScanner.Problem(offset: node.offset, expected: "the index of a histogram")
      }
      self = found
      return
    }
    self.init()
    let damage = JSONScanner.Problem(
      offset: node.offset, expected: "alternating \(listed.rawValue) and counts")
    guard let numbers = node.integers, numbers.count.isMultiple(of: 2) else { throw damage }
    var bin: Int64 = 0
    for position in stride(from: 0, to: numbers.count, by: 2) {
      let (number, count) = (numbers[position], numbers[position + 1])
      guard Int64.counts.contains(number), Int64.counts.contains(count) else { throw damage }
      bin = listed == .steps ? bin + number : number
      guard UnpackedHistograms.bins.contains(Int(bin)) else { throw damage }
      add(count, toBin: Int(bin))
    }
  }
}
