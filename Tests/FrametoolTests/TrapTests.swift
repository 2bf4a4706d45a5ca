import Testing

@testable import frametool

/// Files whose numbers once made the tool stop without a message.
@Suite("Files that were traps", .enabled(if: Cases.isPresent, Cases.absence))
struct TrapTests {
  @Test(arguments: Cases.files(in: "broken", startingWith: "trap-"))
  func everyCommandEndsWithAnAnswer(_ path: String) {
    for arguments in [["analyze"], ["info"], ["replay", "--refresh", "1"]] {
      for format in ["text", "json"] {
        let run = Run(arguments + ["--format", format, path])
        #expect([.success, .badData].contains(run.status), "\(arguments) \(run.errors)")
        #expect(run.output.isEmpty == (run.status != .success))
      }
    }
  }
}
