import FrameKit

/// Measures how long a comparison takes to decide, relative to reading its traces.
enum Deciding {
  /// Reads and compares two traces several times, and prints the medians.
  static func run(_ arguments: [String]) throws {
    guard arguments.count >= 2 else {
      print("usage: benchmarks deciding BEFORE AFTER [ROUNDS]")
      return
    }
    let rounds = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 3
    var reading: [Duration] = []
    var deciding: [Duration] = []
    var frames: Int64 = 0
    let clock = ContinuousClock()
    for _ in 0..<rounds {
      let start = clock.now
      let traces = try arguments.prefix(2).map { try Importers.read(InputFile(path: $0)) }
      let read = clock.now
      let runs = try traces.map { try RunTimes.of(Study(of: $0)).summary }
      let comparison = try Comparison([runs[0]], [runs[1]])
      let decided = clock.now
      reading.append(read - start)
      deciding.append(decided - read)
      frames = runs[0].count + runs[1].count
      print("\(comparison.overall.rawValue): read \(read - start), decided \(decided - read)")
    }
    let median = { (values: [Duration]) in values.sorted()[values.count / 2] }
    let ratio = median(deciding) / median(reading)
    print("\(frames) frames: deciding takes \(FixedNumber.text(ratio, decimals: 2)) of reading")
  }
}
