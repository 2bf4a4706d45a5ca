/// What a recording was made on and of, as far as its source tells.
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
