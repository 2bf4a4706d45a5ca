import FrameStatistics
import Testing

@testable import FrameTrace

/// Whole numbers of JSON, read without a node for each.
@Suite struct JSONNodeTests {
  private static func node(_ text: String) throws -> JSONNode { try JSONNode(Array(text.utf8)) }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-12", -12), ("9223372036854775807", .max),
      ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
      ("123456789012345678901234567890", nil), ("1.0", nil), ("1e3", nil), ("\"5\"", nil),
      ("true", nil), ("[1]", nil),
    ] as [(String, Int64?)])
  func aNumberIsWholeWithin64Bits(_ text: String, _ value: Int64?) throws {
    #expect(try Self.node(text).integer == value)
  }

  @Test(
    arguments: [
      ("[]", []), ("[ ]", []), ("[1]", [1]), ("[ 1 ,\n-2\t,3 ]", [1, -2, 3]), ("[1.5]", nil),
      ("[1,2e3]", nil), ("[1,\"2\"]", nil), ("[1,[2]]", nil), ("[null]", nil), ("{}", nil),
      ("1", nil),
      ("[9223372036854775808]", nil),
    ] as [(String, [Int64]?)])
  func anArrayIsOfWholeNumbersOrNot(_ text: String, _ values: [Int64]?) throws {
    #expect(try Self.node(text).integers == values)
  }

  @Test(arguments: 0..<50) func itReadsWhatNodesRead(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let values = (0..<Int.random(in: 0...200, using: &random)).map { _ in
      Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
    }
    let blanks = ["", " ", "\n", "  \t"]
    let text = values.map {
      "\(blanks.randomElement(using: &random) ?? "")\($0)\(blanks.randomElement(using: &random) ?? "")"
    }.joined(separator: ",")
    let node = try Self.node("[\(text)]")
    #expect(node.integers == values && node.array?.map(\.integer) == values)
  }

  @Test func fieldsAreFoundByTheirKeys() throws {
    let fields = try Self.node(#"{"n":1,"nn":2,"":3,"a\u006e":4,"é":5,"n":6,"o":{"n":7}}"#).fields
    let found = ["n", "nn", "", "an", "é", "o", "x"].map { fields[$0]?.integer }
    #expect(found == [6, 2, 3, 4, 5, nil, nil])
    #expect(fields["o"]?.fields["n"]?.integer == 7)
    #expect(try Self.node("[1]").fields["n"] == nil)
  }
}
