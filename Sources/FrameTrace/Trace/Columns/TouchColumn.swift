/// The facts that a source can record about a touch sample: one scan of one finger, or its
/// equivalent for a mouse, a pen or a key.
public enum TouchColumn: Int, TableColumn {
  case identifier, kind, phase, device, finger, scanStart, scanEnd, delivered
  case x, y, main, surface, frame

  /// The values of `kind`.
  public enum Kind: Int64, CaseIterable, Sendable { case main, coalesced, predicted }
  /// The values of `phase`.
  public enum Phase: Int64, CaseIterable, Sendable {
    case began, moved, stationary, ended, cancelled
  }
  /// The values of `device`; `input` if the source does not say which.
  public enum Device: Int64, CaseIterable, Sendable { case touch, pen, pointer, click, key, input }

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .identifier: .init("id", .identifier, "The sample's number.")
    case .kind:
      .init(
        "kind", .choice(words(Kind.self)),
        "The main sample of a delivery, a coalesced one, or a predicted one.")
    case .phase: .init("phase", .choice(words(Phase.self)), "What the finger did.")
    case .device: .init("device", .choice(words(Device.self)), "The input device.")
    case .finger:
      .init("finger", .identifier, "The finger; the number is valid while it stays down.")
    case .scanStart:
      .init(
        "scanStart", .time,
        "S0: the scan that saw it started; for a predicted sample the scan it predicts; for other devices the event itself."
      )
    case .scanEnd: .init("scanEnd", .time, "S1: the scan ended.")
    case .delivered: .init("delivered", .time, "The app received it.")
    case .x: .init("x", .real, "Where, in points from the left.")
    case .y: .init("y", .real, "Where, in points from the top.")
    case .main:
      .init("main", .identifier, "The main sample that a coalesced or predicted one belongs to.")
    case .surface: .init("surface", .surface, "The surface whose frame consumed it.")
    case .frame: .init("frame", .frame, "The frame that consumed it.")
    }
  }
}
