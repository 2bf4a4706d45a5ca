/// Where a trace comes from and how it was read.
public struct Provenance: Sendable {
  /// The input as the user named it; `-` is standard input.
  public var file: String
  /// The importer's name, as in `--input-format`.
  public var importer: String
  /// The format and its version, as far as the importer could determine.
  public var format: String
  /// Why this importer was chosen.
  public var reason: String
  /// The compression that was removed.
  public var compression: Compression?
  /// The origin of the trace before it was converted; `nil` if it was not converted.
  public var origin: String?
  /// Additional files that were read: clocks, touches, other parts of the recording.
  public var companions: [String] = []
  /// What is known about the program that recorded the trace.
  package var source = RecordingSource.unknown

  /// The input's name for display.
  public var title: String { file == "-" ? "standard input" : file }

  package init(
    file: String, importer: String, format: String, reason: String, compression: Compression? = nil,
    origin: String? = nil, companions: [String] = []
  ) {
    self.file = file
    self.importer = importer
    self.format = format
    self.reason = reason
    self.compression = compression
    self.origin = origin
    self.companions = companions
  }

  /// The title without the path of the folder.
  public var shortTitle: String {
    file == "-" ? title : file.split(separator: "/").last.map(String.init) ?? file
  }
}

/// The device, app and origin of a recording, as far as its source states them.
public struct Setting: Hashable, Sendable {
  /// Who made the recording.
  public enum Origin: String, Sendable, CaseIterable {
    /// A person who took measurements.
    case measured
    /// Devices of users in the field.
    case field
  }

  /// What drew and showed the frames, if a recorder on the machine saw it.
  public enum Condition: String, Sendable, CaseIterable {
    case gpu, driver, resolution, presentMode, compositor

    /// The condition's name for display.
    public var words: String {
      switch self {
      case .gpu: "GPU"
      case .presentMode: "present mode"
      case .driver, .resolution, .compositor: rawValue
      }
    }
  }

  /// Who made the recording.
  public var origin = Origin.measured
  /// The known conditions; several values of a condition, for example of several windows, are separated by semicolons.
  public package(set) var conditions: [Condition: String] = [:]
  /// The device's model, or its name; `nil` if unknown.
  public var device: String?
  /// The device's system with its version; `nil` if unknown.
  public var system: String?
  /// The app's version; `nil` if unknown.
  public var version: String?
  /// The date of the recording, such as `2026-11-21`, with or without a time; `nil` if unknown.
  public var date: String?

  package init(
    origin: Origin = Origin.measured, device: String? = nil, system: String? = nil,
    version: String? = nil, date: String? = nil
  ) {
    self.origin = origin
    self.device = device
    self.system = system
    self.version = version
    self.date = date
  }

  /// Adds a value of a condition.
  package mutating func add(_ value: String, as condition: Condition) {
    var known = Self.values(conditions[condition] ?? "")
    for value in Self.values(value) where !known.contains(value) && known.count < Self.mostValues {
      known.append(value)
    }
    conditions[condition] = known.isEmpty ? nil : known.joined(separator: Self.separator)
  }

  private static let separator = "; "

  private static func values(_ text: String) -> [String] {
    text.split(separator: separator).map(String.init)
  }

  /// The maximum number of values kept for a condition: a window that is resized has many.
  private static let mostValues = 4

  /// A setting about which nothing is known.
  package static let unknown = Setting()
}
