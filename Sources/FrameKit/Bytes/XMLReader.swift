import CXML

/// Reads XML as it comes, element by element, without building the document.
///
/// Nothing outside of the input is opened, and entities that a document defines are not filled
/// in. The one place that calls libxml2's C interface.
@safe final class XMLReader {
  /// What comes next in a document.
  enum Event {
    case start(name: String, attributes: [(name: String, value: String)])
    /// Text within an element; may come in several pieces.
    case text(String)
    case end(name: String)
  }

  /// What the parser found and nobody has taken yet.
  fileprivate final class Found {
    var events: [Event] = []
  }

  private let input: InputFile
  private let found = Found()
  private let parser: xmlParserCtxtPtr?
  private var block = [UInt8](repeating: 0, count: 1 << 16)
  /// How many elements the last event is within.
  private var depth = 0
  /// How many of the events have been taken.
  private var taken = 0
  private var end: End?

  /// How the document ended.
  private enum End {
    case whole
    case broken(ParseError)
  }

  init(_ input: InputFile) throws(ParseError) {
    self.input = input
    let context = unsafe Unmanaged.passUnretained(found).toOpaque()
    var handler = unsafe Self.handler
    unsafe parser = unsafe xmlCreatePushParserCtxt(&handler, context, nil, 0, nil)
    guard unsafe parser != nil else {
      throw ParseError(.inputOutput, path: input.path, problem: "not enough memory to read XML")
    }
    unsafe xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue))
  }

  deinit { unsafe xmlFreeParserCtxt(parser) }

  /// What comes next; `nil` at the end.
  /// - Throws: Behind everything that was whole, where the text is not well-formed or ends early,
  ///   with the byte.
  func next() throws(ParseError) -> Event? {
    while taken == found.events.count {
      if let end {
        if case .broken(let error) = end { throw error }
        return nil
      }
      found.events.removeAll(keepingCapacity: true)
      taken = 0
      parseBlock()
    }
    defer { taken += 1 }
    let event = found.events[taken]
    switch event {
    case .start: depth += 1
    case .end: depth -= 1
    case .text: break
    }
    // Those who walk over elements within elements need a stack for it.
    if depth > Self.deepest {
      throw ParseError(
        path: input.path,
        problem: "expected at most \(Self.deepest) levels of elements, found more")
    }
    return event
  }

  /// No export has more than a dozen levels.
  private static let deepest = 256

  private func parseBlock() {
    do throws(ParseError) {
      let count = try input.read(into: &block, at: 0..<block.count)
      let status = unsafe block.withUnsafeBytes { bytes in
        unsafe xmlParseChunk(
          parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count),
          count == 0 ? 1 : 0)
      }
      // An entity that the document defines is missing, which is no error in the text.
      if unsafe parser?.pointee.wellFormed == 0, status != 0 { end = .broken(error()) }
      if count == 0, end == nil { end = .whole }
    } catch {
      end = .broken(error)
    }
  }

  private func error() -> ParseError {
    let last = unsafe xmlCtxtGetLastError(parser)
    let message = unsafe last?.pointee.message.map { unsafe String(cString: $0) }
    let words = message?.split(whereSeparator: \.isNewline).first.map(String.init)
    return ParseError(
      path: input.path, place: .byte(max(0, Int(unsafe xmlByteConsumed(parser)))),
      problem: "expected well-formed XML, found something else: \(words ?? "broken")")
  }

  /// What the parser calls for each thing it finds.
  private static var handler: xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.startElement = { context, name, attributes in
      unsafe XMLReader.found(context)?.events.append(
        .start(name: XMLReader.text(name), attributes: XMLReader.pairs(attributes)))
    }
    unsafe handler.endElement = { context, name in
      unsafe XMLReader.found(context)?.events.append(.end(name: XMLReader.text(name)))
    }
    unsafe handler.characters = { context, characters, count in
      let bytes = unsafe UnsafeBufferPointer(start: characters, count: Int(count))
      let text = unsafe String(decoding: bytes, as: UTF8.self)
      unsafe XMLReader.found(context)?.events.append(.text(text))
    }
    unsafe handler.cdataBlock = handler.characters
    return unsafe handler
  }

  private static func found(_ context: UnsafeMutableRawPointer?) -> Found? {
    unsafe context.map { unsafe Unmanaged<Found>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func text(_ characters: UnsafePointer<xmlChar>?) -> String {
    unsafe characters.map { unsafe String(cString: $0) } ?? ""
  }

  /// Names and values that follow each other, up to a null pointer.
  private static func pairs(
    _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) -> [(name: String, value: String)] {
    guard let list = unsafe list else { return [] }
    var pairs: [(String, String)] = []
    var place = 0
    while unsafe list[place] != nil {
      unsafe pairs.append((text(list[place]), text(list[place + 1])))
      place += 2
    }
    return pairs
  }
}
