import FrameKit

/// Private folders from which the Vulkan loader loads the capture layer, only for one program and its children, and in
/// which the layer writes recordings.
///
/// There are several folders because a program in a container sees only some locations: Steam's containers share
/// /dev/shm, others share the session's folder, and the user can name one. All folders are in memory if possible.
struct LayerFolder {
  /// The paths of the folders that were created.
  private var made: [String] = []
  /// The paths of the folders; before they are created, placeholders that show their locations.
  var paths: [String] { made.isEmpty ? bases.map { FileFolder.pattern(in: $0) } : made }
  private let bases: [String]
  /// The folder that the user named; `nil` for none.
  private let named: String?
  /// The files whose locks show that the folders are in use.
  private var owners: [ByteSink] = []
  private let layer: String

  /// The folders in which the layer may be installed: next to the tool, in the library folder of
  /// packages, or in the build folder.
  private static let positions = ["", "/../lib/frametool", "/..", "/../.."]
  private static let file = "libframetool_vulkan_layer.so"

  /// - Parameter named: A folder that the user shares with a container; `nil` for none.
  /// - Throws: If the layer is not found, or other users can replace the contents of the named folder.
  init(_ console: Console, named: String? = nil) throws(CommandError) {
    layer = try Self.layer(console)
    bases = try Self.bases(console.variable("XDG_RUNTIME_DIR"), named)
    self.named = named
  }

  /// The parent folders. Under `sudo`, the variable may name a folder of the calling user, who could
  /// replace the created folder.
  private static func bases(
    _ runtime: String?, _ named: String?
  ) throws(CommandError) -> [String] {
    if let named, !isUsable(named) {
      throw CommandError(
        .unavailable,
        "--folder \(named): expected a folder that only you can write to, without ':' in its path")
    }
    var bases = [named, "/dev/shm", runtime].compactMap { $0 }.filter(isUsable)
    if bases.isEmpty { bases = ["/tmp"] }
    return bases.enumerated().filter { position, base in !bases[..<position].contains(base) }.map(
      \.element)
  }

  /// Whether a folder is usable, and can be part of a list of folders.
  private static func isUsable(_ path: String) -> Bool {
    path.hasPrefix("/") && !path.contains(":") && FileFolder.isTrustworthy(path)
  }

  static func layer(_ console: Console) throws(CommandError) -> String {
    if let named = console.variable("FRAMETOOL_VULKAN_LAYER"), !named.isEmpty {
      guard let found = PageCache.file(named: named.contains("/") ? named : "./\(named)") else {
        throw CommandError(
          .unavailable, "FRAMETOOL_VULKAN_LAYER: there is no file \(named)")
      }
      return found
    }
    let tool = PageCache.file(named: "/proc/self/exe") ?? ""
    let folder = tool.lastIndex(of: "/").map { tool[..<$0] } ?? ""
    for position in positions {
      if let found = PageCache.file(named: "\(folder)\(position)/\(file)") { return found }
    }
    throw CommandError(
      .unavailable, "the Vulkan layer \(file) is not installed",
      help: "build it with 'scripts/layer', or set FRAMETOOL_VULKAN_LAYER to its path")
  }

  private static let share = "/share"
  private static let manifests = "\(share)/vulkan/implicit_layer.d"

  /// The changes to the program's environment.
  /// - Parameters:
  ///   - shared: The value of `XDG_DATA_DIRS`; `nil` if the variable is not set.
  ///   - readsPictures: Whether the layer compares the pictures of frames.
  func changes(shared: String?, readsPictures: Bool = false) -> [String] {
    let before = shared.flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    let folders = paths.map { $0 + Self.share } + [before]
    return [
      "XDG_DATA_DIRS=\(folders.joined(separator: ":"))",
      "FRAMETOOL_CAPTURE=\(paths.joined(separator: ":"))", "FRAMETOOL_LAYER=1",
    ] + (readsPictures ? ["FRAMETOOL_PICTURES=1"] : [])
  }

