import Foundation
import Testing

@testable import frametool

/// What users install, and what CI systems run.
@Suite struct PackagingTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Run.root.appending(path: path), encoding: .utf8)
  }

  /// One version stands everywhere.
  @Test(arguments: [
    ("packaging/python/src/frametool/_version.py", #"__version__ = "VERSION""#),
    ("CITATION.cff", "version: VERSION\n"), ("action.yml", "frametool-VERSION-linux-x86_64"),
    ("packaging/ci/gitlab.yml", "frametool-VERSION-linux-x86_64"),
    ("Sources/FrameKit/FrameKit.docc/FirstCI.md", "frametool-VERSION-linux-x86_64"),
    ("Sources/FrameKit/FrameKit.docc/Installing.md", "frametool-VERSION-linux-x86_64"),
    ("packaging/docker/Dockerfile", "ARG VERSION=VERSION\n"),
    ("packaging/homebrew/frametool.rb", "/vVERSION.tar.gz"),
  ])
  func theVersionIsTheProgram(_ path: String, _ pattern: String) throws {
    let wanted = pattern.replacingOccurrences(of: "=VERSION", with: "=\(Frametool.version)")
      .replacingOccurrences(of: " VERSION\n", with: " \(Frametool.version)\n")
      .replacingOccurrences(of: "\"VERSION\"", with: "\"\(Frametool.version)\"")
      .replacingOccurrences(of: "vVERSION", with: "v\(Frametool.version)")
      .replacingOccurrences(of: "-VERSION-", with: "-\(Frametool.version)-")
    #expect(try Self.text(path).contains(wanted), "\(path): \(wanted)")
  }

  /// Nobody owns the name in a package index, so whoever takes it could run anything: nothing that is shipped or documented
  /// installs by it.
  @Test func nothingIsInstalledByItsName() throws {
    let installs = /(?:pip[x3]?|uvx?|poetry|conda|brew|apt|apt-get|dnf|npm)"? .*/
    let name = /(?:^|[\s'"=])frametool(?:-mcp)?(?:\[[a-z,]*\])?(?:[=<>~!]=?[^\s]*)?(?=['"`\s)]|$)/
    let isNamed = { (line: String) -> Bool in
      guard let command = line.firstMatch(of: installs)?.0 else { return false }
      guard command.contains("install") || command.hasPrefix("uvx") || command.hasPrefix("pipx run")
      else { return false }
      return command.firstMatch(of: name) != nil
    }
    for line in [
      "pip install frametool", "pipx install frametool  # or",
      "  - pip install -q \"frametool==$V\"",
      "uvx frametool analyze a.csv", "(`pip install 'frametool[mcp]'`)",
      "uv tool install frametool",
      "brew install frametool", "\"$T/bin/pip\" install --quiet \"frametool==$VERSION\"",
    ] {
      #expect(isNamed(line), "\(line)")
    }
    for line in [
      "pipx install ./frametool-0.2.0-py3-none-manylinux_2_28_x86_64.whl", "pip install ./FILE",
      "pip install 'mcp>=2'", "apt install ./frametool_0.2.0_amd64.deb",
      "frametool launch run -- apt",
    ] {
      #expect(!isNamed(line), "\(line)")
    }
    let session = try ShellSession()
    let files = try session.run("git -C '\(Run.root.path)' ls-files").split(separator: "\n")
    #expect(files.count > 1000)
    for file in files where !file.hasPrefix("Tests/") {
      guard let text = try? Self.text(String(file)) else { continue }
      for line in text.split(separator: "\n") {
        #expect(!isNamed(String(line)), "\(file): \(line)")
      }
    }
  }

  /// An archive as of a release, whose program is the one under test; prints its checksum.
  private static func archive(_ session: ShellSession) throws -> String {
    try session.run(
      """
      mkdir -p made/frametool-1/bin
      printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v frametool)" >made/frametool-1/bin/frametool
      chmod +x made/frametool-1/bin/frametool
      tar -C made -czf archive.tar.gz frametool-1; sha256sum <archive.tar.gz | cut -d ' ' -f 1
      """
    ).trimmingCharacters(in: .newlines)
  }

  /// An archive is unpacked only with its checksum.
  @Test func onlyTheStatedArchiveIsInstalled() throws {
    let session = try ShellSession()
    let install = Run.root.appending(path: "packaging/ci/install").path
    let sum = try Self.archive(session)
    let good = try session.run("'\(install)' archive.tar.gz \(sum) good; echo $?; ls good/bin")
    #expect(good == "0\nframetool\n", "\(good)")
    let other = String(sum.reversed())
    for arguments in [
      "archive.tar.gz \(other) bad", "archive.tar.gz '' bad",
      "archive.tar.gz \(sum.prefix(63)) bad",
      "none.tar.gz \(sum) bad", "http://127.0.0.1:1/a.tar.gz \(sum) bad", "'' \(sum) bad",
      "https://127.0.0.1:1/a.tar.gz \(sum) bad", "archive.tar.gz \(sum) ''",
      "archive.tar.gz '\(sum)  archive.tar.gz' bad",
    ] {
      let bad = try session.run(
        "'\(install)' \(arguments) 2>errors; echo $?; ls bad 2>/dev/null | grep -c bin"
      )
      #expect(["64\n0\n", "69\n0\n"].contains(bad), "\(arguments): \(bad)")
    }
    // What changed on the way is not unpacked.
    let changed = try session.run(
      "printf x >>archive.tar.gz; '\(install)' archive.tar.gz \(sum) bad 2>&1; echo $?; ls bad")
    #expect(changed.contains("has the SHA-256") && changed.hasSuffix("\n69\n"), "\(changed)")
  }

  /// What has never run where it is meant to says so first.
  @Test(arguments: [
    "action.yml", "packaging/ci/gitlab.yml", ".github/workflows/test.yml",
    ".github/workflows/fuzz.yml", ".github/workflows/release.yml",
    "packaging/homebrew/frametool.rb",
  ])
  func whatNeverRanSaysSo(_ path: String) throws {
    #expect(try Self.text(path).prefix { $0 != "\n" }.contains("# Never "))
  }

  @Test(
    .enabled(if: Checker.hasYAML, Comment(rawValue: Checker.absence)),
    arguments: [
      "action.yml", "packaging/ci/gitlab.yml", ".github/workflows/test.yml",
      ".github/workflows/fuzz.yml", ".github/workflows/release.yml",
      ".github/ISSUE_TEMPLATE/wrong-number.yml", "CITATION.cff",
    ])
  func filesOfOtherSystemsAreYAML(_ path: String) throws {
    let parsed = try Checker.run(
      Checker.python, ["-c", "import sys, yaml; print(type(yaml.safe_load(sys.stdin)).__name__)"],
      input: try Self.text(path))
    #expect(parsed.output == "dict\n", "\(path): \(parsed.output)")
  }

  /// A script that a workflow names exists and can be run.
  @Test func workflowsNameScriptsThatExist() throws {
    let workflows = ["fuzz", "release", "test"].map { ".github/workflows/\($0).yml" }
    for path in ["action.yml"] + workflows {
      for match in try Self.text(path).matches(of: /(?:scripts|packaging\/ci)\/[a-z-]+/) {
        let script = Run.root.appending(path: String(match.0)).path
        #expect(FileManager.default.isExecutableFile(atPath: script), "\(path): \(match.0)")
      }
    }
  }

  /// What a system's own package program is asked for, on a system that has nothing yet.
  @Test(arguments: [
    ("dnf", "install --assumeyes", "pkgconfig(libzstd)"), ("brew", "install zlib", "minizip"),
    ("apt-get", "install --yes", "libzstd-dev"),
  ])
  func librariesComeFromTheSystem(_ program: String, _ call: String, _ package: String) throws {
    let session = try ShellSession()
    let install = Run.root.appending(path: "scripts/install").path
    let asked = try session.run(
      """
      mkdir bin
      for name in cat dirname mkdir mv readlink sed sh tar uname; do
        ln -s "$(command -v $name)" bin/$name
      done
      printf '#!/bin/sh\\necho "$*" >>asked' >bin/\(program)
      printf '#!/bin/sh\\n' | tee bin/swift bin/c++ >bin/sudo
      printf '#!/bin/sh\\n[ $1 != -u ] || echo 0' >bin/id
      chmod +x bin/*
      PATH="$PWD/bin" '\(install)' 2>/dev/null; echo $?; cat asked
      """)
    #expect(asked.hasPrefix("0\n"), "\(asked)")
    #expect(asked.contains(call) && asked.contains(package), "\(asked)")
  }

  /// Runs of a game in the session's folder, three for each name; `worse` ones are slower.
  private static func games(_ session: ShellSession, _ names: [(name: String, app: String)]) throws
  {
    for (position, item) in names.enumerated() {
      for run in 1...3 {
        _ = try session.run(
          "frametool generate \(item.app) --frames 60\(run) --seed \(position * 10 + run) -o \(item.name)\(run).jsonl"
        )
      }
    }
  }

  /// The step of a job: without a baseline, with one, and with a regression.
  @Test func theStepOfAJobComparesWithTheMainBranch() throws {
    let session = try ShellSession()
    let compare = Run.root.appending(path: "packaging/ci/compare").path
    try Self.games(session, [("main", "app-overrun"), ("worse", "app-overrun-sustained")])
    let first = try session.run(
      "'\(compare)' frames base.jsonl main?.jsonl; echo $?; cat frames.md")
    #expect(
      first.contains("there is no baseline yet; the main branch's next run makes it\n0\n"),
      "\(first)")
    #expect(first.contains("<!-- frametool frames -->\nframetool: there is no baseline"))
    let next = try session.run(
      "cp frames.jsonl base.jsonl; FRAMETOOL_FAIL_ON=regression '\(compare)' frames base.jsonl worse?.jsonl; echo $?; head -n 1 frames.md; grep -c regressed frames.md"
    )
    #expect(
      next.contains("regressed: ") && next.contains("\n1\n<!-- frametool frames -->\n"), "\(next)")
    let github = try session.run(
      "GITHUB_ACTIONS=true '\(compare)' frames base.jsonl worse?.jsonl; echo $?")
    #expect(github.hasPrefix("::error title=frametool compare::regressed"), "\(github)")
    #expect(
      github.hasSuffix("in this job, in turns.\n0\n"), "nothing fails unless it is asked")
    // The cached baseline is of another job, which is said; traces of this job take its place.
    #expect(try session.run("grep -c 'of another job' frames.md") == "1\n")
    let same = try session.run(
      "FRAMETOOL_BASE='worse1.jsonl worse2.jsonl' FRAMETOOL_FAIL_ON=regression '\(compare)' frames base.jsonl worse?.jsonl; echo $?; grep -c 'of another job' frames.md"
    )
    #expect(!same.contains("regressed") && same.hasSuffix("\n0\n0\n"), "\(same)")
  }

  /// The script of the GitLab job, run as GitLab does: line by line in one shell.
  @Test(.enabled(if: Checker.hasYAML, Comment(rawValue: Checker.absence)))
  func theScriptOfGitLabRuns() throws {
    let program = """
      import sys, yaml
      for line in yaml.safe_load(sys.stdin)[".frametool"]["script"]:
          print(line)
      """
    let script = try Checker.run(
      Checker.python, ["-c", program], input: try Self.text("packaging/ci/gitlab.yml")
    ).output
    let session = try ShellSession()
    try Self.games(session, [("main", "app-overrun"), ("worse", "app-overrun-sustained")])
    _ = try session.run("cat >job.sh <<'END'\nset -e\n\(script)END")
    let sum = try Self.archive(session)
    let job = "FRAMETOOL_NAME=frames CI_DEFAULT_BRANCH=main FRAMETOOL_FAIL_ON=regression"
    let variables = "\(job) FRAMETOOL_ARCHIVE=archive.tar.gz FRAMETOOL_SHA256=\(sum)"
    for wrong in ["", String(sum.reversed())] {
      let refused = try session.run(
        "env \(variables) FRAMETOOL_SHA256=\(wrong) sh job.sh >log 2>&1; echo $?; test -d .frametool; echo $?"
      )
      #expect(refused == "1\n1\n", "\(refused)")
    }
    let main = try session.run(
      "env \(variables) CI_COMMIT_REF_NAME=main FRAMETOOL_TRACES='main1.jsonl main2.jsonl main3.jsonl' sh job.sh; echo $?; ls frametool-baseline"
    )
    #expect(main == "0\nframes.jsonl\n", "\(main)")
    let branch = try session.run(
      "env \(variables) CI_COMMIT_REF_NAME=b FRAMETOOL_TRACES='worse1.jsonl worse2.jsonl worse3.jsonl' sh job.sh; echo $?; grep -c '<testcase' frames.xml"
    )
    #expect(branch.contains("regressed: ") && branch.contains("\n1\n8\n"), "\(branch)")
    let base = try session.run(
      "env \(variables) CI_COMMIT_REF_NAME=b FRAMETOOL_BASE='worse1.jsonl worse2.jsonl' FRAMETOOL_TRACES='worse1.jsonl worse2.jsonl worse3.jsonl' sh job.sh; echo $?"
    )
    #expect(!base.contains("regressed: ") && base.hasSuffix("\n0\n"), "\(base)")
  }

  /// A comment is updated if there is one that begins with the same line.
  @Test(arguments: [true, false])
  func oneCommentIsKept(_ isThere: Bool) throws {
    let session = try ShellSession()
    let comment = Run.root.appending(path: "packaging/ci/comment").path
    let listed = isThere ? "printf '7\\tother\\n9\\t<!-- frametool frames -->\\n'" : "true"
    _ = try session.run(
      """
      mkdir bin; cat >bin/gh <<'END'
      #!/bin/sh
      case "$*" in *--jq*) \(listed) ;; *) echo "$@" >>calls ;; esac
      END
      chmod +x bin/gh; printf '<!-- frametool frames -->\\ntext\\n' >frames.md
      """)
    let calls = try session.run(
      "PATH=$PWD/bin:$PATH GITHUB_REPOSITORY=o/r PULL_REQUEST=3 '\(comment)' frames.md; echo $?; cat calls"
    )
    let wanted =
      isThere
      ? "api --method PATCH repos/o/r/issues/comments/9 --field body=@frames.md"
      : "api --method POST repos/o/r/issues/3/comments --field body=@frames.md"
    #expect(calls == "0\n\(wanted)\n", "\(calls)")
  }
}

