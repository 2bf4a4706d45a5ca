import Foundation
import FrameKit
import Testing

@testable import frametool

/// Terminal output: no line is wider than the window, and colors have a meaning.
@Suite struct TerminalLookTests {
  private static func lines(_ run: Run) -> [String] {
    run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static let commands = [
    ["analyze", "Samples/game.csv"], ["analyze", "Samples/game.csv", "--all"],
    ["info", "Samples/game.csv"],
    ["gate", "Samples/game.csv", "--limit", "p99(frameTime)<=4ms"],
  ]
  private static let lists = [["metrics"], ["formats"], ["plots"], ["scenarios"]]

  @Test(arguments: [60, 80, 100, 132])
  func linesFitTheWindow(_ width: Int) {
    for command in Self.commands + Self.lists {
      let run = Run(command, window: (width, 40))
      for line in Self.lines(run) {
        // A word longer than a line is left whole, and a row of numbers is not broken.
        let isWord = line.split(separator: " ").contains { $0.count + 8 > width }
        let isRow = line.hasPrefix("  ") && line.contains("   ") && width < 80
        #expect(line.count <= width || isWord || isRow, "\(command): \(line)")
      }
    }
  }

  /// Folding moves words to other lines and loses none; everything left out is named.
  @Test func nothingIsLostWithoutBeingNamed() {
    for command in Self.commands {
      let whole = Run(command).output
      let words = { (text: String) in
        text.split { $0 == " " || $0 == "\n" }.map(String.init).sorted()
      }
      #expect(words(Run(command, window: (300, 40)).output) == words(whole), "\(command)")
    }
    let narrow = Run(["analyze", "Samples/game.csv"], window: (80, 24)).output
    #expect(narrow.contains("  no room for missing, min"))
    #expect(Run(["analyze", "Samples/game.csv"], window: (200, 24)).output.contains("    min "))
  }

  @Test func scriptsGetWhatTheyAlwaysGot() {
    for command in Self.commands {
      let plain = Run(command)
      for format in ["json", "markdown"] {
        let arguments = command + ["--format", format]
        let shown = Run(arguments, window: (80, 24), hasColor: true).output
        #expect(shown == Run(arguments).output)
      }
      #expect(!plain.output.contains("\u{1b}"))
    }
  }

  @Test func colorsMarkTitlesAndVerdicts() {
    let run = Run(
      ["compare", "--before"] + CompareTests.files("a") + ["--after"] + CompareTests.files("c"),
      in: CompareTests.folder, window: (200, 40), hasColor: true)
    #expect(run.output.hasPrefix("\u{1b}[31mregressed: after is slower"))
    let plain = CompareTests.compare("c").output
    let bare = run.output.replacing(/\u{1b}\[\d+m/, with: "")
    let trimmed = bare.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
    #expect(
      trimmed.split { $0 == " " || $0 == "\n" } == plain.split { $0 == " " || $0 == "\n" })
  }

  /// A name in a trace cannot add colors or other control sequences.
  @Test func namesOfTracesBringNoColors() {
    let trace =
      "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n{\"type\": \"surface\", \"id\": \"s\", \"process\": \"\\u001b[31mx\"}\n"
      + (0..<20).map { "{\"type\": \"frame\", \"surface\": \"s\", \"commit\": \($0 * 16)}\n" }
      .joined()
    let run = Run(
      ["analyze", "-"], input: Array(trace.utf8), window: (80, 24), hasColor: true)
    #expect(run.status == .success && !run.output.contains("\u{1b}[31mx"), "\(run.errors)")
  }

  @Test func plotsInCharactersFillTheWindow() {
    let small = Run(["plot", "frame-times", "Samples/game.csv"], window: (60, 20)).output
    let large = Run(["plot", "frame-times", "Samples/game.csv"], window: (120, 40)).output
    let width = { (text: String) in text.split(separator: "\n").map(\.count).max() ?? 0 }
    #expect((40...60).contains(width(small)) && (90...120).contains(width(large)))
    #expect(small.split(separator: "\n", omittingEmptySubsequences: false).count <= 20)
  }
}
