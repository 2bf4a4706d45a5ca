import Foundation
import Testing

/// The build in the background, with a compiler that only sleeps: 'scripts/optimize --stop' ends that build and nothing else.
@Suite(.serialized) struct BackgroundBuildTests {
  /// Two clones whose paths have blanks and characters of regular expressions, one beginning as the other.
  private static func clones() throws -> ShellSession {
    let session = try ShellSession()
    let script = Run.root.appending(path: "scripts/optimize").path
    _ = try session.run(
      #"""
      for clone in 'a [b].*+(c)' 'a [b].*+(c) too'; do
        mkdir -p "$clone/scripts" "$clone/Sources"; touch "$clone/Package.swift"
        cp '\#(script)' "$clone/scripts/"; : >"$clone/scripts/paths"
        printf '#!/bin/sh\n' | tee "$clone/scripts/install" >"$clone/scripts/layer"
        chmod +x "$clone"/scripts/*
      done
      mkdir bin; cat >bin/swift <<'END'
      #!/bin/sh
      for word; do case ${last:-} in --scratch-path) folder=$word ;; esac; last=$word; done
      mkdir -p "$folder/release"; echo $$ >>"$folder/builds"
      setsid sleep 60 & echo $! >>"$folder/compilers"
      ! test -e slow || sleep 60
      echo program >"$folder/release/frametool"; chmod +x "$folder/release/frametool"
      END
      chmod +x bin/swift
      """#)
    return session
  }

  private static let one = "'a [b].*+(c)/scripts/optimize'"
  private static let other = "'a [b].*+(c) too/scripts/optimize'"
  /// Waits until the compiler of the first clone, or of both, was started.
  private static func wait(_ folder: String) -> String {
    "for i in $(seq 200); do [ ! -s \(folder)/.build/optimized/compilers ] || break; sleep 0.05; done"
  }
  private static let alive =
    "for p in $(cat \"$1\"); do ! kill -0 $p 2>/dev/null || grep -q ') Z' /proc/$p/stat || echo alive; done"

  @Test func onlyTheBuildIsEnded() throws {
    let session = try Self.clones()
    let output = try session.run(
      """
      export PATH="$PWD/bin:$PATH"; touch slow; alive() { \(Self.alive); }
      \(Self.one) >log 2>&1 & \(Self.other) >log2 2>&1 &
      \(Self.wait("'a [b].*+(c)'")); \(Self.wait("'a [b].*+(c) too'"))
      tail -f "$PWD/a [b].*+(c)/.build/optimized/builds" >log3 2>&1 & echo $! >decoy
      \(Self.one) --stop; echo "stopped $?"; sleep 1
      one='a [b].*+(c)/.build/optimized'; other='a [b].*+(c) too/.build/optimized'
      echo "own $(alive "$one/compilers" | wc -l) $(alive "$one/builds" | wc -l)"
      echo "others $(alive "$other/compilers") $(alive "$other/builds") $(alive decoy)"
      test ! -e 'a [b].*+(c)/.build/optimize.lock'; echo "lock $?"
      \(Self.other) --stop; sleep 1
      echo "others $(alive "$other/compilers" | wc -l) $(alive "$other/builds" | wc -l)"
      kill $(cat decoy)
      """)
    #expect(
      output == "stopped 0\nown 0 0\nothers alive alive alive\nlock 0\nothers 0 0\n", "\(output)")
  }

  @Test func twoStartsMakeOneBuild() throws {
    let session = try Self.clones()
    let output = try session.run(
      """
      export PATH="$PWD/bin:$PATH"
      \(Self.one) >log 2>&1 & \(Self.one) >log2 2>&1
      for i in $(seq 200); do kill -0 $! 2>/dev/null && [ -d 'a [b].*+(c)/.build/optimize.lock' ] || break; sleep 0.05; done
      cd 'a [b].*+(c)/.build'; grep -c . optimized/builds; cat frametool-optimized; ls -d optimize.lock 2>/dev/null
      kill $(cat optimized/compilers)
      """)
    #expect(output == "1\nprogram\n", "\(output)")
  }

  /// If the script was killed, `--stop` ends the build that continued. A process that has the number now is left alone.
  @Test func whatAKilledScriptLeftIsEnded() throws {
    let session = try Self.clones()
    let output = try session.run(
      """
      export PATH="$PWD/bin:$PATH"; touch slow; alive() { \(Self.alive); }
      \(Self.one) >log 2>&1 & first=$!
      \(Self.wait("'a [b].*+(c)'"))
      kill -9 $first; cd 'a [b].*+(c)'; one=.build/optimized
      echo "left $(alive "$one/compilers")"
      scripts/optimize --stop; sleep 1; echo "left $(alive "$one/compilers" | wc -l)"
      sleep 60 >log3 & echo $! >decoy; mkdir -p .build/optimize.lock; printf '%s\\n1\\n' $! >.build/optimize.lock/process
      scripts/optimize --stop; echo "decoy $(alive decoy)"; kill $(cat decoy)
      """)
    #expect(output == "left alive\nleft 0\ndecoy alive\n", "\(output)")
  }
}
