import Foundation
import Testing

@testable import frametool

/// Documents checked against their schemas by another library.
struct SchemaChecks {
  private let folder: TemporaryFolder
  private var count = 0

  init() throws { folder = try TemporaryFolder() }

  /// Adds what a command printed; each line by itself for a document of lines.
  mutating func add(_ schema: String, _ text: String, lines: Bool = false) throws {
    let texts = lines ? text.split(separator: "\n").map(String.init) : [text]
    for text in texts {
      count += 1
      let url = URL(filePath: folder.path("\(schema)+\(count).json"))
      try Data(text.utf8).write(to: url)
    }
  }

  /// What is wrong with the documents, a line for each; empty if nothing is.
  ///
  /// Keys that a schema does not name are wrong here, although users' validators allow them.
  func findings() throws -> String {
    for name in Set(Run(["schema", "--format", "json"]).formatNames) {
      let schema = Run(["schema", name])
      try #require(schema.status == .success, "\(schema.errors)")
      try Data(schema.output.utf8).write(to: URL(filePath: folder.path("\(name).schema")))
    }
    let checked = try Checker.run(Checker.python, ["-c", Self.program, folder.path("")])
    try #require(checked.status == 0, "\(checked.output)")
    return checked.output
  }

  /// Records what is wrong with the documents.
  func expectNone() throws {
    let found = try findings()
    #expect(found == "")
  }

  private static let program = """
    import glob, json, os, sys
    from jsonschema import Draft202012Validator

    def strict(schema):
        if isinstance(schema, list):
            return [strict(item) for item in schema]
        if not isinstance(schema, dict):
            return schema
        schema = {key: strict(value) for key, value in schema.items()}
        if isinstance(schema.get("properties"), dict) and schema.get("type") is not None:
            schema.setdefault("additionalProperties", False)
        return schema

    def deepest(error):
        while error.context:
            error = max(error.context, key=lambda other: len(other.absolute_path))
        return error

    os.chdir(sys.argv[1])
    validators = {}
    for path in sorted(glob.glob("*.schema")):
        schema = json.load(open(path))
        Draft202012Validator.check_schema(schema)
        validators[path[:-len(".schema")]] = Draft202012Validator(strict(schema))
    for path in sorted(glob.glob("*.json")):
        for error in validators[path.split("+")[0]].iter_errors(json.load(open(path))):
            error = deepest(error)
            where = ".".join(str(part) for part in error.absolute_path)
            print(f"{path}: {where}: {error.message[:300]}")
            break
    """
}
