/// Where a trace comes from and how it was read.
public struct Provenance: Sendable {
  /// The input as the user named it; `-` is standard input.
  public var file: String
  /// The importer's name, as in `--input-format`.
  public var importer: String
  /// The format and its version, as far as the importer could tell.
  public var format: String
  /// Why this importer was chosen.
  public var reason: String
  /// The compression that was removed.
  public var compression: Compression?
  /// The origin of the trace before it was converted; `nil` when it was not.
  public var origin: String?
  /// Additional files that were read: clocks, touches, other parts of the recording.
  public var companions: [String] = []
  /// What is known of the program that recorded it.
  package var source = RecordingSource.unknown

  /// The input as people read it.
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

/// The device and app of a recording, and who recorded it, as far as its source states them.
public struct Setting: Hashable, Sendable {
  /// Who recorded it.
  public enum Origin: String, Sendable, CaseIterable {
    /// A person who measured.
    case measured
    /// Devices of users in the field.
    case field
  }

  /// What drew and showed the frames, where a recorder on the machine saw it.
  public enum Condition: String, Sendable, CaseIterable {
    case gpu, driver, resolution, presentMode, compositor

    /// Its name for people.
    public var words: String {
      switch self {
      case .gpu: "GPU"
      case .presentMode: "present mode"
      case .driver, .resolution, .compositor: rawValue
      }
    }
  }

  /// Who recorded it.
  public var origin = Origin.measured
  /// What is known of the conditions; several values of one, as of several windows, are separated by semicolons.
  public package(set) var conditions: [Condition: String] = [:]
  /// The device's model, or its name; `nil` when not known.
  public var device: String?
  /// The device's system with its version; `nil` when not known.
  public var system: String?
  /// The app's version; `nil` when not known.
  public var version: String?
  /// When it was recorded, as `2026-11-21` with a time or without; `nil` when not known.
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

  /// How many values of a condition are kept: a window that is resized has many.
  private static let mostValues = 4

  /// A setting about which nothing is known.
  package static let unknown = Setting()
}