/// The Python module, with the program that was built with the tests.
@Suite struct PythonTests {
  private static let module = Run.root.appending(path: "packaging/python/src").path

  private static func python(_ program: String, in session: ShellSession) throws -> String {
    _ = try session.run("cat >program.py <<'END'\n\(program)\nEND")
    return try session.run("PYTHONPATH='\(module)' PYTHONDONTWRITEBYTECODE=1 python3 program.py")
  }

  @Test func itIsShort() throws {
    let text = try String(contentsOfFile: "\(Self.module)/frametool/__init__.py", encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
  }

  @Test func itAnswersAsTheProgram() throws {
    let session = try ShellSession()
    _ = try session.run(
      "frametool generate triple-switch -o=-a.jsonl; frametool generate steady-60 -o b.jsonl")
    let output = try Self.python(
      """
      import frametool
      result = frametool.analyze("-a.jsonl")
      print(result.surfaces[0]["dropped"]["refreshes"], result.metric("droppedShare")["unit"])
      print(result.metric("videoBusy"), result.sentence)
      print("<iframe" in result._repr_html_(), frametool.compare("b.jsonl", ["b.jsonl"]).state)
      try:
          frametool.analyze("none.jsonl")
      except frametool.Error as error:
          print(error.status, str(error).split("\\n")[0])
      """, in: session)
    #expect(
      output == """
        1 %
        None Touches (501) window: 1 of 182 refreshes dropped (0.5 %): 1 by the GPU; 59.7 fps while active; 180 frames, all shown
        True undecided
        74 error: none.jsonl: cannot open: No such file or directory

        """, "\(output)")
  }

