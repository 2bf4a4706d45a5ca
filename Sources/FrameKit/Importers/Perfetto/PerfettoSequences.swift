/// What packets of a sequence leave out because an earlier one said it: defaults and interned data.
struct PerfettoSequences {
  /// The state of one sequence.
  struct State {
    /// The clock of packets that name none; `nil` for the trace's own.
    fileprivate(set) var clock: UInt64?
    /// The track of events that name none.
    fileprivate(set) var track: UInt64?
    /// Names by kind and number.
    fileprivate(set) var names: [Interned: [UInt64: String]] = [:]
    /// Whether it was said so far what later packets leave out.
    fileprivate(set) var isKnown = false
  }

  /// Kinds of interned data.
  enum Interned: CaseIterable {
    case category, name, annotation, renderStage

    /// Its field in `InternedData`.
    fileprivate var field: Int {
      switch self {
      case .category: PerfettoSchema.InternedData.eventCategories
      case .name: PerfettoSchema.InternedData.eventNames
      case .annotation: PerfettoSchema.InternedData.debugAnnotationNames
      case .renderStage: PerfettoSchema.InternedData.gpuSpecifications
      }
    }
  }

  private var states: [UInt64: State] = [:]
  /// Packets that need what was lost or never said.
  private(set) var unknown = 0

  func state(of sequence: UInt64) -> State { states[sequence] ?? State() }

  /// Takes in what a packet says for those after it.
  /// - Returns: `false` for a packet that cannot be understood, as what it leaves out was lost.
  mutating func take(_ packet: PerfettoPacket) -> Bool {
    var state = states[packet.sequence] ?? State()
    if packet.hasLostBefore { state = State() }
    if packet.clearsState {
      state = State()
      state.isKnown = true
    }
    if let defaults = packet.defaults {
      state.clock =
        defaults[PerfettoSchema.TracePacketDefaults.timestampClockID]?.number ?? state.clock
      state.track =
        defaults.message(PerfettoSchema.TracePacketDefaults.trackEventDefaults)?[
          PerfettoSchema.TrackEventDefaults.trackUUID]?.number ?? state.track
    }
    if let data = packet.interned {
      for kind in Interned.allCases {
        for entry in data.messages(kind.field) {
          guard let number = entry[PerfettoSchema.InternedEntry.iid]?.number,
            let name = entry.text(PerfettoSchema.InternedEntry.name)
          else { continue }
          state.names[kind, default: [:]][number] = name
        }
      }
    }
    states[packet.sequence] = state
    if packet.needsState, !state.isKnown {
      unknown += 1
      return false
    }
    return true
  }
}
