/// A packet of a trace: when it was written, in which sequence, and where its contents are.
struct PerfettoPacket {
  private(set) var timestamp: Int64?
  private(set) var clock: UInt64?
  private(set) var sequence: UInt64 = 0
  private(set) var processID: Int64?
  private(set) var clearsState = false
  private(set) var needsState = false
  private(set) var hasLostBefore = false
  private(set) var defaults: ProtobufMessage?
  private(set) var interned: ProtobufMessage?
  /// What it is about, by the numbers of fields.
  private(set) var contents: [(field: Int, range: Range<Int>)] = []
  /// Whether it ended with something that is no field.
  private(set) var isBroken = false
  let bytes: [UInt8]

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    var fields = ProtobufFields(bytes, range)
    while let value = fields.next() {
      switch fields.number {
      case 8: timestamp = value.signed
      case 58: clock = value.number
      case 10: sequence = value.number ?? 0
      case 79: processID = value.signed
      case 13:
        let flags = value.number ?? 0
        clearsState = clearsState || flags & 1 != 0
        needsState = needsState || flags & 2 != 0
      case 41: clearsState = clearsState || value.flag
      case 42: hasLostBefore = value.flag
      case 59: defaults = value.range.map { ProtobufMessage(bytes, $0) }
      case 12: interned = value.range.map { ProtobufMessage(bytes, $0) }
      default: if let range = value.range { contents.append((fields.number, range)) }
      }
    }
    isBroken = fields.isBroken
  }
}