  /// An agent's tools answer briefly, and reach nothing outside of their folder.
  @Test func toolsOfAgentsStayInTheirFolder() throws {
    let session = try ShellSession()
    let output = try Self.python(
      """
      import os, pathlib, subprocess
      from frametool.mcp_server import Tools
      os.makedirs("in"); subprocess.run(["frametool", "generate", "steady-60", "-o", "in/a.jsonl"], check=True)
      subprocess.run(["frametool", "generate", "steady-60", "-o", "secret.jsonl"], check=True)
      os.symlink("../secret.jsonl", "in/link.jsonl")
      tools = Tools(pathlib.Path("in"))
      print(tools.analyze("a.jsonl").split(";")[0])
      print(len(tools.compare(["a.jsonl"], ["a.jsonl"]).encode()) <= 4096)
      for name in ["../secret.jsonl", "link.jsonl", os.path.abspath("secret.jsonl"), "a.jsonl/../../secret.jsonl"]:
          try:
              print("READ", tools.analyze(name))
          except ValueError as error:
              print("only files below" in str(error))
      for kind, path in [("drops", "../out.svg"), ("--version", "out.svg")]:
          try:
              print("DRAWN", tools.plot(kind, "a.jsonl", path))
          except ValueError as error:
              print("refused")
      """, in: session)
    #expect(
      output == """
        steady.exe (4242) 0xF00D: 60.0 fps on average
        True
        True
        True
        True
        True
        refused
        refused

        """, "\(output)")
  }
}
