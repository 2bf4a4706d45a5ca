import Foundation
import FrameKit
import Testing

@testable import frametool

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// gnuplot does only what the tool asks, and nothing that a name in a trace asks.
@Suite struct GnuplotTests {
  private static let sample = Run(["generate", "triple-switch"]).output

  /// Runs a plot with the test's own gnuplot.
  private func plot(
    _ program: GnuplotProgram, _ folder: TemporaryFolder, to name: String = "out.svg"
  ) -> Run {
    Run(
      ["plot", "frame-times", "-", "-o", folder.path(name)], input: Array(Self.sample.utf8),
      gnuplot: program)
  }

  @Test func withoutGnuplotItSaysWhatToInstall() throws {
    let folder = try TemporaryFolder()
    let run = plot(GnuplotProgram(name: folder.path("none")), folder)
    #expect(run.status == .unavailable)
    #expect(run.errors.contains("gnuplot is required but cannot be started: No such file"))
    #expect(run.errors.contains("apt-get install gnuplot-nox"))
    #expect(folder.files == [])
  }

  /// Pages and their pictures are drawn without it.
  @Test(arguments: ["page.html", "static.html", "page.md"])
  func pagesNeedNoGnuplot(_ name: String) throws {
    let folder = try TemporaryFolder()
    let options = name == "static.html" ? ["--static"] : []
    let run = Run(
      ["report", "-", "-o", folder.path(name)] + options, input: Array(Self.sample.utf8),
      gnuplot: GnuplotProgram(name: folder.path("none")))
    #expect(run.status == .success && run.errors == "", "\(run.errors)")
    #expect(folder.files.contains(name))
    if name == "page.md" { #expect(folder.files.contains("page.plots")) }
  }

  @Test func anOldGnuplotIsRefusedByItsVersion() throws {
    let folder = try TemporaryFolder()
    let old = try folder.script("gnuplot", "echo gnuplot 4.6 patchlevel 6")
    let run = plot(GnuplotProgram(name: old), folder)
    #expect(run.status == .unavailable)
    #expect(run.errors.contains("gnuplot 4.6 is too old; 5.2 or later is required"))
    #expect(folder.files == ["gnuplot"])
    let other = try folder.script("gnuplot", "echo some other program")
    #expect(plot(GnuplotProgram(name: other), folder).status == .unavailable)
  }

  /// What a stand-in for gnuplot does after it has printed its version, and the resulting message.
  private static let failures: [(does: String, says: String)] = [
    ("exit 3", "gnuplot failed with status 3"),
    ("echo 'line 0: undefined function: foo' >&2; exit 1", "undefined function: foo"),
    ("kill -9 $$", "gnuplot was killed by signal 9"),
    ("exec sleep 30", "gnuplot did not finish within 0.3 s and was stopped"),
    ("exit 0", "gnuplot wrote an incomplete picture of 0 bytes"),
  ]

  @Test(arguments: failures.indices)
  func aGnuplotThatFailsLeavesNoFile(_ index: Int) throws {
    let failure = Self.failures[index]
    let folder = try TemporaryFolder()
    let broken = try folder.script(
      "gnuplot",
      "[ \"$1\" = --version ] && { echo gnuplot 5.4 patchlevel 4; exit 0; }\n\(failure.does)")
    let limit: Int32 = failure.does.contains("sleep") ? 300 : 20_000
    let run = plot(GnuplotProgram(name: broken, limit: limit), folder)
    #expect(run.status == .inputOutput, "\(run.errors)")
    #expect(run.errors.contains(failure.says), "\(run.errors)")
    #expect(folder.files == ["gnuplot"])
  }

  @Test func halfAPictureIsNone() throws {
    let folder = try TemporaryFolder()
    let cut = try folder.script(
      "gnuplot",
      """
      [ "$1" = --version ] && { echo gnuplot 5.4 patchlevel 4; exit 0; }
      output=$(sed -n 's/^set output "\\(.*\\)"$/\\1/p')
      printf '<?xml version="1.0"?><svg>' > "$(printf "$output")"
      """)
    let run = plot(GnuplotProgram(name: cut), folder)
    #expect(run.status == .inputOutput)
    #expect(run.errors.contains("an incomplete picture of 26 bytes"), "\(run.errors)")
    #expect(folder.files == ["gnuplot"])
  }

  @Test func whatCannotBeWrittenIsTold() throws {
    let folder = try TemporaryFolder()
    let run = plot(GnuplotProgram(), folder, to: "no/such/folder.svg")
    #expect(run.status == .inputOutput)
    #expect(run.errors.contains("cannot write"))
    #if os(Linux)
      // Output goes through a link to its target.
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("full.svg"), withDestinationPath: "/dev/full")
      let full = plot(GnuplotProgram(), folder, to: "full.svg")
      #expect(full.status == .inputOutput)
      #expect(full.errors.contains("No space left"))
    #endif
  }

