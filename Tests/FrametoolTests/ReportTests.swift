import Foundation
import Testing

@testable import FrameReport
@testable import FrameTrace
@testable import frametool

/// The report: one page with all its parts, which no name in a trace can break.
@Suite struct ReportTests {
  /// Writes a report and returns its text.
  private func report(
    _ arguments: [String], _ folder: TemporaryFolder, to name: String = "out.html"
  ) throws -> String {
    let run = Run(["report"] + arguments + ["-o", folder.path(name)])
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.errors == "")
    return String(decoding: try Data(contentsOf: folder.url.appending(path: name)), as: UTF8.self)
  }

  @Test func findingsInWordsComeFirst() throws {
    let folder = try TemporaryFolder()
    let text = try report([folder.generate("triple-switch")], folder)
    let order = ["<h1>", ">Findings<", "1 of 182 refreshes dropped", "<figure>", "<table>"]
    let positions = try order.map { try #require(text.range(of: $0)?.lowerBound, "\($0)") }
    #expect(positions == positions.sorted())
    #expect(text.contains("by the GPU: 15.0 ms, usually 6.7"))
  }

  @Test func aStaticPageNeedsNothingElse() throws {
    let folder = try TemporaryFolder()
    let text = try report([folder.generate("triple-switch"), "--static"], folder)
    #expect(!text.contains("<script") && !text.contains("http://") && !text.contains("https://"))
    let links = text.matches(of: /(?:src|srcset|href)="([^"]*)"/).map { String($0.1) }
    #expect(links.allSatisfy { $0.hasPrefix("data:") || $0.hasPrefix("#") })
    #expect(text.contains("default-src 'none'"))
    // Two pictures for each figure, each complete.
    let pictures = links.filter { $0.hasPrefix("data:image/svg+xml;base64,") }
    #expect(pictures.count == 2 * text.matches(of: /<figure>/).count)
    for picture in pictures {
      let data = Data(base64Encoded: String(picture.dropFirst("data:image/svg+xml;base64,".count)))
      let bytes = [UInt8](try #require(data))
      #expect(PlotCanvas(.svg).isWhole(bytes))
    }
  }

  @Test func aPageToExploreIsSmallAndRunsNothingButItsOwnScript() throws {
    let folder = try TemporaryFolder()
    let text = try report([folder.generate("triple-switch")], folder)
    #expect(text.utf8.count < 250_000)
    #expect(PageScript.text.utf8.count < 112_000)
    #expect(!text.contains("http://") && !text.contains("https://"))
    #expect(text.matches(of: /<script/).count == 2)
    #expect(text.contains("script-src '\(PageScript.textHash)'"))
    #expect(!text.contains("unsafe-inline") && text.contains("default-src 'none'"))
    #expect(text.matches(of: /\son[a-z]+="/).isEmpty)
    let long = folder.path("long.jsonl")
    #expect(
      Run(["generate", "dropped-frames", "--frames", "10000", "-o", long]).status == .success)
    #expect(try report([long], folder).utf8.count < 1_000_000)
  }

  @Test func aPageStatesTheHashesOfItsStyleAndScript() throws {
    #expect(try "sha256-\(sha256(PageScript.text))" == PageScript.textHash)
    #expect(try "sha256-\(sha256(PageScript.style))" == PageScript.styleHash)
  }

  /// The types stated in the modules' comments fit the code, according to TypeScript's checker.
  @Test(
    .enabled(if: Chromium.find(["tsc"]) != nil, "no tsc in PATH; Debian's node-typescript has it"))
  func theTypesOfTheScriptFit() throws {
    let folder = try TemporaryFolder()
    // Older checkers do not know features that browsers have had since 2020.
    let known =
      "declare class DecompressionStream { constructor(format: string); readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array>; }"
    try Data(known.utf8).write(to: URL(filePath: folder.path("known.d.ts")))
    let modules = Run.root.appending(path: "Sources/FrameReport/Report/Page")
    let names = try FileManager.default.contentsOfDirectory(atPath: modules.path)
      .filter { $0.hasSuffix(".js") }.sorted()
    #expect(names.count == PageScript.count)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: try #require(Chromium.find(["tsc"])))
    process.arguments =
      [
        "--allowJs", "--checkJs", "--noEmit", "--strict", "false", "--target", "es2022", "--lib",
        "es2022,dom,dom.iterable", "--skipLibCheck", folder.path("known.d.ts"),
      ] + names.map { modules.appending(path: $0).path }
    process.standardOutput = output
    try process.run()
    let said = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(said == "")
  }

  /// The SHA-256 of text in base64, computed by whichever program the system has for it.
  private func sha256(_ text: String) throws -> String {
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: URL(filePath: folder.path("text")))
    let usual = Chromium.find(["sha256sum"])
    let program = try #require(usual ?? Chromium.find(["shasum"]))
    let options = usual == nil ? ["-a", "256"] : []
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = options + [folder.path("text")]
    process.standardOutput = output
    try process.run()
    let printed = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let digits = Array(printed.prefix(64))
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
    #expect(bytes.count == 32, "\(printed)")
    return Data(bytes).base64EncodedString()
  }

  @Test func everyElementIsClosedAndEveryPictureHasItsWords() throws {
    let folder = try TemporaryFolder()
    let text = try report(
      [folder.generate("triple-switch"), folder.generate("talk-triple"), "--static"], folder)
    #expect(Self.unclosed(text) == [])
    let pictures = text.matches(of: /<img [^>]*alt="([^"]*)"/).map { $0.1.count }
    #expect(pictures.count >= 15 && pictures.allSatisfy { $0 > 20 })
    // Tables that scroll can be reached by keyboard, and have a name.
    #expect(
      text.matches(of: /<div class="table" role="group" aria-label="[^"]+" tabindex="0">/).count
        > 3)
    #expect(text.matches(of: /<table>/).count == text.matches(of: /<caption>/).count)
    let ids = text.matches(of: /\ id="([^"]+)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
    for link in text.matches(of: /href="#([^"]+)"/) { #expect(ids.contains(String(link.1))) }
  }

  /// Elements that are not closed, or not in the order in which they were opened.
  private static func unclosed(_ text: String) -> [String] {
    let void: Set = ["meta", "link", "img", "source", "!doctype"]
    var open: [String] = []
    for match in text.matches(of: /<(\/?)([!a-z][a-z0-9]*)[^>]*>/) {
      let name = String(match.2)
      if void.contains(name) { continue }
      if match.1.isEmpty {
        open.append(name)
      } else if open.popLast() != name {
        return open + ["/\(name)"]
      }
    }
    return open
  }

  @Test func aComparisonIsASectionOfIt() throws {
    let folder = try TemporaryFolder()
    var files: [String] = []
    for (scenario, seed) in [
      ("gpu-overrun", 1), ("gpu-overrun", 2), ("gpu-overrun-sustained", 3),
      ("gpu-overrun-sustained", 4),
    ] {
      let path = folder.path("\(seed).jsonl")
      #expect(
        Run(["generate", scenario, "--seed", "\(seed)", "--frames", "\(600 + seed)", "-o", path])
          .status
          == .success)
      files.append(path)
    }
    let text = try report(
      ["--before", files[0], files[1], "--after", files[2], files[3], "--static"], folder)
    #expect(text.contains("<h1><bdi>Comparison: "))
    #expect(text.contains(">Before and after<") && text.contains("missedRefreshShare"))
    #expect(Self.unclosed(text) == [])
    let printed = Run(["compare", "--before", files[0], files[1], "--after", files[2], files[3]])
    let verdict = printed.output.split(separator: "\n")[0]
    #expect(text.contains(String(verdict)))
  }

  @Test func markdownHasItsPicturesBesideIt() throws {
    let folder = try TemporaryFolder()
    let text = try report([folder.generate("triple-switch")], folder, to: "the report.md")
    let links = text.matches(of: /!\[[^\]]+\]\(([^)]+)\)/).compactMap {
      String($0.1).removingPercentEncoding
    }
    #expect(links.count >= 7)
    for link in links {
      #expect(FileManager.default.fileExists(atPath: folder.path(link)), "\(link)")
    }
    let plain = Run(["report", folder.path("triple-switch.jsonl")])
    #expect(plain.output.hasPrefix("# Frame timing of "))
    #expect(!plain.output.contains("]("))
    let without = try report(
      [folder.generate("triple-switch"), "--no-plots"], folder, to: "plain.md")
    #expect(!without.contains("]("))
    #expect(!folder.files.contains("plain.plots"))
  }

  /// A trace whose every name is hostile.
  private func hostileTrace(_ folder: TemporaryFolder) throws -> String {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms", "origin": "<script>alert(0)</script>"}"#
    ]
    for (number, text) in GnuplotTests.hostile.enumerated()
    where [0, 1, 3, 8, 13, 18].contains(number) {
      let name = try GnuplotTests.json("\(text)\(number)<img src=x onerror=alert(1)>")
      lines.append(#"{"type": "surface", "id": \#(name), "name": \#(name), "process": \#(name)}"#)
      for frame in 0..<6 {
        lines.append(
          #"{"type": "frame", "appStart": \#(frame * 16), "commit": \#(frame * 16 + 4), "displayed": \#(frame * 16 + 33)}"#
        )
      }
    }
    let path = folder.path("<b>\"'`$(touch hacked)`.jsonl")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    return path
  }

  /// A mark that combines with the character before it makes of `<` no other.
  @Test func noNameBeginsATagInThePagesData() throws {
    let folder = try TemporaryFolder()
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "surface", "id": "x<\u0338/script>", "name": "x<\u0338/script>", "process": "p"}"#,
    ]
    for frame in 0..<6 {
      lines.append(
        #"{"type": "frame", "appStart": \#(frame * 16), "commit": \#(frame * 16 + 4), "displayed": \#(frame * 16 + 33)}"#
      )
    }
    let path = folder.path("marks.jsonl")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    let page = try report([path], folder, to: "page.html")
    let data = try #require(page.split(separator: "id=\"page-data\">").last)
    let end = try #require(data.firstRange(of: "</script>"))
    #expect(data[..<end.lowerBound].contains("p x\\u003"))
    #expect(!data[..<end.lowerBound].utf8.contains(UInt8(ascii: "<")))
  }

  @Test func hostileNamesAreTextAndNothingElse() throws {
    let folder = try TemporaryFolder()
    let path = try hostileTrace(folder)
    let explored = try report([path], folder)
    #expect(explored.matches(of: /<script/).count == 2 && !explored.contains("<img src=x"))
    let text = try report([path, "--static"], folder)
    #expect(!text.contains("<script") && !text.contains("<img src=x"))
    #expect(Self.unclosed(text) == [])
    #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    let markdown = try report([path], folder, to: "out.md")
    #expect(markdown.matches(of: /[^\\]<(script|img)/).isEmpty)
    #expect(!folder.files.contains("hacked"))
  }

  @Test func namesAreNoMarkdown() {
    let names = [
      ("![x](http://e/p.png)", "![x\\](http://e/p.png)"),
      ("[x](javascript:1)", "[x\\](javascript:1)"), ("~~~", "\\~\\~\\~"),
      ("1. x", "1\\. x"), ("- x", "\\- x"), ("&lt;", "\\&lt;"), ("[x]: y", "[x\\]: y"),
      ("a_b*c", "a\\_b\\*c"), ("[1] note", "[1] note"),
    ]
    for (name, shown) in names {
      #expect(MarkdownText.escape(name) == shown, "\(name)")
    }
    #expect(MarkdownText.cell("a\\|b<i>[x](y)\n") == "a\\\\\\|b\\<i>[x\\](y) ")
    #expect(PercentEncoding.path("a&b;c#d?e %/ü.svg") == "a%26b%3Bc%23d%3Fe%20%25/%C3%BC.svg")
  }

  @Test func manySurfacesHaveFiguresAndTheLargestPictures() throws {
    let folder = try TemporaryFolder()
    var lines = [#"{"schema": "frametool.trace/1", "unit": "ms"}"#]
    for surface in 0..<25 {
      lines.append(#"{"type": "surface", "id": "s\#(surface)"}"#)
      for frame in 0...(surface + 1) {
        lines.append(
          #"{"type": "frame", "appStart": \#(frame * 16), "commit": \#(frame * 16 + 4)}"#)
      }
    }
    let path = folder.path("many.jsonl")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    let text = Run(["report", path]).output
    #expect(text.contains("Plots show the 20 largest surfaces; 5 more have tables only"))
    #expect(text.contains("### Plots of s24") && !text.contains("### Plots of s4\n"))
    #expect(text.contains("### Figures of s4\n"))
  }

  @Test(.enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
  func aBrowserShowsItWithoutAComplaint() throws {
    let folder = try TemporaryFolder()
    _ = try report([folder.generate("triple-switch"), folder.generate("launches")], folder)
    let visit = try Chromium.visit(folder.path("out.html"))
    #expect(visit.console == [])
    #expect(visit.page.contains("1 of 182 refreshes dropped"))
    for section in [
      "Findings", "Plots of Touches (501) window", "Figures of Touches (501) window",
    ] {
      #expect(visit.page.contains(section), "\(section)")
    }
  }

  @Test(.enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
  func aBrowserRunsNothingOfHostileNames() throws {
    let folder = try TemporaryFolder()
    _ = try report([hostileTrace(folder)], folder)
    let visit = try Chromium.visit(folder.path("out.html"))
    #expect(visit.console == [])
    #expect(!visit.page.contains("onerror=\""))
    #expect(visit.page.matches(of: /<script/).count == 2)
    #expect(visit.page.contains("Findings"))
  }
}
