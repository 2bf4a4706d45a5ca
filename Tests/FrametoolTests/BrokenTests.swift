import Foundation
import Testing

@testable import frametool

/// Each broken file gives its recorded message, and causes no other trouble.
@Suite struct BrokenTests {
  static let folder = "Tests/Broken"
  static let files = Recorded.files(in: folder) { path in
    let name = path.split(separator: "/").last ?? ""
    return path.contains("/") && name.contains(".") && !name.hasSuffix(".expected")
  }

  @Test(arguments: files)
  func theMessageIsTheRecordedOne(_ path: String) throws {
    let file = Run.root.appending(path: "\(Self.folder)/\(path)")
    let folder = file.deletingLastPathComponent()
    let reported = try? String(contentsOf: folder.appending(path: "arguments"), encoding: .utf8)
    let arguments = (reported ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    let run = Run(["analyze", file.lastPathComponent] + arguments, in: folder)
    let output = MeasuredOutput.of(run.output, "analyze.txt")
    let text = "exit status \(run.status.rawValue)\n\(run.errors)\(output)"
    try Recorded.expect(text, at: file.appendingPathExtension("expected"))
  }

  @Test func thereAreAtLeastTwoForEveryFormat() {
    for format in Run(["formats", "--format", "json"]).formatNames {
      #expect(Self.files.count { $0.hasPrefix("\(format)/") } >= 2, "\(format)")
    }
  }
}
