import Fixtures
import Foundation
import Testing

@testable import frametool

/// What users read when something is not as they think.
@Suite struct MessageTests {
  private static func refusal(_ bytes: [UInt8]) -> String {
    let run = Run(["analyze", "-"], input: bytes)
    #expect(run.status == .badData)
    return run.errors
  }

  /// A table says which of its columns to name, and naming it works.
  @Test(arguments: [
    (
      "Frame No, Time (ms)\n    1,     0.000\n    2,    16.600\n    3,    33.400\n",
      "time=Time (ms):ms"
    ),
    ("A,FrameTime,B\n1,16.6,2\n1,16.7,2\n1,33.1,2\n", "frameTime=FrameTime"),
    ("t;Time [s]\n1;0.0\n2;0.0167\n3;0.0334\n", "time=Time [s]:s"),
  ])
  func aTableNamesItsColumn(_ text: String, _ columns: String) {
    #expect(Self.refusal(Array(text.utf8)).contains("--columns '\(columns)'"))
    let run = Run(["analyze", "-", "--columns", columns], input: Array(text.utf8))
    #expect(run.status == .success && run.output.contains("frame time p50"), "\(run.errors)")
  }

  /// The unit is that of the name, and seconds without one.
  @Test(arguments: [("time_us", "us"), ("Time (ns)", "ns"), ("TIME", "s")])
  func aColumnHasTheUnitOfItsName(_ name: String, _ unit: String) {
    let text = "a,\(name)\n1,10\n1,20\n1,30\n"
    #expect(Self.refusal(Array(text.utf8)).contains("--columns 'time=\(name):\(unit)'"))
  }

  /// A time zone is no time, and a table without such a column gets the general advice.
  @Test func aTableWithoutTimesGetsGeneralAdvice() {
    let text = "Timezone,Load\n1,2\n1,3\n1,4\n"
    #expect(Self.refusal(Array(text.utf8)).contains("--columns frameTime=NAME"))
  }

  @Test func archivesAreNamed() {
    #expect(Self.refusal([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 1, 2]).contains("'xz --decompress"))
    let bzip = Array("BZh9".utf8) + [0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0]
    #expect(Self.refusal(bzip).contains("'bzip2 --decompress"))
    #expect(Self.refusal([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0]).contains("'7z x"))
    let tar = [UInt8](repeating: 0x61, count: 257) + Array("ustar\u{0}".utf8)
    #expect(Self.refusal(tar).contains("a tar archive"))
    // Text that only begins like one is no archive.
    #expect(!Self.refusal(Array("BZhello, world\n".utf8)).contains("bzip2"))
  }

  @Test func aMetricIsDescribedByItsName() {
    let one = Run(["metrics", "gpubusy"])
    #expect(one.status == .success && one.output.contains("union of the engines' busy times"))
    #expect(one.output.split(separator: "\n").count == 2)
    #expect(Run(["metrics", "frametim"]).errors.contains("did you mean 'frameTime'?"))
    #expect(
      Run(["metrics", "Samples/game.csv"]).errors.contains("'frametool analyze Samples/game.csv'"))
    let other = Run(["metrics", "--explain", "animationError"])
    #expect(other.errors.contains("after PresentMon") && !other.errors.contains("no other tool"))
  }

  @Test func eachFormatThatIsWrittenIsNamedOnce() {
    let names = ConvertFormat.all.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything"))
  func aFileWithoutPermissionSaysSo() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.csv")
    try Data("x\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    #expect(Run(["analyze", path]).errors.contains("check its permissions"))
  }

  /// One frame cannot show a drop; two can.
  @Test(arguments: [(1, "too few frames to judge drops"), (2, "none of 3 refreshes was dropped")])
  func oneFrameIsNotJudged(_ frames: Int, _ words: String) {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "display", "id": "d", "interval": 16}"#,
      #"{"type": "surface", "id": "s", "display": "d"}"#,
    ]
    for frame in 0..<frames {
      lines.append(
        #"{"type": "frame", "surface": "s", "appStart": \#(frame * 16), "commit": \#(frame * 16 + 4), "displayed": \#(frame * 16 + 32)}"#
      )
    }
    let run = Run(["analyze", "-"], input: Array(lines.joined(separator: "\n").utf8))
    #expect(run.output.contains(words), "\(run.output)\(run.errors)")
  }

  /// Three frames that came in time show what is usual; two do not, and JSON says why.
  @Test(arguments: [(2, false), (3, true), (4, true)])
  func usualTimesNeedThreeFrames(_ clean: Int, _ isKnown: Bool) {
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "display", "id": "d", "interval": 16}"#,
      #"{"type": "surface", "id": "s", "display": "d"}"#,
    ]
    for frame in 0...clean {
      let start = frame * 16
      let (end, shown) = frame == clean ? (start + 30, start + 48) : (start + 8, start + 32)
      lines.append(
        #"{"type": "frame", "surface": "s", "appStart": \#(start), "appEnd": \#(end), "commit": \#(end), "displayed": \#(shown)}"#
      )
    }
    let input = Array(lines.joined(separator: "\n").utf8)
    let text = Run(["analyze", "-"], input: input).output
    #expect(text.contains("by the app: 30.0 ms, usually 8.0") == isKnown, "\(text)")
    #expect(text.contains("by the app: 30.0 ms, usual time unknown") != isKnown)
    let json = Run(["analyze", "-", "--format", "json"], input: input).output
    #expect(json.contains("\"usual_ms\":null") != isKnown)
    #expect(json.contains("\"usual_ms\":8") == isKnown)
  }
}
