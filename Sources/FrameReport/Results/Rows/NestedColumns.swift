import FrameAnalysis
import FrameTrace
import FrameVerdicts

/// Values of a result that are objects, rows or strings, each described with its fields.
extension ResultColumn {
  private static func nested(
    _ key: String, _ shape: JSONShape, _ meaning: String,
    _ value: @escaping @Sendable (Row) -> ((Timestamp) -> FieldRecord.Value)?
  ) -> ResultColumn {
    ResultColumn(key, .nested, meaning, shape: shape) { value($0).map(ResultCell.nested) }
  }

  /// An object whose keys are data, such as names of tags.
  static func map(
    _ key: String, _ shape: JSONShape, _ meaning: String,
    _ value: @escaping @Sendable (Row) -> FieldRecord?
  ) -> ResultColumn {
    nested(key, .map(shape), meaning) { value($0).map { record in { _ in .record(record) } } }
  }

  /// The measured values of many frames, whose shape the document defines.
  static func measured(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> MeasuredField
  ) -> ResultColumn {
    nested(key, .named("measured"), meaning) { row in
      let field = value(row)
      return { _ in .measured(field) }
    }
  }

  /// One of the given words.
  static func words(
    _ key: String, _ words: [String], _ meaning: String,
    _ value: @escaping @Sendable (Row) -> String?
  ) -> ResultColumn {
    ResultColumn(key, .text, meaning, shape: .words(words)) { value($0).map(ResultCell.text) }
  }

  /// The name and version of a document.
  static func schema(_ name: String) -> ResultColumn {
    ResultColumn("schema", .text, "the name and version of this form", shape: .constant(name)) {
      _ in
      .text(name)
    }
  }

  /// Several strings.
  /// - Parameter words: The only possible strings; `nil` for any string.
  static func texts(
    _ key: String, _ meaning: String, among words: [String]? = nil,
    _ value: @escaping @Sendable (Row) -> [String]?
  ) -> ResultColumn {
    nested(key, .list(words.map(JSONShape.words) ?? .text), meaning) { row in
      value(row).map { texts in { _ in .values(texts.map(FieldRecord.Value.text)) } }
    }
  }

  /// Lists of numbers.
  static func lists(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> [[Double]]
  ) -> ResultColumn {
    nested(key, .list(.list(.number)), meaning) { row in
      let lists = value(row).map { FieldRecord.Value.values($0.map(FieldRecord.Value.real)) }
      return { _ in .values(lists) }
    }
  }

  /// Counts under their names.
  /// - Parameter figure: What tables of an analysis show next to each count.
  static func counts(
    _ key: String, _ names: [String], of what: String, _ meaning: String,
    figure: @escaping @Sendable (Row) -> FieldRecord.Figure? = { _ in nil },
    _ value: @escaping @Sendable (Row, String) -> Int?
  ) -> ResultColumn {
    nested(key, .object(JSONMember.counts(names, of: what)), meaning) { row in
      guard names.contains(where: { value(row, $0) != nil }) else { return nil }
      return { _ in
        .record(
          FieldRecord { record in
            for name in names { record.add(name, value(row, name) ?? 0, figure(row)) }
          })
      }
    }
  }

  /// An object, described by its fields.
  /// - Parameter name: The name under which the document defines the shape; `nil` to describe it here.
  static func object<Part>(
    _ key: String, _ fields: [ResultColumn<Part>], as name: String? = nil, _ meaning: String,
    _ part: @escaping @Sendable (Row) -> Part?
  ) -> ResultColumn {
    nested(key, name.map(JSONShape.named) ?? .object(of: fields), meaning) {
      part($0).map { part in { .record(FieldRecord(fields, of: part, from: $0)) } }
    }
  }

