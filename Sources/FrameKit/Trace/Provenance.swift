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
  /// The compression that was taken off.
  public var compression: Compression?
  /// What the trace was made from before it was converted; `nil` when it was not.
  public var origin: String?
  /// Files that were read beside it: clocks, touches, other parts of the recording.
  public var companions: [String] = []

  /// The input as people read it.
  public var title: String { file == "-" ? "standard input" : file }

  /// The same without the folders that it is in.
  public var shortTitle: String {
    file == "-" ? title : file.split(separator: "/").last.map(String.init) ?? file
  }
}

/// What a recording was made on and of, as far as its source says.
public struct Setting: Hashable, Sendable {
  /// Who recorded it.
  public enum Origin: String, Sendable, CaseIterable {
    /// Somebody who measured.
    case measured
    /// Devices of users in the field.
    case field
  }

  public var origin = Origin.measured
  /// The device's model, or its name; `nil` when not known.
  public var device: String?
  /// The device's system with its version; `nil` when not known.
  public var system: String?
  /// The app's version; `nil` when not known.
  public var version: String?
  /// When it was recorded, as `2026-11-21` with a time or without; `nil` when not known.
  public var date: String?

  /// Nothing is known of it.
  static let unknown = Setting()
}
