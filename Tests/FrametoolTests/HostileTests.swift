import Foundation
import Testing

@testable import FrameReport
@testable import frametool

/// Names, files and programs that mean harm.
@Suite struct HostileTests {
  /// A trace of a program and a surface with the given names.
  private static func trace(_ program: String, _ surface: String) throws -> String {
    let frames = (0..<20).map { #"{"type": "frame", "displayed": \#($0 * 16_666_667)}"# }
    let name = { (text: String) in
      String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
    return
      #"{"schema": "frametool.trace/1", "unit": "ns"}"# + "\n"
      + #"{"type": "surface", "id": "w", "process": \#(try name(program)), "name": \#(try name(surface))}"#
      + "\n" + frames.joined(separator: "\n")
  }

  private static let escapes = "a\u{1b}]0;x\u{7}b\u{202e}c\u{9b}1m\u{200f}d\ne"

  @Test(arguments: ["text", "csv", "markdown", "json"])
  func namesDoNothingInATerminal(_ format: String) throws {
    let trace = Array(try Self.trace(Self.escapes, Self.escapes).utf8)
    for command in [["analyze", "--format", format], ["info", "--format", format]] {
      let run = Run(command + ["-"], input: trace)
      #expect(run.status == .success, "\(run.errors)")
      let effects = run.output.unicodeScalars.filter { scalar in
        scalar.value < 0x20 && scalar != "\n" || (0x7f..<0xa0).contains(scalar.value)
          || [0x202e, 0x200f].contains(scalar.value)
      }
      #expect(effects.isEmpty, "\(command): \(effects.map(\.value))")
    }
  }

  /// What is escaped in JSON reads back the same.
  @Test func jsonKeepsNames() throws {
    let run = Run(
      ["analyze", "--format", "json", "-"], input: Array(try Self.trace(Self.escapes, "w").utf8))
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let surfaces = json?["surfaces"] as? [[String: Any]]
    #expect(surfaces?.first?["process"] as? String == Self.escapes)
  }

  @Test(arguments: [
    ("|\u{301}x", "\\|\u{301}x"), ("`\u{20dd}a`", "\\`\u{20dd}a\\`"), ("<b>", "\\<b>"),
    ("a\u{2028}b", "a b"),
  ])
  func cellsOfMarkdownEndWhereTheyShould(_ text: String, _ cell: String) {
    // Bytes, because equal characters may differ in their scalars.
    #expect(Array(MarkdownText.cell(text).utf8) == Array(cell.utf8))
  }

  @Test(arguments: [
    ("=1+1", "\"'=1+1\""), ("+x", "\"'+x\""), ("@SUM(A1)", "\"'@SUM(A1)\""), ("-x", "\"'-x\""),
    ("-12.5", "-12.5"), ("-1e-06", "-1e-06"), ("-inf", "\"'-inf\""), ("--1", "\"'--1\""),
    ("-", "\"'-\""),
    ("a=b", "a=b"), ("\"=a,\"\"b\"\"\"", "\"'=a,\"\"b\"\"\""), ("\"a\n=b\"", "\"a\n=b\""), ("", ""),
  ])
  func formulasAreQuotedAndNumbersAreNot(_ cell: String, _ quoted: String) {
    let (text, wanted) = ("\(cell),\(cell)\n\(cell)\n", "\(quoted),\(quoted)\n\(quoted)\n")
    for length in [1, 2, 3, 100] {
      var spreadsheet = SpreadsheetText()
      var found: [UInt8] = []
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: length) {
        found += spreadsheet.consume(Array(bytes[start..<min(start + length, bytes.count)]))
      }
      #expect(String(decoding: found, as: UTF8.self) == wanted)
    }
  }

  /// Only files whose name ends in .csv have quotes, unless the option says otherwise.
  @Test(arguments: [
    ("out.csv", true), ("-", false), ("out.csv --formulas plain", false),
    ("- --formulas quoted", true),
  ])
  func filesForSpreadsheetsQuoteFormulas(_ output: String, _ isQuoted: Bool) throws {
    let session = try ShellSession()
    let text = try Self.trace("=HYPERLINK(\"x\")", "w")
    let said = try session.run(
      """
      cat >t.jsonl <<'END'
      \(text)
      END
      frametool convert --as frames-csv t.jsonl \(output) >said 2>&1; cat out.csv said 2>/dev/null
      """)
    #expect(said.contains("\"'=HYPERLINK(\"\"x\"\")\"") == isQuoted, "\(said.prefix(400))")
    #expect(said.contains("=HYPERLINK"))
  }

  @Test(arguments: [
    ([0x1f, 0x8b, 8, 0x67], "byte "), ([0x1f, 0x8b], "byte 2: the gzip data ends early"),
    ([0x28, 0xb5, 0x2f, 0xfd, 0x67, 0x61, 0x72, 0x62], "the zstd data ends early"),
  ])
  func compressedDataThatIsBrokenFromItsStartIsNotEmpty(_ bytes: [UInt8], _ problem: String) throws
  {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url.appending(path: "t.gz"))
    let run = Run(["analyze", folder.path("t.gz")])
    #expect(run.status == .badData)
    #expect(run.errors.contains(problem) && !run.errors.contains("empty"), "\(run.errors)")
  }

