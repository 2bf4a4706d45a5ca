import Testing

@testable import FrameKit

@Suite struct XMLReaderTests {
  /// The events of a document, each as a word, up to its end or to an error.
  private static func events(_ text: String) throws -> (words: [String], error: ParseError?) {
    let reader = try XMLReader(InputFile(bytes: Array(text.utf8), path: "x.xml"))
    var words: [String] = []
    do {
      while let event = try reader.next() {
        switch event {
        case .start(let name, let attributes):
          words.append("<\(name)\(attributes.map { " \($0.name)=\($0.value)" }.joined())")
        case .text(let text):
          if !text.allSatisfy(\.isWhitespace) { words.append(text) }
        case .end(let name): words.append(">\(name)")
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
      found.words.joined(separator: "|").replacing("3 |&| 4", with: "3 & 4")
        == ["<a", "<b id=1 fmt=x < y", "3 & 4", ">b", "<c ref=1", ">c", ">a"].joined(
          separator: "|"))
    #expect(found.error == nil)
  }

  @Test func aDocumentThatEndsEarlyGivesWhatWasThere() throws {
    let found = try Self.events("<a><b>1</b><b>2</b><b")
    #expect(found.words.prefix(7) == ["<a", "<b", "1", ">b", "<b", "2", ">b"])
    let error = try #require(found.error)
    #expect(error.kind == .badData && error.problem.hasPrefix("expected well-formed XML"))
  }

  @Test(arguments: ["", "hello", "<a></b>", "<a resident-%=\"1\"/>", "<a>\u{0}</a>"])
  func whatIsNoXMLIsSaid(_ text: String) throws {
    #expect(try Self.events(text).error != nil)
  }

  /// An entity that would fill gigabytes, and one that would read a file.
  @Test func entitiesOfADocumentAreNotFilledIn() throws {
    var text = "<!DOCTYPE a [<!ENTITY e0 \"ha\">"
    for number in 1...30 {
      text += "<!ENTITY e\(number) \"&e\(number - 1);&e\(number - 1);\">"
    }
    text += "<!ENTITY file SYSTEM \"file:///etc/passwd\">]><a>&e30;&file;</a>"
    let found = try Self.events(text)
    #expect(!found.words.contains { $0.contains("root:") || $0.count > 100 })
  }
}