  /// Creates new, private folders, so that the loader finds only these manifests in them. If a folder cannot be
  /// created, for example on a full file system, the other folders are used.
  mutating func make() throws(CommandError) {
    var failure: ParseError?
    var isNamedMade = true
    for base in bases {
      Self.sweep(base)
      var path: String?
      do throws(ParseError) {
        let folder = try FileFolder.makePrivate(in: base)
        path = folder
        owners.append(try Self.owner(of: folder))
        try fill(folder)
        made.append(folder)
      } catch {
        failure = failure ?? error
        if base == named { isNamedMade = false }
        if let path { FileFolder.removeAll(path) }
      }
    }
    if let failure, made.isEmpty || !isNamedMade {
      remove()
      throw CommandError(failure)
    }
  }

  private static func owner(of path: String) throws(ParseError) -> ByteSink {
    let sink = try ByteSink(alone: path + owner) { 0 }
    _ = try sink.write(Array("\(LaunchedProcess.ownIdentifier)\n".utf8))
    return sink
  }

  private func fill(_ path: String) throws(ParseError) {
    for part in [Self.share, "\(Self.share)/vulkan", Self.manifests] {
      try FileFolder.make(path + part)
    }
    // A container may not see the folder in which the layer is installed.
    let copy = "\(path)/\(Self.file)"
    var library = layer
    if FileFolder.allowsPrograms(path) {
      let sink = try ByteSink(recordingTo: copy)
      _ = try sink.write(InputFile(path: layer).readAll(atMost: 64 << 20, of: "a library"))
      library = copy
    }
    let sink = try ByteSink(recordingTo: "\(path)\(Self.manifests)/frametool.json")
    _ = try sink.write(Self.manifest(library))
  }

  /// The file that a recorder locks; it contains the recorder's process ID for people.
  private static let owner = "/owner"

  /// Removes this user's folders of killed recorders, whose locks are no longer held.
  private static func sweep(_ base: String) {
    let start = FileFolder.start(in: base)
    for folder in ((try? FileFolder.files(in: base)) ?? nil) ?? [] where folder.hasPrefix(start) {
      guard FileFolder.isPrivate(folder), ByteSink.isFile(folder + owner),
        (try? ByteSink(alone: folder + owner) { 0 }) != nil
      else { continue }
      FileFolder.removeAll(folder)
    }
  }

  private static func manifest(_ library: String) -> [UInt8] {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.key("file_format_version")
      json.value("1.0.0")
      json.key("layer")
      json.object { json in
        let members = [
          ("name", "VK_LAYER_FRAMETOOL_capture"), ("type", "GLOBAL"), ("library_path", library),
          ("api_version", "1.3.0"), ("implementation_version", "1"),
          ("description", "frametool capture vulkan"),
        ]
        for (key, value) in members {
          json.key(key)
          json.value(value)
        }
        for (key, variable) in [
          ("enable_environment", "FRAMETOOL_LAYER"),
          ("disable_environment", "FRAMETOOL_LAYER_OFF"),
        ] {
          json.key(key)
          json.object { json in
            json.key(variable)
            json.value("1")
          }
        }
      }
    }
    return json.takeBytes()
  }

  /// The files to which processes record.
  var recordings: [String] {
    paths.flatMap { path in
      (((try? FileFolder.files(in: path)) ?? nil) ?? []).filter { $0.hasSuffix(".ring") }
    }
  }

  /// Whether the process that writes a recording has not ended. The process ID may belong to a container.
  static func isWritten(_ recording: String) -> Bool { ByteSink.isLocked(recording) }

  /// Whether a process or any of its children has loaded the layer.
  static func isLoaded(by process: Int32) -> Bool {
    var waiting = [process]
    for _ in 0..<256 {
      guard let next = waiting.popLast() else { return false }
      let text = { (file: String) -> String in
        let bytes = try? InputFile(path: "/proc/\(next)/\(file)")
          .readAll(atMost: 64 << 20, of: "text")
        return String(decoding: bytes ?? [], as: UTF8.self)
      }
      if text("maps").contains(Self.file) { return true }
      waiting += text("task/\(next)/children").split(separator: " ").compactMap { Int32($0) }
    }
    return false
  }

  /// Removes the folders with their contents.
  func remove() { for path in made { FileFolder.removeAll(path) } }
}
