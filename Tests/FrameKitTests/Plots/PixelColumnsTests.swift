import Testing

@testable import FrameReport
@testable import FrameStatistics

@Suite struct PixelColumnsTests {
  @Test func noPeakIsLost() {
    var random = SplitMix64(seed: 3)
    var columns = PixelColumns(0...1, count: 100)
    var highest = [Double](repeating: -.infinity, count: 100)
    var lowest = [Double](repeating: .infinity, count: 100)
    for index in 0..<100_000 {
      let x = Double(index) / 100_000
      let y = Double.random(in: -1...1, using: &random)
      columns.add(x, y)
      let position = min(99, Int(x * 100))
      highest[position] = max(highest[position], y)
      lowest[position] = min(lowest[position], y)
    }
    let rows = columns.rows
    #expect(columns.count == 100_000)
    #expect(rows.count <= 400)
    for position in 0..<100 {
      let own = rows.filter { min(99, Int($0[0] * 100)) == position }.map { $0[1] }
      #expect(own.max() == highest[position] && own.min() == lowest[position])
    }
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0[0] <= $1[0] })
  }

  @Test func fewPositionsStayAsTheyAre() {
    var columns = PixelColumns(0...10, count: 1000)
    let positions = [[0.0, 1.0], [2.5, 3.0], [10.0, -4.0]]
    for position in positions { columns.add(position[0], position[1]) }
    columns.add(11, 5)
    columns.add(3, .nan)
    #expect(columns.rows == positions)
    #expect(columns.count == 3 && columns.limits == -4...3)
  }
}
