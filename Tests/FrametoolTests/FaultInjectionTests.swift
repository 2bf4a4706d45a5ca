import Foundation
import Testing

@testable import frametool

/// Reads, writes and other calls that fail, one after the other, in each command that writes.
@Suite struct FaultInjectionTests {
  private static let hasCompiler =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")
    && FileManager.default.fileExists(atPath: "/proc/self/fd")

  @Test(
    .enabled(
      if: hasCompiler && FileManager.default.isExecutableFile(atPath: ShellSession.tool.path),
      "no C compiler, no Linux, or no frametool next to the tests"))
  func noFaultEndsWrongly() throws {
    let session = try ShellSession()
    let script = Run.root.appending(path: "scripts/fault-injection").path
    let run = try session.run("'\(script)' '\(ShellSession.tool.path)'; echo $?")
    #expect(run.contains(" 0 ended wrongly\n0\n"), "\(run)")
    let faults = try #require(run.firstMatch(of: /\n(\d+) faults,/).flatMap { Int($0.1) })
    #expect(faults > 200)
  }

  /// The package of the fuzzer takes a folder of Swift only: a source in another language ends its build.
  @Test func theFuzzersFolderIsSwift() throws {
    let folder = Run.root.appending(path: "Fuzzing").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    #expect(names.contains("Fuzz.swift") && names.allSatisfy { $0.hasSuffix(".swift") }, "\(names)")
  }

  /// The check fails if a command claims success without its output.
  @Test(.enabled(if: hasCompiler, "no C compiler or no Linux"))
  func aLyingProgramIsFound() throws {
    let session = try ShellSession()
    let script = Run.root.appending(path: "scripts/fault-injection").path
    let run = try session.run(
      """
      printf '#!/bin/sh\\n"%s" "$@" || { echo "error: something" >&2; exit 0; }\\n' '\(ShellSession.tool.path)' >liar
      chmod +x liar; '\(script)' ./liar 3; echo $?
      """)
    #expect(run.contains("success, and page.html is") || run.contains("status 0 with error"))
    #expect(run.hasSuffix("\n1\n"), "\(run)")
  }
}
