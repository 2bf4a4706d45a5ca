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
      let place = min(99, Int(x * 100))
      highest[place] = max(highest[place], y)
      lowest[place] = min(lowest[place], y)
    }
    let rows = columns.rows
    #expect(columns.count == 100_000)
    #expect(rows.count <= 400)
    for place in 0..<100 {
      let own = rows.filter { min(99, Int($0[0] * 100)) == place }.map { $0[1] }
      #expect(own.max() == highest[place] && own.min() == lowest[place])
    }
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0[0] <= $1[0] })
  }

  @Test func fewPlacesStayAsTheyAre() {
    var columns = PixelColumns(0...10, count: 1000)
    let places = [[0.0, 1.0], [2.5, 3.0], [10.0, -4.0]]
    for place in places { columns.add(place[0], place[1]) }
    columns.add(11, 5)
    columns.add(3, .nan)
    #expect(columns.rows == places)
    #expect(columns.count == 3 && columns.limits == -4...3)
  }
}
