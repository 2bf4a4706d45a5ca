import Testing

@testable import FrameTrace

@Suite struct JSONScannerTests {
  @Test(arguments: [
    "{}", "{\"a\":1}", " { \"a\" : [ 1 , -2.5e+3 , \"x\" , true , false , null , {} , [] ] } ",
    "{\"\\u00e9\\n\":\"\\\"\\\\\\/\"}", "{\"a\":0}", "{\"a\":-0.0E1}", "{\"a\":\"ü\"}",
  ])
  func acceptsWhatTheGrammarAllows(_ text: String) throws {
    let bytes = Array(text.utf8)
    var scanner = JSONScanner(bytes, 0..<bytes.count)
    var members: [JSONScanner.Member] = []
    try scanner.object(into: &members)
  }

  @Test(arguments: [
    "", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}",
    "{\"a\":+1}", "{\"a\":1e}", "{\"a\":tru}", "{\"a\":\"\n\"}", "{\"a\":\"\\x\"}",
    "{\"a\":\"\\u12g4\"}",
    "{\"a\":\"x}", "{\"a\":1} x", "[1]", "{\"a\":[1,2}", "{\"a\":NaN}", "{\"a\":1 \"b\":2}",
  ])
  func refusesWhatTheGrammarDoesNot(_ text: String) {
    let bytes = Array(text.utf8)
    var scanner = JSONScanner(bytes, 0..<bytes.count)
    var members: [JSONScanner.Member] = []
    #expect(throws: JSONScanner.Problem.self) { try scanner.object(into: &members) }
  }

  @Test func boundsTheDepth() {
    let depth = JSONScanner.deepest + 1
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    var scanner = JSONScanner(Array(text.utf8), 0..<text.utf8.count)
    #expect(throws: JSONScanner.Problem.self) { try scanner.value() }
  }

  @Test(arguments: [
    ("\"plain\"", "plain"), ("\"a\\tb\\u00e9\\\"\"", "a\tbé\""), ("\"\\ud83d\\ude00\"", "😀"),
    ("\"\\ud83d\"", "\u{fffd}"), ("\"\\/\\b\\f\\r\\n\"", "/\u{8}\u{c}\r\n"),
  ])
  func resolvesEscapes(_ token: String, _ text: String) {
    let bytes = Array(token.utf8)
    #expect(JSONScanner.text(bytes, 0..<bytes.count) == text)
  }

  @Test func writtenTextReadsBackTheSame() throws {
    let texts = ["", "a\"b\\c", "\u{0}\u{1f}\u{7f}\n\r\t", "ü😀\u{2028}"]
    for text in texts {
      var writer = JSONWriter(indented: false)
      writer.value(text)
      let bytes = writer.bytes
      var scanner = JSONScanner(bytes, 0..<bytes.count)
      let token = try scanner.value()
      #expect(JSONScanner.text(bytes, token.range) == text)
    }
  }

  @Test func writesKeysInTheirOrderAndNumbersInFull() {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("b", Int64.max)
      json.member("a", 0.1)
      json.member("c", 3.0)
      json.member("d", nil as Double?)
      json.member("e", Double.nan)
      json.key("f")
      json.array { json in
        json.value(true)
        json.object { _ in }
      }
    }
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        {
          "b": 9223372036854775807,
          "a": 0.1,
          "c": 3,
          "d": null,
          "e": null,
          "f": [
            true,
            {}
          ]
        }
        """)
  }
}
