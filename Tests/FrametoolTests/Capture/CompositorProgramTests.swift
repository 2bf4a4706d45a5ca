import Testing

@testable import frametool

/// A recording names the compositor with its version.
@Suite struct CompositorProgramTests {
  @Test(
    arguments: [
      ("weston 10.0.1\n", "10.0.1"), ("sway version 1.7", "1.7"), ("GNOME Shell 43.9", "43.9"),
      ("kwin 5.27.5", "5.27.5"), ("Hyprland 0.40.0 built from branch main", "0.40.0"),
      ("labwc v0.6.1 (+xwayland)", "0.6.1"), ("", nil), ("usage: program [5.]", nil),
      ("error 7", nil), ("first line\nweston 10.0.1", nil), ("v. .5 5. 1..2", nil),
    ] as [(String, String?)])
  func theVersionIsTheFirstNumberWithAPoint(_ text: String, _ version: String?) {
    #expect(CompositorProgram.version(in: text) == version)
  }

  /// Another program might start a session, or belong to another user.
  @Test(
    arguments: [
      ("/usr/bin/weston", true), ("/usr/local/bin/sway", true), ("/usr/bin/Hyprland", true),
      ("/usr/bin/anything", false), ("/tmp/weston", false), ("/home/a/usr/bin/weston", false),
      ("/usr/bin/../../tmp/weston", false), (nil, false),
    ] as [(String?, Bool)])
  func onlyKnownProgramsOfTheSystemAreAsked(_ program: String?, _ isAsked: Bool) {
    var asked: [String] = []
    let words = CompositorProgram.words("shell", program: program) { program, _ in
      asked.append(program)
      return "shell 1.2"
    }
    #expect(asked == (isAsked ? [program ?? ""] : []))
    #expect(words == (isAsked ? "shell 1.2" : "shell"))
  }

  @Test func aProgramThatFailsHasNoVersion() {
    #expect(
      CompositorProgram.words("weston", program: "/usr/bin/weston") { _, _ in nil } == "weston")
    #expect(
      CompositorProgram.words("weston", program: "/usr/bin/weston") { _, _ in "?" } == "weston")
  }
}
