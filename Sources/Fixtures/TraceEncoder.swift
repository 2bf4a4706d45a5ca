package import FrameKit

/// Writes a trace in another tool's format, so that a scenario can be read back through that
/// format's importer.
package protocol TraceEncoder: Sendable {
  /// The name in `generate --encode`.
  var name: String { get }
  /// The name of the importer that reads the format.
  var importer: String { get }
  /// The parts of a trace that the format can carry.
  var carries: Set<Carried> { get }
  /// The precision of the format's times, in ms.
  var precision: Double { get }

  /// Why the format cannot carry a trace at all; `nil` if it can.
  func whyNot(_ trace: Trace) -> String?

  /// Why late frames of a trace would be mistaken for others, although the format can carry the trace; `nil` if they
  /// would not be.
  func whyMisread(_ trace: Trace) -> String?

  /// The complete file.
  func encode(_ trace: Trace) -> [UInt8]
}

/// Parts of a trace.
package enum Carried: Sendable { case frames, displays, touches }

extension TraceEncoder {
  package var carries: Set<Carried> { [.frames, .displays] }
  package var precision: Double { 1e-6 }
  package func whyNot(_ trace: Trace) -> String? { nil }
  package func whyMisread(_ trace: Trace) -> String? { nil }
}

extension Table<FrameColumn> {
  /// Whether frames were displayed for different lengths of time: some were late or not due.
  var isShownUnevenly: Bool {
    let shown = (0..<count).compactMap { self[$0, .displayed] }
    let steps = zip(shown.dropFirst(), shown).map { $0 - $1 }
    return (steps.max() ?? 0) - (steps.min() ?? 0) > 1_000_000
  }
}

/// All encoders.
package enum Encoders {
  package static let all: [any TraceEncoder] =
    [
      NativeEncoder(),
      PackedEncoder(),
      FrameRecordingEncoder(),
      PresentMonEncoder(.both),
      PresentMonEncoder(.frames),
      PresentMonEncoder(.presents),
      XctraceEncoder(),
      PerfettoEncoder(),
      SystraceEncoder(),
      GfxinfoEncoder(),
      WaylandLogEncoder(),
      X11PresentEncoder(),
      ChromeTraceEncoder(),
      MangoHudEncoder(),
      UnrealEncoder(),
      EvemuEncoder(),
    ] + FrameTableEncoder.all
}
