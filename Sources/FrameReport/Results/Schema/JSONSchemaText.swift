import FrameTrace

/// A shape as JSON Schema, draft 2020-12.
///
/// A schema allows keys that it does not name, because keys may be added within a version.
struct JSONSchemaText {
  private var json = JSONWriter(indented: true)

  /// The schema of a document, including its final line feed.
  static func write(_ document: DocumentSchema) -> String {
    var text = JSONSchemaText()
    text.json.object { json in
      json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      json.member("$id", document.identifier)
      json.member("title", document.schema)
      json.member("description", document.summary)
      write(document.shape, to: &json)
      guard !document.definitions.isEmpty else { return }
      json.key("$defs")
      json.object { json in
        for (name, shape) in document.definitions {
          json.key(name)
          json.object { write(shape, to: &$0) }
        }
      }
    }
    text.json.endLine()
    return String(decoding: text.json.bytes, as: UTF8.self)
  }

  /// Writes the keywords of a shape into the open object.
  private static func write(_ shape: JSONShape, to json: inout JSONWriter, isNullable: Bool = false)
  {
    switch shape {
    case .text: type("string", isNullable, &json)
    case .integer: type("integer", isNullable, &json)
    case .number: type("number", isNullable, &json)
    case .flag: type("boolean", isNullable, &json)
    case .constant(let text): json.member("const", text)
    case .words(let words):
      json.key("enum")
      json.inlineArray { json in
        for word in words { json.value(word) }
        if isNullable { json.null() }
      }
    case .list(let item):
      type("array", isNullable, &json)
      json.key("items")
      json.object { write(item, to: &$0) }
    case .map(let value):
      type("object", isNullable, &json)
      json.key("additionalProperties")
      json.object { write(value, to: &$0) }
    case .object(let members):
      type("object", isNullable, &json)
      write(members, to: &json)
    case .named(let name):
      guard isNullable else { return json.member("$ref", "#/$defs/\(name)") }
      anyOf([shape], isNullable, &json)
    case .either(let shapes): anyOf(shapes, isNullable, &json)
    case .null: json.member("type", "null")
    }
  }

  private static func type(_ name: String, _ isNullable: Bool, _ json: inout JSONWriter) {
    guard isNullable else { return json.member("type", name) }
    json.key("type")
    json.inlineArray { json in
      json.value(name)
      json.value("null")
    }
  }

  private static func anyOf(
    _ shapes: [JSONShape], _ isNullable: Bool, _ json: inout JSONWriter
  ) {
    json.key("anyOf")
    json.array { json in
      for shape in shapes { json.object { write(shape, to: &$0) } }
      if isNullable { json.object { $0.member("type", "null") } }
    }
  }

  private static func write(_ members: [JSONMember], to json: inout JSONWriter) {
    json.key("properties")
    json.object { json in
      for member in members {
        json.key(member.key)
        json.object { json in
          json.member("description", member.meaning)
          write(member.shape, to: &json, isNullable: member.isNullable)
        }
      }
      guard members.contains(where: \.isNullable) else { return }
      json.key("why_missing")
      json.object { json in
        json.member("description", "why values of this object are null, under their keys")
        write(.map(.text), to: &json)
      }
    }
    json.key("required")
    json.inlineArray { json in
      for member in members where !member.isOptional { json.value(member.key) }
    }
  }
}
