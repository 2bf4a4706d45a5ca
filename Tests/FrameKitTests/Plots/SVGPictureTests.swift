import Fixtures
import Foundation
import FrameKit
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Pictures that pages draw without another program.
@Suite struct SVGPictureTests {
  /// A panel with one layer of each shape.
  private static func plot(_ rows: [[Double]] = [[1, 2], [3, 4]], x: PlotAxis? = nil) -> Plot {
    let layers = PlotLayer.Shape.allCases.flatMap { shape -> [PlotLayer] in
      let own = rows.map { row in
        switch shape {
        case .line, .steps, .points: row
        case .boxes: [row[0], row[0] + 1, 0, row[1]]
        case .segments, .arrows: [row[0], row[1], row[0] + 1, row[1] + 1]
        case .ranges: [row[0], row[1], row[0] - 1, row[0] + 1]
        }
      }
      return (0..<6).map { position in
        var layer = PlotLayer(shape, "\(shape) \(position)", .series(position), own)
        layer.isBroken = position % 2 == 1
        return layer
      }
    }
    var panel = PlotPanel(
      x: x ?? PlotAxis("x in s", 0...10), y: PlotAxis("y in ms", 0...10), layers: layers)
    panel.labels = [PlotLabel(x: 5, y: 5, text: "<label> & \u{202e}more")]
    return Plot(
      "test", title: "a <title> & \"more\" ]]>", subtitle: "n 2; of \u{1b}[31mtwo",
      description: "", panels: [panel, panel])
  }

  private static func text(_ plot: Plot, _ theme: PlotCanvas.Theme = .light) -> String {
    String(decoding: SVGPicture(plot, theme).bytes, as: UTF8.self)
  }

  @Test(arguments: PlotCanvas.Theme.allCases)
  func everyShapeIsWellFormedAndItsTextsAreTexts(_ theme: PlotCanvas.Theme) throws {
    let text = Self.text(Self.plot(), theme)
    #expect(PlotCanvas(.svg).isWhole(Array(text.utf8)))
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(text.contains("a &lt;title&gt; &amp;"))
    #expect(!text.contains("\u{202e}") && !text.contains("\u{1b}"))
    #expect(!text.contains("nan") && !text.contains("inf"))
  }

  @Test func theSamePlotGivesTheSameBytes() {
    #expect(SVGPicture(Self.plot(), .dark).bytes == SVGPicture(Self.plot(), .dark).bytes)
    #expect(SVGPicture(Self.plot(), .dark).bytes != SVGPicture(Self.plot(), .light).bytes)
  }

  /// No coordinate lies far outside the picture, whatever the values; an empty range is an axis too.
  @Test(arguments: [[[1e300, -1e300]], [[0, 0]], [[.infinity, 1], [2, .nan]], []])
  func anyValuesGiveAPicture(_ rows: [[Double]]) throws {
    for axis in [PlotAxis("x", 0...10), PlotAxis("x", 3...3), PlotAxis("x", -1e18...1e18)] {
      let text = Self.text(Self.plot(rows, x: axis))
      #expect(XMLParser(data: Data(text.utf8)).parse())
      for path in text.matches(of: /\sd="([^"]*)"/) {
        for number in path.1.matches(of: /-?\d+(\.\d+)?/) {
          #expect(abs(Double(number.0) ?? 0) < 1e5, "\(number.0)")
        }
      }
    }
  }

  @Test func boxesAreWhereTheirValuesAre() throws {
    var panel = PlotPanel(
      x: PlotAxis("x", 0...10), y: PlotAxis("y", 0...4),
      layers: [PlotLayer(.boxes, nil, .fault, [[0, 10, 0, 2]])])
    panel.hasLegend = false
    let plot = Plot("test", title: "t", subtitle: "s", description: "", panels: [panel])
    let area = PanelArea(
      panel, PanelLayout(plot, PlotCanvas(.svg)).margins[0], PlotCanvas(.svg))
    #expect(area.x(0) == area.left && area.x(10) == area.right)
    #expect(area.y(0) == area.bottom && abs(area.y(4) - area.top) < 1e-9)
    var svg = SVGText()
    svg.add("M", area.left, area.bottom)
    svg.add("H", area.right)
    svg.add("V", (area.top + area.bottom) / 2)
    #expect(Self.text(plot).contains(String(decoding: svg.bytes, as: UTF8.self)))
  }

  @Test func coordinatesAreShort() {
    var svg = SVGText()
    for number in [0.0, 1, -1.5, 2.004, -0.001, 12.345, 3.1] { svg.add(" ", number) }
    #expect(String(decoding: svg.bytes, as: UTF8.self) == " 0 1 -1.5 2 0 12.35 3.1")
  }

  @Test(arguments: [
    (0.0...10.0, 5, ["0", "2", "4", "6", "8", "10"]),
    (-0.3...0.3, 4, ["-0.2", "0.0", "0.2"]), (0...0.035, 4, ["0.00", "0.01", "0.02", "0.03"]),
    (999.5...1001, 3, ["999.5", "1000.0", "1000.5", "1001.0"]), (5...5, 4, ["5.00"]),
    (0...1e9, 2, ["0", "500000000", "1000000000"]),
  ])
  func ticksAreRoundNumbers(_ range: ClosedRange<Double>, _ most: Int, _ texts: [String]) {
    let ticks = AxisTicks(PlotAxis("x", range), most: most).ticks
    #expect(ticks.map(\.text) == texts)
    #expect(ticks.allSatisfy { $0.position >= range.lowerBound - 1e-9 })
  }

  /// The numbers of any axis differ, increase, and are those of their positions, and more room never
  /// gives fewer of them.
  @Test(arguments: [
    1e-8, 0.000_9, 0.001, 0.05, 0.099, 0.1, 0.35, 0.999, 1, 1.001, 7, 59.9, 1e3, 1e7,
  ])
  func ticksAreWhereTheirNumbersSay(_ length: Double) throws {
    for start in [0, -length / 2, length * 3.3] {
      var before = 0
      for most in 1...20 {
        let axis = PlotAxis("x", start...(start + length))
        let ticks = AxisTicks(axis, most: most).ticks
        let numbers = ticks.compactMap { Double($0.text) }
        #expect(numbers.count == ticks.count && ticks.count <= most + 1)
        #expect(ticks.count >= before, "\(length) from \(start): \(most)")
        before = ticks.count
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(ticks.map(\.text))")
        for (tick, number) in zip(ticks, numbers) {
          #expect(abs(tick.position - number) <= length * 1e-6, "\(tick)")
        }
      }
    }
  }

  /// Every kind of plot of every scenario is drawn.
  @Test(arguments: ["triple-switch", "uncapped-game", "talk-coalesced", "launches", "two-surfaces"])
  func everyKindIsDrawn(_ name: String) throws {
    let trace = try DrawnPlot.trace(name)
    var count = 0
    for kind in Plots.all {
      guard let kind = try? DrawnPlot.named(kind.name),
        let plot = try? kind.draw([Study(of: trace)])
      else { continue }
      count += 1
      let text = Self.text(plot)
      #expect(XMLParser(data: Data(text.utf8)).parse(), "\(name) \(plot.kind)")
    }
    #expect(count > 0)
  }
}
