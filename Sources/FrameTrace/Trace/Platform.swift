/// The systems that recordings come from, which determine the terms and scales used for the
/// results.
package enum Platform: String, Sendable, CaseIterable {
  case apple, android, windows, linux, browser

  /// The platform of a device's system, such as `iOS 17.4`; `nil` for an unknown system.
  init?(system: String) {
    let name = system.lowercased()
    let known: [(Platform, [String])] = [
      (.apple, ["ios", "ipados", "macos", "mac os", "tvos", "watchos", "visionos"]),
      (.android, ["android"]), (.windows, ["windows", "microsoft"]),
      (.linux, ["linux", "debian", "ubuntu", "fedora", "arch", "steamos"]),
    ]
    let found = known.first { $0.1.contains { name.hasPrefix($0) } }
    guard let found else { return nil }
    self = found.0
  }
}

extension Trace {
  /// The platform that the trace was recorded on, according to its format or the stated device; `nil` if neither shows
  /// it.
  package var platform: Platform? {
    provenance.source.platform ?? setting.system.flatMap { Platform(system: $0) }
  }
}
