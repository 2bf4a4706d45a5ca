import CXML

/// Reads XML as it comes, element by element, without building the document.
///
/// Nothing outside of the input is opened, and entities that a document defines are not filled
/// in. The one place that calls libxml2's C interface.
@safe final class XMLReader {
  /// What comes next in a document.
  enum Event {
    case start(name: String, attributes: [(name: String, value: String)])
    /// Text within an element that is no blank; may come in several pieces.
    case text(String)
    case end(name: String)
  }

  /// What libxml2 asks for bytes, and tells of its troubles.
  private final class Source {
    let input: InputFile
    var failure: ParseError?
    var message: String?
    var buffer: [UInt8] = []

    init(_ input: InputFile) { self.input = input }

    /// - Returns: How many bytes were put into `bytes`; −1 when they cannot be read.
    func read(into bytes: UnsafeMutableRawBufferPointer) -> Int32 {
      do throws(ParseError) {
        if buffer.count < bytes.count { buffer = [UInt8](repeating: 0, count: bytes.count) }
        let count = try input.read(into: &buffer, at: 0..<bytes.count)
        unsafe bytes.copyBytes(from: buffer[..<count])
        return Int32(count)
      } catch {
        failure = error
        return -1
      }
    }
  }

  private let source: Source
  private let reader: xmlTextReaderPtr?
  /// The end of an element without content, which libxml2 does not tell.
  private var pendingEnd: String?

  init(_ input: InputFile) throws(ParseError) {
    let source = Source(input)
    self.source = source
    let context = unsafe Unmanaged.passUnretained(source).toOpaque()
    let options = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NODICT.rawValue)
    unsafe reader = unsafe xmlReaderForIO(
      { context, bytes, count in
        guard let context = unsafe context, let bytes = unsafe bytes else { return -1 }
        let source = unsafe Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
        return unsafe source.read(
          into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
      }, nil, context, nil, nil, options)
    guard unsafe reader != nil else {
      throw ParseError(.inputOutput, path: input.path, problem: "there is no memory to read XML")
    }
    unsafe xmlTextReaderSetErrorHandler(
      reader,
      { context, message, _, _ in
        guard let context = unsafe context, let message = unsafe message else { return }
        let source = unsafe Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
        if source.message == nil { source.message = unsafe String(cString: message) }
      }, context)
  }

  deinit { unsafe xmlFreeTextReader(reader) }

  /// What comes next; `nil` at the end.
  /// - Throws: Where the text is not well-formed or ends early, with the byte.
  func next() throws(ParseError) -> Event? {
    if let name = pendingEnd {
      pendingEnd = nil
      return .end(name: name)
    }
    while true {
      let status = unsafe xmlTextReaderRead(reader)
      if status == 0 { return nil }
      guard status == 1 else { throw error() }
      if let event = event() { return event }
    }
  }

  private func event() -> Event? {
    switch UInt32(bitPattern: unsafe xmlTextReaderNodeType(reader)) {
    case XML_READER_TYPE_ELEMENT.rawValue:
      let name = name
      if unsafe xmlTextReaderIsEmptyElement(reader) == 1 { pendingEnd = name }
      return .start(name: name, attributes: attributes())
    case XML_READER_TYPE_END_ELEMENT.rawValue: return .end(name: name)
    case XML_READER_TYPE_TEXT.rawValue, XML_READER_TYPE_CDATA.rawValue: return .text(value)
    default: return nil
    }
  }

  private func attributes() -> [(name: String, value: String)] {
    var attributes: [(String, String)] = []
    while unsafe xmlTextReaderMoveToNextAttribute(reader) == 1 { attributes.append((name, value)) }
    _ = unsafe xmlTextReaderMoveToElement(reader)
    return attributes
  }

  private var name: String { unsafe Self.text(xmlTextReaderConstName(reader)) }
  private var value: String { unsafe Self.text(xmlTextReaderConstValue(reader)) }

  private static func text(_ characters: UnsafePointer<xmlChar>?) -> String {
    unsafe characters.map { unsafe String(cString: $0) } ?? ""
  }

  private func error() -> ParseError {
    if let failure = source.failure { return failure }
    let offset = unsafe xmlTextReaderByteConsumed(reader)
    let words =
      (source.message ?? "broken").split(whereSeparator: \.isNewline).first
      .map(String.init) ?? "broken"
    return ParseError(
      path: source.input.path, place: .byte(max(0, Int(offset))),
      problem: "expected well-formed XML, found otherwise: \(words)")
  }
}
