import Foundation
import Testing

/// The page "Which commit made it slow": its commands, run one after the other in one folder as a reader would.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: ShellSession.tool.path)
      && FileManager.default.isExecutableFile(atPath: "/usr/bin/git"),
    "no frametool beside the tests, or no git"))
struct WhichCommitTests {
  private static let page = "Sources/FrameKit/FrameKit.docc/WhichCommit.md"

  @Test func theCommandsDoWhatThePageSays() throws {
    let page = try MarkdownPage(Self.page)
    let blocks = page.blocks("sh")
    #expect(blocks.count >= 6)
    let text = try ShellSession().run("set -e\n\(blocks.joined())\necho end")
    #expect(text.hasSuffix("\nend\n"), "\(text)")
    // What the page shows has the form of what is printed; figures and names of commits differ.
    for example in page.blocks("text") {
      let line = example.split(separator: "\n")[0]
      let form = line.split(separator: " ").map { word in
        word.contains(where: \.isNumber)
          ? "\\S+" : NSRegularExpression.escapedPattern(for: String(word))
      }.joined(separator: " ")
      #expect(try text.contains(Regex(form)), "\(line)\n\(text)")
    }
    #expect(text.contains("Change 11"))
    #expect(
      text.contains("history.sqlite: job 1, program, 6 runs") || text.contains("job 1, program"))
  }
}
