/// The shape of a value in a JSON document, from which its JSON Schema is written.
///
/// Rows of results get their shape from the columns from which they are written. Shapes of other objects are in this
/// folder. Tests compare every document with its shape, key by key.
package indirect enum JSONShape: Sendable {
  case text, integer, number, flag
  /// One of the given strings.
  case words([String])
  /// Exactly this string.
  case constant(String)
  case list(JSONShape)
  /// An object whose keys are data, such as names of metrics.
  case map(JSONShape)
  case object([JSONMember])
  /// A shape that the document defines once and refers to by name.
  case named(String)
  case either([JSONShape])
  /// Always `null`: a part of an object that is either known completely or missing.
  case null

  /// An object that is either known completely or missing.
  /// - Parameter missing: The keys that are `null` if the object is missing.
  static func object(_ members: [JSONMember], orMissing missing: [String]) -> JSONShape {
    let absent =
      missing.map { JSONMember($0, .null, "always null here") }
      + [.text("why", "why it is not known")]
    return .either([.object(members), .object(absent)])
  }

  /// An object that is written from fields.
  static func object<Row>(of fields: [ResultColumn<Row>]) -> JSONShape {
    .object(JSONMember.all(fields))
  }
}

/// A member of an object in a JSON document.
package struct JSONMember: Sendable {
  package let key: String
  package let shape: JSONShape
  /// The meaning of the member, as a clause.
  package let meaning: String
  /// Whether the key can be absent.
  private(set) var isOptional = false
  /// Whether the value can be `null`, with its reason under `why_missing`.
  private(set) var isNullable = false

  package init(_ key: String, _ shape: JSONShape, _ meaning: String) {
    (self.key, self.shape, self.meaning) = (key, shape, meaning)
  }

  /// The same member, absent if it has no value.
  package var ifAny: JSONMember {
    var member = self
    member.isOptional = true
    return member
  }

  /// The same member, `null` with a reason if its value is missing.
  var orNull: JSONMember {
    var member = self
    member.isNullable = true
    return member
  }
}

// MARK: Members by type

extension JSONMember {
  package static func text(_ key: String, _ meaning: String) -> JSONMember {
    JSONMember(key, .text, meaning)
  }

  package static func integer(_ key: String, _ meaning: String) -> JSONMember {
    JSONMember(key, .integer, meaning)
  }

  package static func number(_ key: String, _ meaning: String) -> JSONMember {
    JSONMember(key, .number, meaning)
  }

  package static func flag(_ key: String, _ meaning: String) -> JSONMember {
    JSONMember(key, .flag, meaning)
  }

  static func words(_ key: String, _ words: [String], _ meaning: String) -> JSONMember {
    JSONMember(key, .words(words), meaning)
  }

  package static func object(
    _ key: String, _ members: [JSONMember], _ meaning: String
  ) -> JSONMember {
    JSONMember(key, .object(members), meaning)
  }

  package static func map(_ key: String, _ value: JSONShape, _ meaning: String) -> JSONMember {
    JSONMember(key, .map(value), meaning)
  }

  package static func list(_ key: String, _ item: JSONShape, _ meaning: String) -> JSONMember {
    JSONMember(key, .list(item), meaning)
  }

  package static func rows(
    _ key: String, _ members: [JSONMember], _ meaning: String
  ) -> JSONMember {
    JSONMember(key, .list(.object(members)), meaning)
  }

  /// The name and version of a document.
  package static func schema(_ name: String) -> JSONMember {
    JSONMember("schema", .constant(name), "the name and version of this form")
  }

  /// Counts under their keys; the keys state the meaning of the counts.
  static func counts(_ keys: [String], of what: String) -> [JSONMember] {
    keys.map { .integer($0, "the number of \(what): \($0)") }
  }

  /// The members that columns write.
  static func all<Row>(_ columns: [ResultColumn<Row>]) -> [JSONMember] {
    columns.map { column in
      var member = JSONMember(column.textKey, column.shape, column.meaning)
      if column.isOptional { member = member.ifAny }
      return column.canBeMissing ? member.orNull : member
    }
  }
}

extension ResultKind {
  /// The shape of a value of this kind in JSON; a nested value has a separate shape.
  var shape: JSONShape {
    switch self {
    case .text: .text
    case .integer: .integer
    case .real, .instant, .length: .number
    case .flag: .flag
    case .interval, .list: .list(.number)
    case .nested: .object([])
    }
  }
}
