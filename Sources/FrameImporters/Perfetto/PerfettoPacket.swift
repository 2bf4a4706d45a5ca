import FrameTrace

/// A trace packet: its time, its sequence, and the ranges of its contents.
struct PerfettoPacket {
  private typealias Field = PerfettoSchema.TracePacket

  private(set) var timestamp: Int64?
  private(set) var clock: UInt64?
  private(set) var sequence: UInt64 = 0
  private(set) var processID: Int64?
  private(set) var clearsState = false
  private(set) var needsState = false
  private(set) var hasLostBefore = false
  /// The ranges of the data that applies to later packets.
  private(set) var defaults, interned: Range<Int>?
  /// The contents, each with its field number.
  private(set) var contents: [(field: Int, range: Range<Int>)] = []
  /// Whether the packet ended with something other than a field.
  private(set) var isBroken = false

  /// Reads the next packet into the same memory.
  mutating func read(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    contents.removeAll(keepingCapacity: true)
    (timestamp, clock, sequence, processID) = (nil, nil, 0, nil)
    (clearsState, needsState, hasLostBefore) = (false, false, false)
    (defaults, interned) = (nil, nil)
    var fields = ProtobufFields(range)
    while let value = fields.next(bytes) {
      switch fields.number {
      case Field.timestamp: timestamp = value.signed
      case Field.timestampClockID: clock = value.number
      case Field.trustedPacketSequenceID: sequence = value.number ?? 0
      case Field.trustedPID: processID = value.signed
      case Field.sequenceFlags:
        let flags = value.number ?? 0
        clearsState = clearsState || flags & 1 != 0
        needsState = needsState || flags & 2 != 0
      case Field.incrementalStateCleared: clearsState = clearsState || value.flag
      case Field.previousPacketDropped: hasLostBefore = value.flag
      case Field.tracePacketDefaults: defaults = value.range
      case Field.internedData: interned = value.range
      default: if let range = value.range { contents.append((fields.number, range)) }
      }
    }
    isBroken = fields.isBroken
  }
}

extension PerfettoPacket {
  /// The subjects of packets that are not read, by field number.
  ///
  /// Perfetto, `trace_packet.proto`.
  static let kinds: [Int: String] = [
    4: "of files and their inodes", 5: "of Chromium's older events", 7: "of system statistics",
    9: "of process statistics", 33: "of the configuration", 34: "of ftrace's statistics",
    35: "of the recorder's statistics", 36: "of synchronization", 37: "of heap profiles",
    38: "of battery counters", 39: "of Android's log", 40: "of power rails",
    45: "about the system", 46: "of triggers", 47: "of installed packages",
    48: "about a benchmark of Chromium", 49: "of the recorder's own events",
    51: "about Chromium", 54: "of sampled call stacks", 56: "of heap graphs",
    61: "of symbols", 62: "of Vulkan's memory", 64: "of deobfuscation", 66: "of CPU samples",
    67: "about the processors", 68: "of memory maps", 69: "of services",
    70: "of the display's state", 71: "of the GPU's memory", 74: "of streamed allocations",
    77: "of energy estimates", 82: "of translations", 84: "of statistics atoms",
    89: "of the trace's identity",
  ]
}
