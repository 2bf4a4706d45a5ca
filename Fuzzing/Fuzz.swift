#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import FrameAnalysis
import FrameImporters
import FrameReport
import FrameTrace

/// The main function of libFuzzer, which the package manager's name for ours would hide.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Each input of libFuzzer is read as the format that FRAMETOOL_FUZZ names, and all that must hold of its analysis is
/// checked. See scripts/fuzz.
@main
enum Fuzz {
  static func main() {
    var (count, arguments) = (CommandLine.argc, CommandLine.unsafeArgv)
    exit(
      runDriver(&count, &arguments) { start, count in
        let bytes = Array(UnsafeBufferPointer(start: start, count: count))
        if FuzzedFormat.name == "wayland-wire" {
          FuzzedMessages.read(bytes)
        } else {
          FuzzedTrace.read(bytes)
        }
        return 0
      })
  }
}

enum FuzzedFormat {
  /// The name of an importer, or `wayland-wire` for the messages that the relay reads.
  static let name = getenv("FRAMETOOL_FUZZ").map { String(cString: $0) }
}

/// Stops with a message, so that libFuzzer keeps the input.
func stop(_ message: String) -> Never {
  // libFuzzer's own stream of errors is not the one of this module.
  let line = Array("violated: \(message)\n".utf8)
  _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  abort()
}

/// A trace, its analysis, and everything that is written of them.
enum FuzzedTrace {
  static func read(_ bytes: [UInt8]) {
    guard let input = try? InputFile(bytes: bytes, path: "fuzzed") else { return }
    var choice = ImportChoice()
    if FuzzedFormat.name == "csv" {
      for column in ["time=#1:ms", "frameTime=#2:ms"] { _ = choice.columns.add(column) }
    } else {
      choice.format = FuzzedFormat.name
    }
    guard let trace = try? Importers.read(input, as: choice) else { return }
    let analysis = TraceAnalysis(of: trace)
    for violation in analysis.violations { stop(violation) }
    checkHalves(trace, analysis)
    checkRoundTrip(trace)
    checkForms(analysis)
  }

  /// Two halves of a trace have the frames of the whole, each once.
  private static func checkHalves(_ trace: Trace, _ whole: TraceAnalysis) {
    guard let range = whole.timeRange else { return }
    let middle = range.lowerBound + range.length / 2
    let counts = [(nil, middle), (middle, nil)].map { start, end in
      var options = AnalysisOptions()
      options.region = TraceRegion(start: start, end: end)
      return TraceAnalysis(of: trace, options: options)
    }
    for (place, surface) in whole.surfaces.enumerated() {
      let halves = counts.map { $0.surfaces[place].outcomes.count }.reduce(0, +)
      if halves != surface.outcomes.count {
        stop("halves of \(halves) frames, a whole of \(surface.outcomes.count)")
      }
    }
  }

  /// The native format loses nothing: what is read from it is written the same.
  private static func checkRoundTrip(_ trace: Trace) {
    let first = native(trace)
    guard let input = try? InputFile(bytes: first, path: "fuzzed") else { return }
    do throws(ParseError) {
      if native(try Importers.read(input)) != first { stop("the native format changes") }
    } catch {
      stop("the native format does not come back: \(error)")
    }
  }

  private static func native(_ trace: Trace) -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = NativeWriter(trace) { bytes += $0 }
    writer.write()
    return bytes
  }

  /// Every form can be written; JSON is JSON, and CSV has as many cells in each row.
  private static func checkForms(_ analysis: TraceAnalysis) {
    for format in OutputFormat.allCases {
      let text = Writers.write([analysis], as: format, .all)
      if format == .json, JSONNode(reading: Array(text.utf8)) == nil { stop("JSON that is none") }
      if format != .json, text.unicodeScalars.contains(where: { $0.value == 0x1b }) {
        stop("an escape in \(format)")
      }
    }
  }
}

/// Messages of the Wayland protocol, with the arguments of every signature.
enum FuzzedMessages {
  private static let signatures = ["iuf", "s", "a", "no", "h", "usun", "ssa"].map { Array($0.utf8) }

  static func read(_ bytes: [UInt8]) {
    var place = 0
    while let message = try? WaylandWireMessage(in: bytes, at: place) {
      for signature in signatures {
        let found = message.arguments(in: bytes, signature)
        if let found, found.count != signature.count { stop("\(found.count) arguments") }
      }
      place = message.bytes.upperBound
    }
  }
}
