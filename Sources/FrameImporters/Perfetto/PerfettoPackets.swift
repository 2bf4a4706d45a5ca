import FrameTrace

/// Reads the packets of a trace one by one: `Trace.packet` is field 1 and repeats.
///
/// Only the current packet and a block of the bytes after it are kept.
struct PerfettoPackets {
  private let input: InputFile
  private var buffer = [UInt8](repeating: 0, count: padding)
  /// The part of the buffer that has not been consumed yet.
  private var pending = 0..<0
  private var isAtEnd = false
  /// The number of bytes read before the buffer.
  private var offset = 0
  /// The position where the trace ends within a packet; `nil` if it does not.
  private(set) var cutOff: (position: Int, problem: String)?

  private static let block = 1 << 20
  /// The number of bytes that can be read after any packet.
  static let padding = 8
  /// The largest packet accepted, in bytes.
  private static let largest = 1 << 29

  init(_ input: InputFile) { self.input = input }

  /// The bytes that contain the packets.
  var bytes: [UInt8] { buffer }

  /// The range of the next packet in `bytes`; `nil` at the end.
  mutating func next() throws(ParseError) -> Range<Int>? {
    while cutOff == nil {
      guard let tag = try varint() else { return nil }
      let start = offset + pending.lowerBound
      switch tag & 7 {
      case 2:
        guard let length = try varint(), length <= UInt64(Self.largest) else {
          return stop(start, "expected a packet with its length")
        }
        guard let packet = try consume(Int(length)) else {
          return stop(start, "expected a packet of \(length) bytes, found the end")
        }
        if tag == 0x0a { return packet }
      case 0: if try varint() == nil { return stop(start, "expected a number") }
      case 1: if try consume(8) == nil { return stop(start, "expected eight bytes") }
      case 5: if try consume(4) == nil { return stop(start, "expected four bytes") }
      default: return stop(start, "expected a packet, found a field of kind \(tag & 7)")
      }
    }
    return nil
  }

  private mutating func stop(_ position: Int, _ problem: String) -> Range<Int>? {
    cutOff = (position, problem)
    return nil
  }

  private mutating func varint() throws(ParseError) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      if pending.isEmpty, try !refill(1) { return nil }
      let byte = buffer[pending.lowerBound]
      pending = (pending.lowerBound + 1)..<pending.upperBound
      value |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  private mutating func consume(_ count: Int) throws(ParseError) -> Range<Int>? {
    if pending.count < count, try !refill(count) { return nil }
    let start = pending.lowerBound
    pending = (start + count)..<pending.upperBound
    return start..<(start + count)
  }

  /// Reads until the requested number of bytes is available, and discards the bytes already consumed.
  private mutating func refill(_ wanted: Int) throws(ParseError) -> Bool {
    offset += pending.lowerBound
    let rest = pending.count
    if pending.lowerBound > 0 {
      // Moves the pending bytes to the front.
      buffer.move(pending, to: 0)
    }
    pending = 0..<rest
    while pending.count < wanted, !isAtEnd {
      let free = buffer.count - Self.padding - pending.upperBound
      if free < Self.block {
        buffer += [UInt8](repeating: 0, count: Self.block - free)
      }
      let room = pending.upperBound..<buffer.count - Self.padding
      let count = try input.read(into: &buffer, at: room)
      if count == 0 { isAtEnd = true }
      pending = 0..<(pending.upperBound + count)
    }
    return pending.count >= wanted
  }
}
