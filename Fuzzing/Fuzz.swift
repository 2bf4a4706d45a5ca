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
          FuzzedTrace.read(FuzzedFormat.name == "packed" ? FuzzedBlocks.withChecksums(bytes) : bytes)
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
    let forms = FuzzedForms(analysis)
    forms.check()
    checkOrder(trace, forms)
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
    for (position, surface) in whole.surfaces.enumerated() {
      let halves = counts.map { $0.surfaces[position].outcomes.count }.reduce(0, +)
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

  /// The order of frames in the native format is free where each has an id and a time of its own: read backward, they
  /// say the same.
  private static func checkOrder(_ trace: Trace, _ analysis: FuzzedForms) {
    guard trace.surfaces.allSatisfy(Self.isInOneOrder) else { return }
    let lines = native(trace).split(separator: UInt8(ascii: "\n"))
    let start = Array(#"{"type":"frame","#.utf8)
    let frames = lines.filter { $0.starts(with: start) }
    let backward = lines.filter { !$0.starts(with: start) } + frames.reversed()
    guard !frames.isEmpty,
      let input = try? InputFile(
        bytes: Array(backward.joined(separator: [UInt8(ascii: "\n")])), path: "fuzzed")
    else { return }
    do throws(ParseError) {
      let again = FuzzedForms(TraceAnalysis(of: try Importers.read(input)))
      let (first, second) = (analysis.rows, again.rows)
      if let position = first.indices.first(where: { $0 >= second.count || first[$0] != second[$0] }) {
        stop("the order of frames matters: \(first[position]), backward \(second.dropFirst(position).first ?? "nothing")")
      }
    } catch {
      stop("records read backward: \(error)")
    }
  }

  private static func isInOneOrder(_ surface: Surface) -> Bool {
    let frames = surface.frames
    let keys: [FrameColumn] = [
      .commit, .queued, .appStart, .compositorStart, .gpuStart, .displayed,
    ]
    guard let key = keys.first(where: { frames.valueCount($0) == frames.count }) else {
      return false
    }
    return [key, .identifier].allSatisfy { column in
      Set((0..<frames.count).compactMap { frames[$0, column] }).count == frames.count
    }
  }
}

/// Messages of the Wayland protocol, with the arguments of every signature.
enum FuzzedMessages {
  private static let signatures = ["iuf", "s", "a", "no", "h", "usun", "ssa"].map { Array($0.utf8) }

  static func read(_ bytes: [UInt8]) {
    var position = 0
    while let message = try? WaylandWireMessage(in: bytes, at: position) {
      for signature in signatures {
        let found = message.arguments(in: bytes, signature)
        if let found, found.count != signature.count { stop("\(found.count) arguments") }
      }
      position = message.bytes.upperBound
    }
  }
}