  @Test func versionsAreRead() {
    #expect(GnuplotProgram.version("gnuplot 5.4 patchlevel 4\n")! == (5, 4))
    #expect(GnuplotProgram.version("gnuplot 6.0 patchlevel rc1\n")! == (6, 0))
    #expect(GnuplotProgram.version("gnuplot\n") == nil)
    #expect(GnuplotProgram.version("") == nil)
  }

  @Test(arguments: ["svg", "png"])
  func theSameInputGivesTheSamePicture(_ suffix: String) throws {
    let folder = try TemporaryFolder()
    for kind in ["pipeline", "occupancy", "frame-times", "jitter"] {
      let pictures = try ["a", "b"].map { name in
        let path = folder.path("\(name).\(suffix)")
        let run = Run(["plot", kind, "-", "-o", path], input: Array(Self.sample.utf8))
        #expect(run.status == .success, "\(run.errors)")
        return try Data(contentsOf: URL(filePath: path))
      }
      #expect(pictures[0] == pictures[1])
      #expect(pictures[0].count > 5000)
    }
  }

  @Test func everyFormIsAWholePicture() throws {
    let folder = try TemporaryFolder()
    let plot = try Self.plot(title: "a title")
    for format in PlotCanvas.Format.allCases {
      for theme in PlotCanvas.Theme.allCases {
        let canvas = PlotCanvas(format, theme: theme)
        let picture = try GnuplotProgram().draw(plot, on: canvas)
        #expect(canvas.isWhole(picture), "\(format)")
        #expect(
          !canvas.isWhole(Array(picture.dropLast(picture.count / 2))) || format == .characters)
      }
    }
    #expect(folder.files == [])
  }

  /// A plot that has the text everywhere a text can be.
  static func plot(title: String) throws -> Plot {
    let trace = """
      {"schema": "frametool.trace/1", "unit": "ms"}
      {"type": "surface", "id": \(try json(title)), "process": \(try json(title))}
      """
    let frames = (0..<8).map {
      #"{"type": "frame", "appStart": \#($0 * 16), "commit": \#($0 * 16 + 5)}"#
    }
    let text = ([trace] + frames).joined(separator: "\n") + "\n"
    let read = try Importers.read(InputFile(bytes: Array(text.utf8), path: title))
    let kind = try #require(Plots.named("frame-times")?.ofTraces)
    return try kind.draw([Study(of: read), Study(of: read)])
  }

  static func json(_ text: String) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: [text])
    return String(String(decoding: data, as: UTF8.self).dropFirst().dropLast())
  }

  /// Texts that break out of quotes, or have a meaning in gnuplot, a shell, a format or XML.
  static let hostile = [
    #"`touch hacked`"#, #""; system("touch hacked"); print ""#, "'; !touch hacked; '",
    "\n!touch hacked\n", "@macro", "$(touch hacked)", "%s%n%g%%", #"\0440"#, #"\""#, "''''''",
    "{/Symbol a}_{b}^{c}&{d}", "~a{.8-}", "]]>", "<script>alert(1)</script>", "&amp;<b>",
    "| touch hacked", "< touch hacked", "\u{0}\u{1}\u{1b}[31m", "\u{202e}desrever", "\u{ffff}",
    "日本語 ünïcödé 🎮", "1234567890", String(repeating: "long ", count: 200), "", " ", "#comment",
    "a\\", "$0 $1 ${x}", "set output '|touch hacked'", "\r\n", "-e 'x'", "~/.gnuplot",
  ]

  @Test func hostileTextsAreShownAndDoNothing() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 11)
    let alphabet = Array("\"'`\\@$!%&{}[]()<>|;#~^_*?\n\r\t0123456789abcü日 ")
    let random200 = (0..<40).map { _ in
      String(
        (0..<Int.random(in: 1...30, using: &random)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        })
    }
    for text in Self.hostile + random200 where !text.isEmpty {
      let picture = try GnuplotProgram().draw(Self.plot(title: text), on: PlotCanvas(.svg))
      let parser = XMLParser(data: Data(picture))
      #expect(parser.parse(), "\(text.debugDescription): \(String(describing: parser.parserError))")
      for position in [FileManager.default.currentDirectoryPath, Run.root.path, folder.url.path] {
        #expect(!FileManager.default.fileExists(atPath: "\(position)/hacked"))
      }
    }
  }

  @Test func aTextIsShownAsItIs() throws {
    for text in ["{/Symbol a}_{b}^2 & 50 % <i>", "`x` \"y\" 'z' \\0440 $1 @a", "ünïcödé 日本"] {
      let picture = try GnuplotProgram().draw(Self.plot(title: text), on: PlotCanvas(.svg))
      let reader = SVGText()
      let parser = XMLParser(data: Data(picture))
      parser.delegate = reader
      #expect(parser.parse())
      #expect(reader.text.contains(text), "\(text)")
    }
  }
}

/// Collects the texts of an SVG.
private final class SVGText: NSObject, XMLParserDelegate {
  var text = ""

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
