import Foundation
import Testing

@testable import frametool

/// A search for a commit in a real repository, by the program that was built with the tests.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: ShellSession.tool.path)
      && FileManager.default.isExecutableFile(atPath: "/usr/bin/git"),
    "no frametool beside the tests, or no git"))
struct BisectTests {
  /// A repository of commits 0 to `last`, whose program sleeps longer from `culprit` on.
  private static func session(_ last: Int, culprit: Int, script: String = "") throws -> ShellSession
  {
    let session = try ShellSession()
    let made = try session.run(
      """
      git init -q -b main . && git config user.email a@b && git config user.name a
      for i in $(seq 0 \(last)); do
        [ $i -ge \(culprit) ] && time=0.08 || time=0.02
        echo "n=$i; \(script)" >program.sh; echo "sleep $time" >>program.sh
        git add -A && git commit -q -m "Change $i"
        [ $i != 0 ] || git tag good
      done
      git log --oneline | wc -l
      """)
    try #require(made.contains("\(last + 1)"), "\(made)")
    return session
  }

  @Test func theCommitIsFound() throws {
    let session = try Self.session(8, culprit: 5)
    let text = try session.run(
      "frametool bisect --good good --build true -- sh program.sh; echo $?")
    #expect(
      try text.contains(
        Regex("^[0-9a-f]{7}, 9[5-9][.][0-9] % \\([0-9]+ runs, [0-9]+ builds\\): Change 5")),
      "\(text)")
    #expect(text.hasSuffix("\n0\n"))
    // The user's checkout is what it was, and no worktree is left.
    let left = try session.run("git status --short; git worktree list | wc -l; ls bisect-1")
    #expect(left == "?? bisect-1/\n1\nstate.jsonl\n", "\(left)")
  }

  @Test func aSearchThatWasKilledGoesOn() throws {
    let session = try Self.session(8, culprit: 3)
    _ = try session.run(
      "timeout -s KILL 0.6 frametool bisect --good good --build true -o state -- sh program.sh; printf '{\"pla' >>state/state.jsonl"
    )
    let text = try session.run("frametool bisect --resume state --format json")
    #expect(text.contains("\"subject\": \"Change 3\""), "\(text)")
    let again = try session.run("frametool bisect --resume state; git worktree list | wc -l")
    #expect(again.contains("Change 3") && again.hasSuffix("1\n"))
    let changed = try session.run("frametool bisect --resume state --metric p99; echo $?")
    #expect(changed.contains("--metric has no effect with --resume") && changed.hasSuffix("64\n"))
    let other = try session.run("frametool bisect --good good -o state -- sh program.sh; echo $?")
    #expect(other.contains("continue it with --resume state") && other.hasSuffix("64\n"))
  }

  @Test func commitsThatFailAreSkipped() throws {
    let session = try Self.session(6, culprit: 4, script: "[ \\$n != 3 ] || exit 1")
    let text = try session.run("frametool bisect --good good -- sh program.sh; echo $?")
    #expect(text.contains("Change 4") && text.hasSuffix("0\n"), "\(text)")
    if text.contains("was skipped") {
      #expect(text.contains("it ended with status 1") && text.contains("one of 2 commits"))
    }
    let broken = try session.run(
      "frametool bisect --good good --build false -- sh program.sh; echo $?")
    #expect(broken.contains("both ends have to be built") && broken.hasSuffix("65\n"), "\(broken)")
  }

  @Test func endsThatAreEqualEndIt() throws {
    let session = try Self.session(2, culprit: 9)
    let text = try session.run(
      "frametool bisect --good good --threshold 300 --format json -- sh program.sh; echo $?")
    #expect(text.contains("no change between the ends") && text.hasSuffix("3\n"), "\(text)")
  }

  /// The commits of a merged branch are one with the merge, and the answer says how to search them.
  @Test func aMergedBranchIsOneCommit() throws {
    let session = try Self.session(2, culprit: 9)
    _ = try session.run(
      """
      git checkout -q -b branch && echo more >more && git add -A && git commit -qam 'Before on the branch'
      echo 'sleep 0.08' >program.sh && git commit -qam 'Slow on a branch'
      git checkout -q main && echo x >other && git add -A && git commit -qm 'Other'
      git merge -q --no-ff -m 'Merge branch' branch
      """)
    let first = try session.run("frametool bisect --good good -o one -- sh program.sh")
    #expect(first.contains("): Merge branch"), "\(first)")
    let command = try #require(first.firstMatch(of: /it is a merge: '(.*) …'/)?.1, "\(first)")
    let all = try session.run("\(command) -o all -- sh program.sh")
    #expect(all.contains("): Slow on a branch"), "\(all)")
    // A commit of the branch is not on the line of first parents.
    let other = try session.run("frametool bisect --good branch -- sh program.sh; echo $?")
    #expect(other.contains("by first parents") && other.hasSuffix("64\n"), "\(other)")
  }

  /// An end that cannot be measured any more ends the search; other worktrees of the user stay.
  @Test func anEndThatFailsLaterIsAnError() throws {
    let session = try Self.session(
      6, culprit: 4,
      script:
        "c=\\$(cat ../c 2>/dev/null || echo 0); echo \\$((c + 1)) >../c; [ \\$n != 0 ] || [ \\$c -lt 16 ]"
    )
    _ = try session.run("git worktree add -q ../mine HEAD 2>/dev/null; mv ../mine ../away")
    let text = try session.run("timeout 60 frametool bisect --good good -- sh program.sh; echo $?")
    #expect(
      text.contains("both ends have to be built and measured") || text.contains("Change 4"),
      "\(text)")
    #expect(!text.hasSuffix("124\n"))
    let kept = try session.run(
      "mv ../away ../mine; git -C ../mine status --short && echo fine; rm -rf ../mine; git worktree prune"
    )
    #expect(kept.hasSuffix("fine\n"), "\(kept)")
  }

  @Test(arguments: [
    "{\"place\":5000,\"value\":3}", "{\"place\":9223372036854775807,\"value\":3}",
    "{\"place\":-1,\"skipped\":\"x\"}", "{}", "[1]", "{\"place\":1,\"value\":1e999}",
  ])
  func aStateThatWasChangedIsRefused(_ line: String) throws {
    let session = try Self.session(2, culprit: 9)
    _ = try session.run(
      "frametool bisect --good good --max-runs 6 --threshold 0.001 -o state -- sh program.sh")
    let text = try session.run(
      "echo '\(line)' >>state/state.jsonl; frametool bisect --resume state; echo $?")
    #expect(
      text.contains("expected a run, a build or a skipped commit") && text.hasSuffix("65\n"),
      "\(text)")
  }

  @Test func wrongUsageIsSaid() throws {
    let session = try Self.session(1, culprit: 9)
    for (arguments, words) in [
      ("--good good", "expected --good REV and a command"),
      ("--bad good -- true", "expected --good REV"),
      ("--good main --bad good -- true", "no commits between"),
      ("--good nothing -- true", "nothing: expected a commit"),
      ("--good --all -- true", "--all: expected a commit"),
      ("--resume nowhere", "nowhere"),
      ("--good good --metric p95 -- true", "only the time of each run"),
      ("--good good --result x --metric p95 --metric p99 -- true", "one figure"),
      ("--good good --error 2 -- true", "--error: expected"),
    ] {
      let text = try session.run("frametool bisect \(arguments); echo $?")
      #expect(text.contains(words) && !text.hasSuffix("\n0\n"), "\(arguments): \(text)")
    }
  }

  /// Two commits in worktrees of their own.
  @Test func twoCheckoutsAreCompared() throws {
    let session = try Self.session(3, culprit: 2)
    let text = try session.run(
      "frametool bench --checkout good..main --build 'test -n \"$FRAMETOOL_COMMIT\"' --fail-on regression -- sh program.sh; echo $?"
    )
    #expect(text.hasPrefix("regressed: main is slower") && text.hasSuffix("\n1\n"), "\(text)")
    #expect(try session.run("git worktree list | wc -l; ls") == "1\nbench-1.jsonl\nprogram.sh\n")
    let broken = try session.run(
      "frametool bench --checkout good..main --build 'exit 4' -- sh program.sh")
    #expect(broken.contains("its build ended with status 4"), "\(broken)")
    #expect(try session.run("git worktree list | wc -l") == "1\n")
  }

  /// Ctrl-C gives an answer so far, and --resume goes on.
  @Test func aStopGivesAnAnswerSoFar() throws {
    let session = try Self.session(3, culprit: 2)
    let text = try session.run(
      "frametool bench --a 'sleep 0.1' --b 'sleep 0.1' -o r.jsonl >out 2>&1 & sleep 1; kill -INT $!; wait $!; echo $?; cat out"
    )
    #expect(text.hasPrefix("3\nundecided") && text.contains("stopped by the user"), "\(text)")
    let more = try session.run("frametool bench --resume r.jsonl --max-runs 6 --format json")
    #expect(more.contains("\"pairs\":"), "\(more)")
  }
}
