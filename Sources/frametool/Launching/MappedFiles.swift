import FrameKit

/// The files that a program has in its memory: itself, its libraries, what else it maps.
struct MappedFiles {
  private(set) var paths: [String] = []
  private var known: Set<String> = []

  /// Looks which files a process has mapped now.
  mutating func look(at process: Int32) {
    guard let input = try? InputFile(path: "/proc/\(process)/maps") else { return }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while let count = try? input.read(into: &block, at: 0..<block.count), count > 0 {
      bytes += block[..<count]
    }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // A path is behind five fields and goes to the end of the line.
      guard let start = line.firstIndex(of: UInt8(ascii: "/")) else { continue }
      let path = String(decoding: line[start...], as: UTF8.self)
      guard !path.hasSuffix(" (deleted)"), !path.hasPrefix("/dev/"), known.insert(path).inserted
      else { continue }
      paths.append(path)
    }
  }
}
