import Testing

@testable import FrameTrace

@Suite struct XMLReaderTests {
  /// The events of a document, each as a word, up to its end or an error.
  private static func events(_ text: String) throws -> (words: [String], error: ParseError?) {
    let reader = try XMLReader(InputFile(bytes: Array(text.utf8), path: "x.xml"))
    var words: [String] = []
    do {
      while let event = try reader.next() {
        switch event {
        case .start(let element):
          let attributes = reader.attributes(element).map { " \($0.name)=\($0.value)" }
          words.append("<\(reader.text(element.name))\(attributes.joined())")
          if !element.text.isEmpty { words.append(reader.text(element.text)) }
        case .text(let text): words.append(reader.text(text))
        case .end(let name): words.append(">\(reader.text(name))")
        }
      }
    } catch {
      return (words, error)
    }
    return (words, nil)
  }

  @Test func elementsComeInOrderWithTheirEnds() throws {
    let found = try Self.events(
      "<?xml version=\"1.0\"?>\n<a>\n <b id='1' fmt=\"x &lt; y\">3 &amp; 4</b><c ref=\"1\"/>\n</a>\n"
    )
    #expect(
      found.words == ["<a", "<b id=1 fmt=x < y", "3 & 4", ">b", "<c ref=1", ">c", ">a"])
    #expect(found.error == nil)
  }

  @Test func aDocumentThatEndsEarlyGivesWhatWasThere() throws {
    let found = try Self.events("<a><b>1</b><b>2</b><b")
    #expect(found.words.prefix(7) == ["<a", "<b", "1", ">b", "<b", "2", ">b"])
    let error = try #require(found.error)
    #expect(error.kind == .badData && error.problem.hasPrefix("malformed XML: "))
  }

  @Test(arguments: ["", "hello", "<a></b>", "<a resident-%=\"1\"/>", "<a>\u{0}</a>"])
  func whatIsNoXMLIsSaid(_ text: String) throws {
    #expect(try Self.events(text).error != nil)
  }

  /// An entity that would expand to gigabytes, and one that would read a file.
  @Test func entitiesOfADocumentAreNotFilledIn() throws {
    var text = "<!DOCTYPE a [<!ENTITY e0 \"ha\">"
    for number in 1...30 {
      text += "<!ENTITY e\(number) \"&e\(number - 1);&e\(number - 1);\">"
    }
    text += "<!ENTITY file SYSTEM \"file:///etc/passwd\">]><a>&e30;&file;</a>"
    let found = try Self.events(text)
    #expect(!found.words.contains { $0.contains("root:") || $0.count > 100 })
  }

  /// The parser receives the input block by block, and a block can end anywhere: in a name, a
  /// value, a text.
  @Test(arguments: 0..<8)
  func elementsAreWholeWhereverBlocksEnd(_ shift: Int) throws {
    var text = "<a note=\"\(String(repeating: "x", count: shift * 9))\">"
    var expected = ["<a note=\(String(repeating: "x", count: shift * 9))"]
    for number in 0..<9000 {
      text += "\n <b id=\"\(number)\" fmt='\(number) &amp; on'>\(number * 7)</b>"
      expected += ["<b id=\(number) fmt=\(number) & on", "\(number * 7)", ">b"]
      if number % 5 == 0 {
        text += "before<c>\n<d/></c>"
        expected += ["before", "<c", "<d", ">d", ">c"]
      }
    }
    let found = try Self.events(text + "</a>")
    expected.append(">a")
    let difference = zip(found.words, expected).first { $0 != $1 }
    #expect(difference == nil)
    #expect(found.words.count == expected.count)
    #expect(found.error == nil)
  }

  @Test func namesKeepTheirPrefixes() throws {
    let found = try Self.events("<x:a xmlns:x='u' x:b='1' b='2'><a/></x:a>")
    #expect(found.words == ["<x:a x:b=1 b=2", "<a", ">a", ">x:a"])
  }

  @Test func numbersUpToTheLargestAreRead() throws {
    let reader = try XMLReader(
      InputFile(bytes: Array("<a>9223372036854775807</a>".utf8), path: "x.xml"))
    guard case .start(let element)? = try reader.next() else {
      throw ParseError(path: "x.xml", problem: "no start")
    }
    #expect(reader.number(element.text) == .max)
  }
}
