import FrameKit

/// A private folder from which the Vulkan loader loads the capture layer, only for one program and
/// its children, and in which the layer records.
struct LayerFolder {
  /// The path of the folder; before the folder is created, a placeholder that shows its location.
  private(set) var path: String
  private let base: String
  private let layer: String

  /// The folders in which the layer may be installed: next to the tool, in the library folder of
  /// packages, or in the build folder.
  private static let places = ["", "/../lib/frametool", "/..", "/../.."]
  private static let file = "libframetool_vulkan_layer.so"

  /// - Throws: If the layer is not found.
  init(_ console: Console) throws(CommandError) {
    layer = try Self.layer(console)
    base = Self.base(console.variable("XDG_RUNTIME_DIR"))
    path = FileFolder.pattern(in: base)
  }

  /// The parent folder. Under `sudo`, the variable may name a folder of the calling user, who could
  /// replace the created folder.
  private static func base(_ runtime: String?) -> String {
    if let runtime, !runtime.isEmpty, FileFolder.isTrustworthy(runtime) { return runtime }
    return FileFolder.isTrustworthy("/dev/shm") ? "/dev/shm" : "/tmp"
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
    for place in places {
      if let found = PageCache.file(named: "\(folder)\(place)/\(file)") { return found }
    }
    throw CommandError(
      .unavailable, "the Vulkan layer \(file) is not installed",
      help: "build it with 'scripts/layer', or set FRAMETOOL_VULKAN_LAYER to its path")
  }

  private var manifests: String { "\(path)/share/vulkan/implicit_layer.d" }

  /// The changes to the program's environment.
  /// - Parameter shared: The value of `XDG_DATA_DIRS`; `nil` if it is not set.
  func changes(shared: String?) -> [String] {
    let before = shared.flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    return [
      "XDG_DATA_DIRS=\(path)/share:\(before)", "FRAMETOOL_CAPTURE=\(path)", "FRAMETOOL_LAYER=1",
    ]
  }

  /// Creates a new, private folder, so that the loader finds only this manifest in it.
  mutating func make() throws(CommandError) {
    do throws(ParseError) {
      path = try FileFolder.makePrivate(in: base)
      for part in ["/share", "/share/vulkan", "/share/vulkan/implicit_layer.d"] {
        try FileFolder.make(path + part)
      }
      let sink = try ByteSink(recordingTo: "\(manifests)/frametool.json")
      _ = try sink.write(manifest)
    } catch {
      remove()
      throw CommandError(error)
    }
  }

  private var manifest: [UInt8] {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.key("file_format_version")
      json.value("1.0.0")
      json.key("layer")
      json.object { json in
        let members = [
          ("name", "VK_LAYER_FRAMETOOL_capture"), ("type", "GLOBAL"), ("library_path", layer),
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
    ((try? FileFolder.files(in: path)) ?? nil)?.filter { $0.hasSuffix(".ring") } ?? []
  }

  /// Removes the folder with its contents.
  func remove() {
    for file in recordings { ByteSink.remove(unfinished: file) }
    ByteSink.remove(unfinished: "\(manifests)/frametool.json")
    for part in ["/share/vulkan/implicit_layer.d", "/share/vulkan", "/share", ""] {
      FileFolder.remove(path + part)
    }
  }
}