  /// An object that is either known completely or missing.
  /// - Parameters:
  ///   - keys: The keys that are `null` if the object is missing.
  ///   - why: The reason if the object is missing.
  static func object<Part>(
    _ key: String, _ fields: [ResultColumn<Part>], orMissing keys: [String], _ meaning: String,
    _ part: @escaping @Sendable (Row) -> Part?, why: @escaping @Sendable (Row) -> String
  ) -> ResultColumn {
    record(key, .object(JSONMember.all(fields), orMissing: keys), meaning) { row, origin in
      part(row).map { FieldRecord(fields, of: $0, from: origin) }
        ?? FieldRecord(missing: keys, why(row))
    }
  }

  /// An object with the result of an analysis, or the reason why there is no result.
  /// - Parameter part: Makes the item that the fields describe from the result and the row.
  static func finding<Value, Part>(
    _ key: String, _ fields: [ResultColumn<Part>], orMissing keys: [String], _ meaning: String,
    _ finding: @escaping @Sendable (Row) -> Finding<Value>,
    _ part: @escaping @Sendable (Value, Row) -> Part
  ) -> ResultColumn {
    object(key, fields, orMissing: keys, meaning) { row in
      finding(row).value.map { part($0, row) }
    } why: {
      finding($0).whyMissing ?? ""
    }
  }

  /// An object that is written by other means.
  static func record(
    _ key: String, _ shape: JSONShape, _ meaning: String,
    _ value: @escaping @Sendable (Row, Timestamp) -> FieldRecord
  ) -> ResultColumn {
    nested(key, shape, meaning) { row in { .record(value(row, $0)) } }
  }

  /// Rows, described by their fields; each is made on request.
  /// - Parameters:
  ///   - name: The name under which the document defines the shape of a row; `nil` to describe it here.
  ///   - areEvents: Whether the rows may be numerous.
  ///   - zero: The zero of the times in a row; `nil` for the zero of the complete result.
  static func rows<Items: RandomAccessCollection & SendableMetatype>(
    _ key: String, _ fields: [ResultColumn<Items.Element>], as name: String? = nil,
    areEvents: Bool = false, from zero: (@Sendable (Items.Element) -> Timestamp)? = nil,
    _ meaning: String, _ items: @escaping @Sendable (Row) -> Items?
  ) -> ResultColumn {
    let shape = name.map(JSONShape.named) ?? .object(of: fields)
    return nested(key, .list(shape), meaning) { row in
      items(row).map { items in
        { origin in
          .rows(
            FieldRecord.Rows(count: items.count, areEvents: areEvents) { offset in
              let index = items.index(items.startIndex, offsetBy: offset)
              let row = items[index]
              return FieldRecord(fields, of: row, from: zero?(row) ?? origin)
            })
        }
      }
    }
  }

  /// A verdict.
  static func verdict(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Verdict?
  ) -> ResultColumn {
    words(key, Verdict.allCases.map(\.rawValue), meaning) { value($0)?.rawValue }
  }

  /// A verdict in the words of printed output.
  static func state(_ value: @escaping @Sendable (Row) -> Verdict?) -> ResultColumn {
    words("state", Verdict.allCases.map(\.word), "the verdict in the words of printed output") {
      value($0)?.word
    }
  }

  /// Counts of each stage under its name.
  static func stages(
    _ key: String, of what: String, besides unknown: Bool = false, _ meaning: String,
    figure: @escaping @Sendable (Row) -> FieldRecord.Figure? = { _ in nil },
    _ counts: @escaping @Sendable (Row) -> [PipelineStage: Int]?
  ) -> ResultColumn {
    let stages = PipelineStage.allCases.filter { !unknown || $0 != .unknown }
    return .counts(key, stages.map(\.rawValue), of: what, meaning, figure: figure) { row, name in
      counts(row).map { counts in PipelineStage(rawValue: name).flatMap { counts[$0] } ?? 0 }
    }
  }

  /// A stage.
  static func stage(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> PipelineStage?
  ) -> ResultColumn {
    words(key, PipelineStage.allCases.map(\.rawValue), meaning) { value($0)?.rawValue }
  }
}
