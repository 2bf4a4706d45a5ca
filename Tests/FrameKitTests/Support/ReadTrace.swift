import Fixtures

@testable import FrameImporters
@testable import FrameTrace

/// All that reading an input returns, to compare two ways of reading.
struct ReadTrace: Equatable {
  private(set) var trace: [UInt8] = []
  private(set) var issues: [String] = []
  /// The error, if there is no trace.
  private(set) var error: String?

  init(_ parallelism: Parallelism, _ open: () throws(ParseError) -> InputFile) {
    do throws(ParseError) {
      let input = try open()
      input.parallelism = parallelism
      let trace = try Importers.read(input)
      self.trace = NativeEncoder().encode(trace)
      issues = trace.issues.map { "\($0)" }
    } catch {
      self.error = "\(error)"
    }
  }

  init(_ bytes: [UInt8], _ parallelism: Parallelism) {
    self.init(parallelism) { () throws(ParseError) in try InputFile(bytes: bytes, path: "long") }
  }

  init(path: String, _ parallelism: Parallelism) {
    self.init(parallelism) { () throws(ParseError) in try InputFile(path: path) }
  }
}
