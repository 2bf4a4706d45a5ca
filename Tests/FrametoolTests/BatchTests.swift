import Foundation
import Testing

@testable import frametool

/// Summaries of many traces, each read by a process of its own, as a user runs them.
@Suite struct BatchTests {
  private static let traces =
    "mkdir d; for i in 1 2 3; do frametool generate steady-60 --frames 60 --seed $i -o d/$i.jsonl; done"

  @Test(arguments: [
    (60_000, "--max-time 0.4", "it was not read within 0.4 s; --max-time allows more"),
    (200_000, "--max-memory 112", "it needs more than 112 MB of memory; --max-memory allows more"),
  ])
  func aTraceBeyondALimitCostsItsOwnRow(_ frames: Int, _ limit: String, _ reason: String) throws {
    let session = try ShellSession()
    let ask = "frametool analyze --summary s.jsonl --tag x=y \(limit) d"
    let said = try session.run(
      "\(Self.traces); frametool generate uncapped-game --frames \(frames) -o d/0.jsonl; \(ask); echo $?"
    )
    #expect(
      said == """
        error: d/0.jsonl: \(reason)
        s.jsonl: 3 runs, 1 file could not be read
        65

        """, "\(said)")
    let rows = try session.run("grep -c '\"failed\":\"d/0.jsonl: it' s.jsonl; wc -l <s.jsonl")
    #expect(rows == "1\n5\n", "\(rows)")
    // A row of a failure is like any other: it is kept, and has the tags.
    let resumed = try session.run(
      "grep -c '\"tags\":{\"x\":\"y\"},\"failed\"' s.jsonl; mv s.jsonl s.jsonl.part; \(ask)")
    #expect(resumed.hasPrefix("1\nnote: s.jsonl.part: resuming after 4 of 4 files\n"), "\(resumed)")
  }

  /// With a limit, a comparison reads each trace in another process first, and names the one that fails.
  @Test func aComparisonMayHaveLimits() throws {
    let session = try ShellSession()
    _ = try session.run("\(Self.traces.replacing("--frames 60", with: "--frames 300")); cp -r d e")
    let same = "frametool compare d e --format csv"
    #expect(
      try session.run("\(same) >one; \(same) --max-time 60 >other; cmp one other && echo same")
        == "same\n")
    let said = try session.run(
      "frametool generate uncapped-game --frames 60000 -o e/0.jsonl; \(same) --max-time 0.4; echo $?"
    )
    #expect(said == "error: e/0.jsonl: it was not read within 0.4 s; --max-time allows more\n65\n")
    // What cannot be read is said as it is without a limit, and options of reading are passed on.
    let table = try session.run(
      """
      rm e/0.jsonl; printf 't,f\\n0,16\\n16,17\\n33,16\\n' >t.csv; printf 'no trace' >n.txt
      frametool compare t.csv t.csv --columns time=t:ms --columns frameTime=f:ms --max-time 60 --brief | head -c 40; echo
      frametool compare n.txt n.txt --max-time 60 2>&1 | head -c 60
      """)
    #expect(table.contains("error: n.txt: expected a trace of frames"), "\(table)")
    #expect(table.contains("error: t.csv: expected at least 240 frame times"), "\(table)")
  }

  /// A process reads the same rows as this one does.
  @Test func workersWriteTheSameRows() throws {
    let session = try ShellSession()
    let said = try session.run(
      """
      \(Self.traces); printf 'no trace' >'d/a b.txt'
      frametool analyze --summary one.jsonl --tag x=y --tag-path '{name}.jsonl' d
      for f in d/*.jsonl; do frametool analyze --summary "$f.one" --tag x=y --tag-path 'd/{name}.jsonl' $f >/dev/null; done
      grep -h '"id"' one.jsonl >rows; cat d/*.one | grep '"id"' | cmp - rows && echo same
      """)
    #expect(said.contains("error: d/a b.txt: expected a trace of frames"), "\(said)")
    #expect(said.hasSuffix("one.jsonl: 3 runs, 1 file could not be read\nsame\n"), "\(said)")
  }

  @Test func tracesThatChangedAreReadAgain() throws {
    let session = try ShellSession()
    let resumed = { (change: String) in
      try session.run(
        "rm -rf d s.jsonl; \(Self.traces); frametool analyze --summary s.jsonl d; mv s.jsonl s.jsonl.part; \(change); frametool analyze --summary s.jsonl d"
      )
    }
    #expect(try resumed("true").contains("resuming after 3 of 3 files"))
    // Another size, another content of the same size and an older date, and a later date.
    #expect(try resumed("echo >>d/2.jsonl").contains("resuming after 1 of 3 files"))
    let other = "tr 6 7 <d/3.jsonl >x; touch -d 2020-01-01 x; mv x d/3.jsonl"
    #expect(try resumed(other).contains("resuming after 2 of 3 files"))
    #expect(!(try resumed("touch -d 2100-01-01 d/1.jsonl").contains("resuming")))
  }

  @Test(.enabled(if: Self.has("flock"), "flock is not installed"))
  func twoThatWriteToOneFileDoNotMix() throws {
    let session = try ShellSession()
    let said = try session.run(
      "\(Self.traces); flock s.jsonl.part frametool analyze --summary s.jsonl d; echo $?; frametool analyze --summary s.jsonl d"
    )
    #expect(
      said == """
        error: s.jsonl.part: cannot write: another process is writing it
        help: wait for its end, or give the output another name
        74
        s.jsonl: 3 runs

        """, "\(said)")
  }

  /// With too little of either, one line says so.
  ///
  /// The Swift runtime needs some memory before it starts the program, and more for a larger program: limits are
  /// above the least with which the version is printed.
  @Test func littleMemoryAndFewFilesAreOneLine() throws {
    let session = try ShellSession()
    _ = try session.run(Self.traces)
    let least = try session.run(
      """
      low=20000; high=1000000
      while [ $((high - low)) -gt 8 ]; do
        middle=$(((low + high) / 2))
        if (ulimit -v $middle; exec frametool --version) >/dev/null 2>&1; then high=$middle; else low=$middle; fi
      done
      echo $high
      """)
    let start = try #require(Int(least.split(separator: "\n").last ?? ""), "\(least)")
    let limits =
      [500, 1000, 4000, 12_000, 20_000, 30_000].map { "-v \(start + $0)" }
      + [4, 5, 6, 8].map { "-n \($0)" }
    for limit in limits {
      for command in ["analyze d/1.jsonl", "analyze --summary s.jsonl d"] {
        let said = try session.run(
          "rm -f s.jsonl*; timeout 60 sh -c 'ulimit \(limit); exec frametool \(command)' >/dev/null 2>said; echo $?; grep -c '^error: ' said; cat said"
        )
        // A shell without files cannot start it at all.
        let lines = said.split(separator: "\n")
        let status = lines.first ?? ""
        #expect(["0", "74", "127", "126"].contains(status), "\(limit) \(command): \(said)")
        #expect(status != "74" || lines[1] == "1", "\(limit) \(command): \(said)")
        #expect(
          !["Fatal error", "tack trace", "Thread 0"].contains(where: said.contains),
          "\(limit): \(said)")
      }
    }
  }

  private static func has(_ program: String) -> Bool {
    (try? ShellSession().run("command -v \(program)"))?.isEmpty == false
  }
}
