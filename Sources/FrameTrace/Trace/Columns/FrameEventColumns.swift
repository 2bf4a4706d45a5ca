/// The facts that a source can record about an event of a buffer.
public enum BufferColumn: Int, TableColumn {
  case time, event, surface, buffer, frame

  /// The values of `event`.
  public enum Event: Int64, CaseIterable, Sendable {
    case allocated, attached, queued, latched, displayed, released, destroyed
  }

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .time: .init("time", .time, "When it happened.")
    case .event: .init("event", .choice(words(Event.self)), "What happened.")
    case .surface: .init("surface", .surface, "The surface the buffer belongs to.")
    case .buffer:
      .init("buffer", .identifier, "The buffer; the number is valid while it is allocated.")
    case .frame: .init("frame", .frame, "The frame in the buffer.")
    }
  }
}

/// The facts that a source can record about a commit: the app's hand-over of the state of its content.
public enum CommitColumn: Int, TableColumn {
  case time, surface, frame, appStart, appEnd, transaction, animates

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .time: .init("time", .time, "The app committed.")
    case .surface: .init("surface", .surface, "The surface it changes.")
    case .frame: .init("frame", .frame, "The frame that took it.")
    case .appStart: .init("appStart", .time, "The app interval that contains it started.")
    case .appEnd: .init("appEnd", .time, "The app interval that contains it ended.")
    case .transaction: .init("transaction", .identifier, "The transaction it is part of.")
    case .animates: .init("animates", .flag, "Whether it starts an animation.")
    }
  }
}

/// The facts that a source can record about a layer of a transaction, which may combine GPU content
/// and compositor content.
public enum LayerColumn: Int, TableColumn {
  case transaction, content, surface, frame, displayed, synchronized

  /// The values of `content`.
  public enum Content: Int64, CaseIterable, Sendable { case compositor, gpu }

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .transaction: .init("transaction", .identifier, "The transaction the layer is part of.")
    case .content:
      .init(
        "content", .choice(words(Content.self)),
        "Whether the compositor or the app's own GPU code draws it.")
    case .surface: .init("surface", .surface, "The surface it is drawn on.")
    case .frame: .init("frame", .frame, "The frame it is part of.")
    case .displayed: .init("displayed", .time, "The refresh at which its content was swapped in.")
    case .synchronized:
      .init("synchronized", .flag, "Whether its display is tied to the transaction's.")
    }
  }
}

/// The facts that a source can record about an offscreen pass: content drawn separately before it
/// can be drawn into its frame.
public enum PassColumn: Int, TableColumn {
  case surface, frame, kind, start, end

  /// The values of `kind`.
  public enum Kind: Int64, CaseIterable, Sendable {
    case blur, vibrancy, groupAlpha, mask, snapshot, other
  }

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .surface: .init("surface", .surface, "The surface of its frame.")
    case .frame: .init("frame", .frame, "The frame that needed it.")
    case .kind: .init("kind", .choice(words(Kind.self)), "What it was needed for.")
    case .start: .init("start", .time, "The GPU started it.")
    case .end: .init("end", .time, "The GPU was done with it.")
    }
  }
}

/// The facts that a source can record about a refresh of a display.
public enum RefreshColumn: Int, TableColumn {
  case number, time, repeated

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .number:
      .init(
        "number", .identifier, "The refresh's number; missing numbers were not recorded.")
    case .time:
      .init("time", .time, "The instant at which the frame on the display may be swapped.")
    case .repeated:
      .init("repeated", .flag, "Whether the display showed the previous frame again.")
    }
  }
}
