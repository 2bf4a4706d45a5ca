import Foundation
import FrameStatistics
import Testing

@testable import FrameTrace
@testable import frametool

/// Outputs whose names end in `.zst` hold the same bytes, compressed.
@Suite struct CompressedOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// - Parameter pieces: The sizes of the pieces that are written.
  private func written(_ pieces: [Int], named name: String) throws -> [UInt8] {
    var random = SplitMix64(seed: UInt64(pieces.count))
    let sink = try ByteSink(path: folder.path(name))
    var bytes: [UInt8] = []
    for piece in pieces {
      let part = (0..<piece).map { _ in UInt8.random(in: 97...104, using: &random) }
      #expect(try sink.write(part))
      bytes += part
    }
    try sink.finish()
    return bytes
  }

  @Test(arguments: [[], [0], [1], [1 << 20, 3], Array(repeating: 1000, count: 700)])
  func theyAreReadAsTheyWereWritten(_ pieces: [Int]) throws {
    let bytes = try written(pieces, named: "a.jsonl.zst")
    let input = try InputFile(path: folder.path("a.jsonl.zst"))
    #expect(try input.readAll(atMost: 1 << 24, of: "test") == bytes)
    // The library decides how much smaller they become.
    let size = try #require(FileDescriptor.size(of: folder.path("a.jsonl.zst")))
    #expect(bytes.count < 1000 || size < Int64(bytes.count) / 2)
  }

  @Test func otherNamesAreNotCompressed() throws {
    for name in ["a.zst.jsonl", "zst", "a.zstd"] {
      let bytes = try written([500], named: name)
      #expect(FileDescriptor.size(of: folder.path(name)) == Int64(bytes.count))
    }
  }

  @Test func aRecordingIsCompressedWhenItIsComplete() throws {
    let part = folder.path("b.jsonl.zst.part")
    let sink = try ByteSink(alone: part) { 0 }
    #expect(try sink.write(Array("one\n".utf8)))
    #expect(FileDescriptor.size(of: part) == 4)
    try sink.finish(under: folder.path("b.jsonl.zst"))
    #expect(!FileDescriptor.exists(part))
    let input = try InputFile(path: folder.path("b.jsonl.zst"))
    #expect(try input.readAll(atMost: 100, of: "test") == Array("one\n".utf8))
  }

  @Test func aFileThatIsNotFinishedIsNotThere() throws {
    do {
      let sink = try ByteSink(path: folder.path("c.zst"))
      #expect(try sink.write([1, 2, 3]))
    }
    #expect(folder.files.isEmpty)
  }

  /// Data are the same in both forms; pages and pictures are for programs that do not unpack them.
  @Test func commandsWriteDataCompressed() throws {
    let trace = folder.generate("dropped-frames", frames: 600)
    for name in ["a.jsonl", "a.csv", "a.chrome.json"] {
      #expect(Run(["convert", trace, folder.path(name)]).status == .success)
      #expect(Run(["convert", trace, folder.path("\(name).zst")]).status == .success)
      let plain = try InputFile(path: folder.path(name)).readAll(atMost: 1 << 24, of: "test")
      let packed = try InputFile(path: folder.path("\(name).zst"))
        .readAll(atMost: 1 << 24, of: "test")
      #expect(plain == packed && !plain.isEmpty, "\(name)")
    }
    let summary = folder.path("runs.jsonl.zst")
    #expect(Run(["analyze", "--summary", summary, trace]).status == .success)
    #expect(Run(["fleet", summary]).output.hasPrefix("1 run"))
    let whole = try Data(contentsOf: URL(filePath: summary))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: folder.path("cut.zst")))
    let cut = Run(["fleet", folder.path("cut.zst")])
    #expect(cut.status == .badData && cut.errors.contains("zstd data ends early"), "\(cut.errors)")
    let other = folder.generate("app-overrun", frames: 600)
    let (plain, packed) = (folder.path("runs.jsonl"), folder.path("others.jsonl.zst"))
    #expect(Run(["analyze", "--summary", plain, trace]).status == .success)
    #expect(Run(["analyze", "--summary", packed, other]).status == .success)
    let compared = Run(["compare", plain, packed])
    #expect(compared.output.contains("frameTime"), "\(compared.errors)")
    #expect(Run(["compare", summary, packed]).output == compared.output)
    for command in [["report"], ["plot", "frame-times"]] {
      for end in ["html", "md", "svg"] {
        let run = Run(command + [trace, "-o", folder.path("page.\(end).zst")])
        #expect(run.status == .usage, "\(command) \(end)")
      }
    }
  }

  @Test func generatedTracesArePackedByTheirName() throws {
    let folder = try TemporaryFolder()
    let bytes = try ["a.ftz", "a.jsonl"].map { name in
      _ = Run(["generate", "steady-60", "-o", folder.path(name)])
      return try Data(contentsOf: URL(filePath: folder.path(name)))
    }
    #expect(bytes[0].starts(with: [0x89, 0x46, 0x54, 0x5a]))
    #expect(bytes[0].count < bytes[1].count / 10)
    let lines = Run(["convert", folder.path("a.ftz"), "-"]).output
    #expect(Data(lines.utf8) == bytes[1])
  }
}
