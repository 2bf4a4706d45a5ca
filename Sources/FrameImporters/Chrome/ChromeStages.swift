/// The stages of a frame or an input, including nested ones.
struct ChromeStages {
  struct Stage {
    /// The stage's name, as its number in the list of names.
    var name: Int32
    let start: Int64
    /// The smallest integer stands for no end: an optional would take a third more memory.
    private let storedEnd: Int64

    var end: Int64? { storedEnd == .min ? nil : storedEnd }

    init(name: Int32, start: Int64, end: Int64?) {
      (self.name, self.start) = (name, start)
      storedEnd = end ?? .min
    }
  }

  /// In the order in which they began.
  let all: ArraySlice<Stage>

  /// The first stage of a name.
  subscript(name: ChromeStageName) -> Stage? { all.first { $0.name == name.rawValue } }

  /// The swap from its start to its end, under any of the names it has had.
  var swap: (start: Int64, end: Int64?)? {
    if let swap = self[.swap] { return (swap.start, swap.end) }
    guard let first = self[.bufferAvailable] ?? self[.bufferReady] else { return nil }
    return (first.start, self[.latch]?.end)
  }
}

/// The names of the stages of frames and inputs, with their numbers in every list of names.
enum ChromeStageName: Int32, CaseIterable {
  case beginMainFrame, commit, draw, swap, bufferAvailable, bufferReady, latch, presentation
  case delivery, processing

  var text: String {
    switch self {
    case .beginMainFrame: "SendBeginMainFrameToCommit"
    case .commit: "Commit"
    case .draw: "StartDrawToSwapStart"
    case .swap: "Swap"
    case .bufferAvailable: "BufferAvailableToBufferReady"
    case .bufferReady: "BufferReadyToLatch"
    case .latch: "LatchToSwapEnd"
    case .presentation: "SubmitCompositorFrameToPresentationCompositorFrame"
    case .delivery: "BrowserMainToRendererCompositor"
    case .processing: "RendererMainProcessing"
    }
  }
}

/// A list of all stage names, so that each stage stores only a number.
struct ChromeStageNames {
  private(set) var texts = ChromeStageName.allCases.map(\.text)
  private var numbers: [String: Int32]

  init() {
    numbers = Dictionary(
      uniqueKeysWithValues: ChromeStageName.allCases.map { ($0.text, $0.rawValue) })
  }

  /// The number of a name, which is assigned if the name is new.
  mutating func number(_ text: String) -> Int32 {
    if let number = numbers[text] { return number }
    let number = Int32(texts.count)
    numbers[text] = number
    texts.append(text)
    return number
  }
}

/// The frames and inputs that Chromium reports, and the names of their stages.
struct ChromeReportList {
  var frames: [ChromeReporter] = []
  var inputs: [ChromeEvent] = []
  var stageNames = ChromeStageNames()
}
