import FrameKit

/// The governors of the processors, set to `performance` and later restored.
struct GovernorSetting: Sendable {
  private let before: [(path: String, governor: String)]

  /// - Throws: If there are none, or they cannot be set.
  init(root: String = "") throws(CommandError) {
    let folder = "\(root)/sys/devices/system/cpu"
    let cpus = ((try? FileFolder.files(in: folder)) ?? nil) ?? []
    var before: [(path: String, governor: String)] = []
    for cpu in cpus {
      let path = "\(cpu)/cpufreq/scaling_governor"
      guard let bytes = try? InputFile(path: path).readAll(atMost: 100, of: "a governor") else {
        continue
      }
      let governor = String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self)
      if governor != "performance" { before.append((path, governor)) }
    }
    guard !cpus.isEmpty, !before.isEmpty || ByteSink.exists("\(cpus[0])/cpufreq") else {
      throw CommandError(
        .unavailable, "--set: this machine has no governors of its processors",
        help: "a virtual machine has none; measure on the machine itself, or omit --set")
    }
    self.before = before
    for (path, _) in before {
      guard Self.write("performance", to: path) else {
        restore()
        throw CommandError(
          .unavailable, "--set: \(path) cannot be written", help: "run it as root, or omit --set")
      }
    }
  }

  /// Restores the governors.
  func restore() {
    for (path, governor) in before { _ = Self.write(governor, to: path) }
  }

  private static func write(_ word: String, to path: String) -> Bool {
    guard FileDescriptor.isWritable(path), let sink = try? ByteSink(recordingTo: path) else {
      return false
    }
    return (try? sink.write(Array("\(word)\n".utf8))) ?? false
  }
}
