import Foundation
import FrameKit
import Testing

@testable import frametool

/// Hostile repositories and sudden ends: nothing outside of the worktrees changes, and a measurement can be resumed.
@Suite(
  .serialized,
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: ShellSession.tool.path)
      && FileManager.default.isExecutableFile(atPath: "/usr/bin/git"),
    "no frametool next to the tests, or no git"))
struct HostileRepositoryTests {
  private let session: ShellSession

  /// A repository of two commits in a folder `r`, which has a hook and a submodule that run a command.
  init() throws {
    session = try ShellSession()
    let made = try session.run(
      """
      mkdir r; cd r; git init -q -b main; git config user.email a@b; git config user.name a
      git config core.hooksPath .githooks; mkdir .githooks
      for hook in post-checkout pre-commit post-index-change reference-transaction; do
        printf '#!/bin/sh\\ntouch "%s/hooked"\\n' "$HOME" >.githooks/$hook; chmod +x .githooks/$hook
      done
      printf '[submodule "s"]\\n\\tpath = s\\n\\turl = ext::sh -c touch%% "%s/cloned"\\n' "$HOME" >.gitmodules
      echo 'sleep 0.02' >program.sh; git add -A
      git update-index --add --cacheinfo 160000,0123456789012345678901234567890123456789,s
      git -c core.hooksPath=/dev/null commit -q -m one; git tag good
      echo 'sleep 0.021' >program.sh; git add -A
      git -c core.hooksPath=/dev/null commit -q -m two; git branch other
      rm -f ../hooked; git log --oneline | wc -l
      """)
    try #require(made.hasSuffix("2\n"), "\(made)")
  }

  /// Everything of the repository that a user would miss, and what a hook or a submodule leaves.
  private func state() throws -> String {
    try session.run(
      """
      cd r; git -c core.hooksPath=/dev/null status --porcelain --untracked-files=no
      cat .git/HEAD .git/config; git for-each-ref; git stash list; git fsck 2>&1 | grep -v '^dangling'
      cat program.sh; cd ..; ls hooked cloned 2>/dev/null
      """)
  }

  @Test func namesOfCommitsAreNoOptions() throws {
    let before = try state()
    for options in [
      "bench --checkout '--help..main'", "bench --checkout 'main..--output=../hooked'",
      "bench --checkout 'good..-c core.pager=touch'", "bench --checkout 'good..$(touch ../hooked)'",
      "bisect --good=--upload-pack=touch", "bisect --good good --bad=--exec=touch",
    ] {
      let run = try session.run("cd r; frametool \(options) -- sh program.sh; echo $?")
      #expect(run.contains("expected a commit of this repository"), "\(options): \(run)")
      #expect(run.hasSuffix("\n64\n"), "\(run)")
    }
    #expect(try state() == before)
  }

  @Test func hooksAndSubmodulesOfCommitsDoNotRun() throws {
    let before = try state()
    let bench = try session.run(
      "cd r; frametool bench --checkout good..main --max-runs 6 --warm-up 0 -- sh program.sh; echo $?"
    )
    #expect(bench.hasSuffix("\n0\n"), "\(bench)")
    let bisect = try session.run(
      "cd r; frametool bisect --good good --build true --max-time 2 -- sh program.sh; git worktree list | wc -l"
    )
    // A search that is not over keeps its folders, to be continued.
    #expect(bisect.hasSuffix("\n1\n") || bisect.contains("goes on"), "\(bisect)")
    #expect(try state() == before)
    // The hook itself works: git runs it where frametool does not say otherwise.
    #expect(try session.run("cd r; git checkout -q other; ls ../hooked") == "../hooked\n")
  }

  @Test func twoAtOnceDoNotMeet() throws {
    let before = try state()
    let run = try session.run(
      """
      cd r; bench() { frametool bench --checkout good..main --max-runs 6 --warm-up 0 -o $1 -- sh program.sh >$1.out 2>&1; echo $? >$1.status; }
      bench a.jsonl & bench b.jsonl
      for i in $(seq 200); do [ ! -s a.jsonl.status ] || break; sleep 0.05; done
      cat a.jsonl.status b.jsonl.status; git worktree list | wc -l
      """)
    #expect(run == "0\n0\n1\n", "\(run)")
    let same = try session.run(
      """
      cd r; rm -f *.status; bench() { frametool bench --checkout good..main --max-runs 6 --warm-up 0 -o c.jsonl -- sh program.sh >$1.out 2>&1; echo $? >$1.status; }
      bench 1 & bench 2
      for i in $(seq 200); do [ ! -s 1.status ] || break; sleep 0.05; done
      cat 1.status 2.status | sort -n; git worktree list | wc -l
      """)
    #expect(
      same.hasPrefix("0\n") && !same.hasPrefix("0\n0\n") && same.hasSuffix("\n1\n"), "\(same)")
    #expect(try state() == before)
  }

  /// Ten attempts are killed at random times, and each next attempt resumes the measurement.
  @Test func killsAtAnyTimeLoseNothing() throws {
    let before = try state()
    var random = SplitMix64(seed: 4)
    var command =
      "bench --checkout good..main --max-runs 12 --warm-up 0 -o k.jsonl -- sh program.sh"
    for _ in 0..<10 {
      let time = 0.05 + 0.5 * random.nextUnit()
      _ = try session.run("cd r; timeout -s KILL \(time) frametool \(command) >out 2>&1")
      #expect(try state() == before)
      if try session.run("cd r; ls k.jsonl 2>/dev/null") != "" {
        command = "bench --resume k.jsonl"
      }
    }
    let end = try session.run("cd r; frametool \(command); echo $?; git worktree list | wc -l; ls")
    #expect(end.contains("\n0\n1\n"), "\(end)")
    #expect(end.hasSuffix("\n1\nk.jsonl\nout\nprogram.sh\n"), "\(end)")
    #expect(try state() == before)
  }
}
