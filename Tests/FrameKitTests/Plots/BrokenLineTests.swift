import Testing

@testable import FrameReport
@testable import FrameStatistics

/// A line joins only values that follow each other.
@Suite struct BrokenLineTests {
  @Test(arguments: 0..<UInt64(40))
  func noLineLeadsAcrossABreak(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var columns = PixelColumns(0...1000, count: Int.random(in: 5...400, using: &random))
    var breaks: [Double] = []
    var x = 0.0
    while x < 1000 {
      columns.add(x, Double.random(in: -5...5, using: &random))
      let step = Double.random(in: 0.5...20, using: &random)
      if Int.random(in: 0..<6, using: &random) == 0 {
        columns.breakLine()
        breaks.append(x + step / 2)
      }
      x += step
    }
    let rows = columns.line("line", .series(0)).rows
    if breaks.isEmpty {
      #expect(rows == columns.rows)
    } else {
      #expect(rows.allSatisfy { row in !breaks.contains { row[0] < $0 && $0 < row[2] } })
      // Nothing else is left out: between breaks, all points are joined.
      let joined = zip(columns.rows, columns.rows.dropFirst()).count { from, to in
        !breaks.contains { from[0] < $0 && $0 < to[0] }
      }
      #expect(rows.count == joined)
    }
  }

  @Test func aPlotOfNoDropsSaysSo() throws {
    let plot = try DrawnPlot.of("drops", DrawnPlot.trace("steady-60", frames: 120))
    #expect(plot.panels[0].labels.map(\.text) == ["no refresh dropped"])
  }
}
