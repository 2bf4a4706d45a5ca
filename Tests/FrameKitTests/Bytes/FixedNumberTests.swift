import Testing

@testable import FrameReport
@testable import FrameTrace

@Suite struct FixedNumberTests {
  @Test(arguments: [
    (0.0, 2, "0.00"), (16.6666, 3, "16.667"), (-0.004, 2, "0.00"), (-1.25, 1, "-1.3"),
    (1e7, 0, "10000000"), (0.5, 0, "1"), (999.9996, 3, "1000.000"), (1e-3, 3, "0.001"),
  ])
  func roundsToTheNearest(_ number: Double, _ decimals: Int, _ text: String) {
    #expect(FixedNumber.text(number, decimals: decimals) == text)
  }
}

@Suite struct TextTableTests {
  @Test func alignsColumnsAndKeepsNoBlanksAtTheEnd() {
    var table = TextTable([("name", .left), ("ms", .right), ("", .left)])
    table.append(["a", "1.5", ""])
    table.append(["long", "100.5", "[1]"])
    #expect(table.lines() == ["  name     ms", "  a       1.5", "  long  100.5  [1]"])
    #expect(
      table.markdown() == [
        "| name | ms |  |", "| --- | ---: | --- |", "| a | 1.5 |  |", "| long | 100.5 | [1] |",
      ])
  }

  @Test func footnotesAreNumberedOnce() {
    var notes = Footnotes()
    #expect(notes.mark("x") == "[1]")
    #expect(notes.mark("y") == "[2]")
    #expect(notes.mark("x") == "[1]")
    #expect(notes.lines() == ["[1] x", "[2] y"])
  }
}
