import Fixtures
import FrameKit
import Synchronization

/// Writes a set of random traces to a folder, each with its truth.
struct GenerateSet {
  let count: Int
  let seed: UInt64
  /// The families, which are used in turn.
  let families: [JankFamily]
  let encoder: any TraceEncoder
  let folder: String

  /// The reasons for omitted traces, each with the number of traces.
  private typealias Refused = [String: Int]

  func write(on console: Console) throws(CommandError) -> ExitStatus {
    var isMade = false
    do throws(ParseError) {
      if let files = try FileFolder.files(in: folder) {
        guard files.isEmpty else {
          throw ParseError(
            .inputOutput, path: folder,
            problem: "expected an empty folder, found \(files.count) files",
            help: "name a folder that does not exist yet")
        }
      } else {
        try FileFolder.make(folder)
        isMade = true
      }
    } catch {
      throw CommandError(error)
    }
    let progress = Progress(console, isShown: console.showsProgress)
    defer { progress.end() }
    let written = Atomic(0)
    let results = Concurrently.map(count) { number throws(CommandError) -> String? in
      let generated = JankTrace(families[number % families.count], number: number, of: seed)
      let encoded: EncodedJankTrace
      do throws(EncodedJankTrace.Refusal) {
        encoded = try EncodedJankTrace(generated, as: encoder)
      } catch {
        return error.why
      }
      let path = folder + "/" + encoded.truth.name
      try Output.write(to: path + encoder.suffix, on: console) { $0(encoded.bytes) }
      try Output.write(to: path + JankTruth.suffix, on: console) { $0(encoded.truth.json) }
      progress.update("\(written.wrappingAdd(1, ordering: .relaxed).newValue) traces written")
      return nil
    }
    var refused: Refused = [:]
    for result in results {
      if let why = try result.get() { refused[why, default: 0] += 1 }
    }
    if isMade, refused.values.reduce(0, +) == count { FileFolder.removeAll(folder) }
    return try report(refused, on: console)
  }

  private func report(_ refused: Refused, on console: Console) throws(CommandError) -> ExitStatus {
    let left = refused.values.reduce(0, +)
    guard left < count else {
      let why = refused.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
      throw CommandError(
        .usage, "none of \(count) traces can be written as \(encoder.name): \(why)",
        help: "the native format can hold every family")
    }
    console.note("\(folder): \(count - left) traces as \(encoder.name), each with its truth")
    for (why, number) in refused.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      console.note("  left out \(number): \(why)")
    }
    return .success
  }
}
