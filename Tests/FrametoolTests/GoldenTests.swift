import Foundation
import Testing

@testable import frametool

/// Each sample, under its name and under another name, and through the native format and back.
@Suite struct GoldenTests {
  static let folder = "Tests/Golden"
  static let cases = Recorded.files(in: folder) {
    $0.split(separator: "/").last?.hasPrefix("input.") == true
  }

  /// The sample whose outputs are recorded in full, including the metrics that were not measured.
  private static let whole = "csv/seconds/"

  @Test(arguments: cases)
  func everyOutputIsTheRecordedOne(_ input: String) throws {
    let file = Run.root.appending(path: "\(Self.folder)/\(input)")
    let folder = file.deletingLastPathComponent()
    let name = file.lastPathComponent
    let outputs: [(name: String, arguments: [String])] = [
      ("analyze.txt", ["analyze", name]),
      ("analyze.json", ["analyze", "--format", "json", name]),
      ("analyze.csv", ["analyze", "--format", "csv", name]),
      ("analyze.md", ["analyze", "--format", "markdown", name]),
      ("info.txt", ["info", name]),
      ("convert.jsonl", ["convert", name, "-"]),
    ]
    for output in outputs {
      let run = Run(output.arguments + Self.arguments(folder), in: folder)
      #expect(run.status == .success, "\(output.name): \(run.errors)")
      #expect(run.errors == "")
      let isWhole = input.hasPrefix(Self.whole) || !output.name.hasPrefix("analyze")
      try Recorded.expect(
        isWhole ? run.output : MeasuredOutput.of(run.output, output.name),
        at: folder.appending(path: output.name))
    }
  }

  @Test(arguments: cases)
  func theContentDecidesAndNotTheName(_ input: String) throws {
    let file = Run.root.appending(path: "\(Self.folder)/\(input)")
    let more = Self.arguments(file.deletingLastPathComponent())
    let named = Run(["analyze", file.path] + more)
    let unnamed = Run(["analyze", "-"] + more, input: Array(try Data(contentsOf: file)))
    #expect(withoutTitle(named.output) == withoutTitle(unnamed.output))
  }

  /// Texts have the line endings of any system, or two carriage returns from `adb shell` on
  /// Windows.
  @Test(arguments: cases)
  func lineEndsChangeNothing(_ input: String) throws {
    let file = Run.root.appending(path: "\(Self.folder)/\(input)")
    let bytes = Array(try Data(contentsOf: file))
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else { return }
    let more = Self.arguments(file.deletingLastPathComponent())
    let plain = text.replacing("\r\n", with: "\n")
    let expected = Run(["analyze", "-"] + more, input: Array(plain.utf8))
    for end in ["\r\n", "\r\r\n"] {
      let changed = Array(plain.replacing("\n", with: end).utf8)
      #expect(Run(["analyze", "-"] + more, input: changed).output == expected.output)
    }
  }

  @Test(arguments: cases)
  func theNativeFormatAndBackChangesNothing(_ input: String) throws {
    let file = Run.root.appending(path: "\(Self.folder)/\(input)")
    let more = Self.arguments(file.deletingLastPathComponent())
    let native = Run(["convert", file.path, "-"] + more).output
    let again = Run(["convert", "-", "-"], input: Array(native.utf8)).output
    #expect(again == native)
    let analysis = Run(["analyze", "-"], input: Array(native.utf8)).output
    #expect(withoutTitle(analysis) == withoutTitle(Run(["analyze", file.path] + more).output))
  }

  @Test func thereIsACaseForEveryFormat() {
    let formats = Set(Self.cases.map { String($0.prefix { $0 != "/" }) })
    #expect(formats.isSuperset(of: Run(["formats", "--format", "json"]).formatNames))
  }

  /// The options that a sample needs, from a file next to it: words separated by blanks.
  static func arguments(_ folder: URL) -> [String] {
    let file = folder.appending(path: "arguments")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// The output without its first line, which names the file and the format.
  private func withoutTitle(_ output: String) -> String {
    String(output.drop { $0 != "\n" })
  }
}

extension Run {
  /// The names in a list of formats printed as JSON.
  var formatNames: Set<String> {
    let list = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: String]]
    return Set((list ?? []).compactMap { $0["name"] })
  }
}