  @Test func whatInflatesTooFarIsCutOff() throws {
    let session = try ShellSession()
    _ = try session.run(
      "(echo t; yes 16.667 | head -n 400000) | gzip -9 >b.csv.gz; frametool generate steady-60 | gzip >s.jsonl.gz"
    )
    let cut = try session.run(
      "frametool analyze --max-size 1 --columns frameTime=t:ms b.csv.gz; frametool analyze --columns frameTime=t:ms b.csv.gz | grep -c max-size"
    )
    #expect(
      cut.contains("expected at most 1.0 MB in 0.0 MB of compressed data, found more"), "\(cut)")
    #expect(cut.hasSuffix("\n0\n"), "\(cut)")
    let usual = try session.run("frametool analyze s.jsonl.gz --max-size 100")
    #expect(usual.contains("none of "), "\(usual)")
  }

  /// A table whose first line is longer than what other formats are recognized by.
  @Test(arguments: [1, 3000])
  func wideTablesAreRead(_ columns: Int) throws {
    let folder = try TemporaryFolder()
    let names = (0..<columns).map { ",a column of number \($0)" }.joined()
    let row = "game.exe,1,0xF,0.0,16.667,5,10,0" + String(repeating: ",1", count: columns)
    let rows = [String](repeating: row, count: 20).joined(separator: "\n")
    let header =
      "Application,ProcessID,SwapChainAddress,TimeInSeconds,msBetweenPresents,msUntilRenderComplete,msUntilDisplayed,Dropped"
    try Data("\(header)\(names)\n\(rows)\n".utf8).write(to: folder.url.appending(path: "t.csv"))
    let run = Run(["info", folder.path("t.csv")])
    #expect(run.status == .success && run.output.contains("PresentMon CSV"), "\(run.errors)")
  }

  @Test func aPipeWithoutAReaderCanBeLeft() throws {
    let session = try ShellSession()
    let said = try session.run(
      "frametool generate steady-60 -o t.jsonl; mkfifo p; timeout --signal TERM --kill-after 20 1 frametool convert t.jsonl p; echo $?"
    )
    #expect(said == "124\n", "\(said)")
  }

  /// Work within the reading of a file may read another; then the first one is named again.
  @Test func theFileOfACrashIsNamedAgain() {
    ProgramBuild.reading("outer.csv") {
      ProgramBuild.reading("inner.csv") { #expect(ProgramBuild.file == "inner.csv") }
      #expect(ProgramBuild.file == "outer.csv")
    }
    #expect(ProgramBuild.file.isEmpty)
  }

  /// A file that is never complete stands for one that finds a defect.
  @Test func aCrashNamesTheFileThatWasRead() throws {
    let session = try ShellSession()
    let said = try session.run(
      "mkfifo p.csv; exec 3<>p.csv; frametool compare p.csv none.csv 2>e & sleep 1; kill -SEGV $!; wait $!; echo $?; cat e"
    )
    #expect(
      said.hasPrefix("70\nerror: p.csv: frametool failed (signal 11), a defect in frametool\n"),
      "\(said)")
  }

  /// Files are read by threads of the system's queues, whose stacks are as small as the limit.
  @Test func anOverflowingStackIsReportedByEveryThread() throws {
    let session = try ShellSession()
    let said = try session.run(
      "frametool generate steady-60 -o t.jsonl; for size in 64 80 90 100 120 160 200 300; do (ulimit -s $size; frametool analyze t.jsonl t.jsonl t.jsonl >/dev/null 2>&1; echo $?); done"
    )
    let statuses = said.split(separator: "\n")
    #expect(statuses.count == 8 && statuses.contains("70"), "\(said)")
    #expect(statuses.allSatisfy { $0 == "70" || $0 == "0" || $0 == "74" }, "\(said)")
  }

  /// An expression for which a search with backtracking would take longer than anybody can wait.
  @Test func expressionsAreSearchedInLinearTime() throws {
    let session = try ShellSession()
    let said = try session.run(
      "timeout 60 frametool launch run -n 1 --limit 2 --until '(a+)+(a|aa)+c' -- sh -c 'printf %4000s | tr [:space:] a; echo b; sleep 30'; echo $?"
    )
    #expect(
      said.contains("a line that matches --until within 2.0 s") && said.hasSuffix("\n65\n"),
      "\(said.suffix(300))")
    let digits = try session.run(
      #"frametool launch run -n 1 --until '^ready \d+$' -- sh -c 'echo ready 12; sleep 30' | grep -c marker"#
    )
    #expect(digits != "0\n")
    let back = try session.run(#"frametool launch run --until '(a)\1' -- true; echo $?"#)
    #expect(back.contains("without back references") && back.hasSuffix("\n64\n"), "\(back)")
  }

  @Test(arguments: [
    (#"ready in [\d.]+ ms"#, "ready in 12.5 ms", true), (#"^[^\s]+$"#, "a b", false),
    (#"^[^\s]+$"#, "ab", true),
    (#"\w+ \D\d$"#, "ab -3", true), ("[]x]", "]", true), ("[[:digit:]]+$", "a1", true),
    (#"a\.b"#, "axb", false),
    ("(a|b)+c", "abc", true), (#"[\w:]+"#, ":", true),
  ])
  func linesAreMatchedAsOtherToolsDo(_ pattern: String, _ line: String, _ matches: Bool) throws {
    #expect(try #require(LinePattern(pattern)).matches(Array(line.utf8)) == matches)
  }

  @Test(arguments: ["(", #"(a)\1"#, "(?:a)", "(?i)a", #"a\t"#, "[a", #"[\]]"#, "a\\"])
  func otherExpressionsAreRefused(_ pattern: String) {
    #expect(LinePattern(pattern) == nil, "\(pattern)")
  }

  /// The programs of a tool that could not end them are ended all the same.
  @Test func programsEndWithAToolThatIsKilled() throws {
    let session = try ShellSession()
    let said = try session.run(
      """
      frametool launch run -n 1 --limit 90 --until never -- sh -c 'echo $$ >id; sleep 4711' >/dev/null 2>&1 &
      tool=$!
      for i in 1 2 3 4 5 6 7 8 9; do [ -s id ] || sleep 0.3; done
      kill -KILL $tool; sleep 1
      case "$(ps -o stat= -p "$(cat id)")" in "" | Z*) echo ended ;; *) echo runs ;; esac
      """)
    #expect(said == "ended\n", "\(said)")
  }
}
