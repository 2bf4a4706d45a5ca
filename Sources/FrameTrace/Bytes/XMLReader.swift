import CXML

/// Reads XML as a stream, element by element, without building the document.
///
/// Names are compared as numbers, and values and text remain bytes until they are converted. Nothing outside the input
/// is opened, and entities defined by a document are not expanded. Only this file calls libxml2's C interface.
@safe package final class XMLReader {
  /// The next event in a document. Blanks between elements are skipped.
  package enum Event {
    case start(Element)
    /// Text before, between or after the parts of an element.
    case text(Range<Int>)
    case end(Name)
  }

  /// A name of elements or attributes, valid for the lifetime of its reader.
  package struct Name: Hashable {
    /// The parser's address of the name: equal names are stored once.
    fileprivate let address: UInt
  }

  /// The start of an element. Its bytes are valid until the next event is requested.
  package struct Element {
    package let name: Name
    fileprivate let attributes: Range<Int>
    /// The complete text of an element without nested elements; otherwise empty.
    package fileprivate(set) var text: Range<Int>
    /// Whether the element has nested elements.
    package fileprivate(set) var hasParts = true
  }

  private let input: InputFile
  private let memory = Memory()
  private let parser: xmlParserCtxtPtr?
  private var block = [UInt8](repeating: 0, count: 1 << 16)
  private var end: End?

  /// How the document ended.
  private enum End {
    case whole
    case broken(ParseError)
  }

  package init(_ input: InputFile) throws(ParseError) {
    self.input = input
    var handler = unsafe Found.handler
    unsafe parser = unsafe xmlCreatePushParserCtxt(&handler, memory.found, nil, 0, nil)
    guard unsafe parser != nil else {
      throw ParseError(.inputOutput, path: input.path, problem: "not enough memory to read XML")
    }
    // Without the second option, the parser returns an ampersand in a value as a reference.
    // Entities defined by the document are unknown to the parser and are left out.
    unsafe xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue))
    unsafe memory.found.pointee.names = unsafe parser?.pointee.dict
  }

  deinit {
    // The parser keeps the declarations of a document in a separate document.
    unsafe xmlFreeDoc(parser?.pointee.myDoc)
    unsafe xmlFreeParserCtxt(parser)
  }

  /// A name to compare others with.
  package func name(_ text: String) -> Name {
    Name(address: UInt(bitPattern: unsafe xmlDictLookup(memory.found.pointee.names, text, -1)))
  }

  /// A name as the document spells it.
  package func text(_ name: Name) -> String {
    unsafe UnsafePointer<CChar>(bitPattern: name.address).map { unsafe String(cString: $0) } ?? ""
  }

  /// Text, or an attribute's value.
  package func text(_ range: Range<Int>) -> String {
    unsafe String(decoding: memory.found.pointee.bytes[range], as: UTF8.self)
  }

  /// Text as a whole number; `nil` if it is not one.
  package func number(_ range: Range<Int>) -> Int64? {
    let number = unsafe memory.found.pointee.number(range)
    // Longer numbers may still fit.
    return number ?? (19...20 ~= range.count ? Int64(text(range)) : nil)
  }

  /// The value of an attribute; `nil` if the element has no attribute of that name.
  package func attribute(_ name: Name, _ element: Element) -> Range<Int>? {
    unsafe memory.found.pointee.attribute(name, element)
  }

  /// All attributes of an element, as the document spells them.
  package func attributes(_ element: Element) -> [(name: String, value: String)] {
    let attributes = unsafe memory.found.pointee.attributes[element.attributes]
    return attributes.map { (text($0.name), text($0.value)) }
  }

  /// The next event; `nil` at the end.
  /// - Throws: After all complete events, if the text is malformed or truncated; the error has the
  ///   byte offset.
  package func next() throws(ParseError) -> Event? {
    while true {
      if let event = unsafe memory.found.pointee.take() {
        guard unsafe memory.found.pointee.depth <= Self.deepest else {
          throw ParseError(
            path: input.path,
            problem: "expected at most \(Self.deepest) levels of elements, found more")
        }
        return event
      }
      if let end {
        if case .broken(let error) = end { throw error }
        return nil
      }
      parseBlock()
    }
  }

  /// The deepest nesting; no export has more than a dozen levels.
  private static let deepest = 256

  private func parseBlock() {
    do throws(ParseError) {
      let count = try input.read(into: &block, at: 0..<block.count)
      let status = unsafe block.withUnsafeBytes { bytes in
        unsafe xmlParseChunk(
          parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count),
          count == 0 ? 1 : 0)
      }
      // A missing entity that the document defines is not an error in the text.
      if unsafe parser?.pointee.wellFormed == 0, status != 0 { end = .broken(error()) }
      if count == 0, end == nil { end = .whole }
    } catch {
      end = .broken(error)
    }
    if end != nil { unsafe memory.found.pointee.flush() }
  }

  private func error() -> ParseError {
    let last = unsafe xmlCtxtGetLastError(parser)
    let message = unsafe last?.pointee.message.map { unsafe String(cString: $0) }
    let words = message?.split(whereSeparator: \.isNewline).first.map(String.init)
    return ParseError(
      path: input.path, position: .byte(max(0, Int(unsafe xmlByteConsumed(parser)))),
      problem: "malformed XML: \(words ?? "unknown error")")
  }
}

