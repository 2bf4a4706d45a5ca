import FrameTrace

/// The data that packets omit because an earlier packet stated it: defaults and interned data.
struct PerfettoSequences {
  /// The state of one sequence.
  struct State {
    /// The clock of packets that name no clock; `nil` for the trace's clock.
    fileprivate(set) var clock: UInt64?
    /// The track of events that name no track.
    fileprivate(set) var track: UInt64?
    /// Names by kind and number.
    fileprivate(set) var names: [Interned: [UInt64: String]] = [:]
    /// Whether the data that later packets omit is known so far.
    fileprivate(set) var isKnown = false
  }

  /// Kinds of interned data.
  enum Interned: CaseIterable {
    case category, name, annotation, renderStage, kernelSymbol

    /// Its field in `InternedData`.
    fileprivate var field: Int {
      switch self {
      case .category: PerfettoSchema.InternedData.eventCategories
      case .name: PerfettoSchema.InternedData.eventNames
      case .annotation: PerfettoSchema.InternedData.debugAnnotationNames
      case .renderStage: PerfettoSchema.InternedData.gpuSpecifications
      case .kernelSymbol: PerfettoSchema.InternedData.kernelSymbols
      }
    }
  }

  private var states: [State] = []
  private var positions: [UInt64: Int] = [:]
  /// The sequence of the last packet; the next packet is usually of the same sequence.
  private var last: (sequence: UInt64, position: Int)?
  /// The number of packets that need data that was lost or never stated.
  private(set) var unknown = 0

  /// The index of a sequence's state.
  private mutating func position(of sequence: UInt64) -> Int {
    if let last, last.sequence == sequence { return last.position }
    let position = positions[sequence] ?? states.count
    if position == states.count {
      positions[sequence] = position
      states.append(State())
    }
    last = (sequence, position)
    return position
  }

  mutating func state(of sequence: UInt64) -> State { states[position(of: sequence)] }

  /// Reads the data that a packet states for later packets.
  /// - Returns: `false` if the packet cannot be understood because data that it omits was lost.
  mutating func consume(_ packet: PerfettoPacket, _ bytes: [UInt8]) -> Bool {
    let position = position(of: packet.sequence)
    if packet.hasLostBefore { states[position] = State() }
    if packet.clearsState {
      states[position] = State()
      states[position].isKnown = true
    }
    if let range = packet.defaults {
      states[position].consume(defaults: ProtobufMessage(bytes, range))
    }
    if let range = packet.interned {
      states[position].consume(interned: ProtobufMessage(bytes, range))
    }
    if packet.needsState, !states[position].isKnown {
      unknown += 1
      return false
    }
    return true
  }
}

extension PerfettoSequences.State {
  fileprivate mutating func consume(defaults: ProtobufMessage) {
    clock = defaults[PerfettoSchema.TracePacketDefaults.timestampClockID]?.number ?? clock
    track =
      defaults.message(PerfettoSchema.TracePacketDefaults.trackEventDefaults)?[
        PerfettoSchema.TrackEventDefaults.trackUUID]?.number ?? track
  }

  fileprivate mutating func consume(interned data: ProtobufMessage) {
    for kind in PerfettoSequences.Interned.allCases {
      for entry in data.messages(kind.field) {
        guard let number = entry[PerfettoSchema.InternedEntry.iid]?.number,
          let name = entry.text(PerfettoSchema.InternedEntry.name)
        else { continue }
        names[kind, default: [:]][number] = name
      }
    }
  }
}
