import Testing

@testable import FrameStatistics
@testable import FrameTrace

/// Texts and their numbers.
@Suite struct StringTableTests {
  /// Any texts in any order, with memory reserved or not: each has the number of the texts that came before it.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func numbersCountUp(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var table = StringTable()
    var expected: [String: Int64] = [:]
    let kinds = [1, 12, 13, 40, 3000][Int(seed % 5)]
    for _ in 0..<4000 {
      if Int.random(in: 0..<500, using: &random) == 0 {
        table.reserve(Int.random(in: 0...1000, using: &random))
      }
      let number = Int.random(in: 0..<kinds, using: &random)
      let text = number == 0 ? "" : "a name of more than fifteen bytes, \(number)"
      let isAppended = expected[text] == nil && Bool.random(using: &random)
      let wanted = expected[text] ?? Int64(expected.count)
      expected[text] = wanted
      #expect((isAppended ? table.append(new: text) : table.number(of: text)) == wanted)
    }
    #expect(table.texts.count == expected.count)
    #expect(expected.allSatisfy { table[$0.value] == $0.key })
  }

  /// A text that is appended as new but is not has the first of its numbers when it is looked up.
  @Test func theFirstNumberIsFound() {
    var table = StringTable()
    #expect(["a", "b", "a", "a"].map { table.append(new: $0) } == [0, 1, 2, 3])
    #expect(["c", "a", "b", "c"].map { table.number(of: $0) } == [4, 0, 1, 4])
    #expect(table.append(new: "c") == 5 && table.number(of: "c") == 4)
    #expect(table.texts == ["a", "b", "a", "a", "c", "c"])
  }

  /// A copy takes further texts without the original.
  @Test func copiesAreApart() {
    var table = StringTable()
    _ = table.number(of: "a")
    var copy = table
    #expect(copy.number(of: "b") == 1 && table.number(of: "c") == 1)
    #expect(copy.texts == ["a", "b"] && table.texts == ["a", "c"])
    #expect(table.shared("a") == "a" && table.texts.count == 2)
  }
}