/// The parser's output, stored at a pointer that the parser passes back for every tag.
@safe private final class Memory {
  let found = UnsafeMutablePointer<Found>.allocate(capacity: 1)

  init() { unsafe found.initialize(to: Found()) }

  deinit {
    unsafe found.deinitialize(count: 1)
    unsafe found.deallocate()
  }
}

/// Parsed content that has not been consumed yet.
@safe private struct Found {
  /// The values of attributes, and text.
  var bytes: [UInt8] = []
  var attributes: [(name: XMLReader.Name, value: Range<Int>)] = []
  var events: [XMLReader.Event] = []
  /// Where the parser stores names.
  var names: xmlDictPtr?
  /// An element that may or may not have nested elements.
  private var open: XMLReader.Element?
  /// Where the text since the last tag begins.
  private var textStart = 0

  /// How many events have been consumed.
  private var taken = 0
  /// The nesting depth at the last consumed event.
  private(set) var depth = 0

  /// The next event; `nil` if the parser must continue.
  mutating func take() -> XMLReader.Event? {
    guard taken < events.count else {
      forget()
      return nil
    }
    defer { taken += 1 }
    switch events[taken] {
    case .start: depth += 1
    case .end: depth -= 1
    case .text: break
    }
    return events[taken]
  }

  func number(_ range: Range<Int>) -> Int64? { bytes.span.whole(range) }

  func attribute(_ name: XMLReader.Name, _ element: XMLReader.Element) -> Range<Int>? {
    for position in element.attributes where attributes[position].name == name {
      return attributes[position].value
    }
    return nil
  }

  /// Frees memory, except for content that does not form an event yet.
  private mutating func forget() {
    taken = 0
    events.removeAll(keepingCapacity: true)
    let kept = open?.attributes ?? attributes.endIndex..<attributes.endIndex
    let start = kept.isEmpty ? textStart : attributes[kept.lowerBound].value.lowerBound
    attributes.removeSubrange(..<kept.lowerBound)
    for position in attributes.indices {
      let value = attributes[position].value
      attributes[position].value = value.lowerBound - start..<value.upperBound - start
    }
    bytes.removeSubrange(..<start)
    textStart -= start
    if let open { self.open = .init(name: open.name, attributes: attributes.indices, text: 0..<0) }
  }

  /// Turns pending content into events.
  mutating func flush() {
    if let open { events.append(.start(open)) }
    open = nil
    let text = textStart..<bytes.count
    textStart = bytes.count
    if text.contains(where: { !Self.isBlank(bytes[$0]) }) { events.append(.text(text)) }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 9...13 ~= byte }

  mutating func start(
    _ name: XMLReader.Name, _ count: Int, _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    flush()
    let first = attributes.count
    for position in 0..<count {
      // Name, prefix, namespace, and the start and end of the value.
      guard let fields = unsafe list.map({ unsafe $0 + position * 5 }),
        let value = unsafe fields[3],
        let end = unsafe fields[4]
      else { continue }
      let name = unsafe self.name(fields[0], fields[1])
      let start = bytes.count
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: value, count: end - value))
      attributes.append((name, start..<bytes.count))
    }
    textStart = bytes.count
    open = .init(name: name, attributes: first..<attributes.count, text: textStart..<textStart)
  }

  mutating func end(_ name: XMLReader.Name) {
    if var element = open {
      element.hasParts = false
      element.text = textStart..<bytes.count
      events.append(.start(element))
      open = nil
      textStart = bytes.count
    } else {
      flush()
    }
    events.append(.end(name))
  }

  /// A name with its prefix.
  func name(_ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?)
    -> XMLReader.Name
  {
    .init(
      address: UInt(bitPattern: unsafe prefix == nil ? local : xmlDictQLookup(names, prefix, local))
    )
  }

  /// The parser's callbacks.
  static var handler: xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = XML_SAX2_MAGIC
    unsafe handler.startElementNs = { context, name, prefix, _, _, _, count, _, attributes in
      guard let found = unsafe Found.at(context) else { return }
      unsafe found.pointee.start(found.pointee.name(name, prefix), Int(count), attributes)
    }
    unsafe handler.endElementNs = { context, name, prefix, _ in
      guard let found = unsafe Found.at(context) else { return }
      unsafe found.pointee.end(found.pointee.name(name, prefix))
    }
    unsafe handler.characters = { context, characters, count in
      let text = unsafe UnsafeBufferPointer(start: characters, count: Int(count))
      unsafe Found.at(context)?.pointee.bytes.append(contentsOf: text)
    }
    unsafe handler.cdataBlock = handler.characters
    return unsafe handler
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Found>? {
    unsafe context?.assumingMemoryBound(to: Found.self)
  }
}
