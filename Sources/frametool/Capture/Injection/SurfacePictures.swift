/// The current pictures of a connection's surfaces, if the program draws into memory shared with its compositor.
///
/// A picture is read after its commit was forwarded, and before the release of its buffer is forwarded: until then, the
/// program must not draw into the buffer.
struct SurfacePictures {
  /// A commit of new content that has not been examined yet.
  struct Look {
    let surface: UInt32
    let time: Int64
    /// The picture; `nil` if the content cannot be read because a GPU drew it.
    let picture: SharedPicture?
  }

  /// File descriptors that no message has claimed yet, in the order received.
  private var files: [SharedFile] = []
  private var pools: [UInt32: SharedFile] = [:]
  private var pictures: [UInt32: SharedPicture] = [:]
  private var attached: [UInt32: UInt32] = [:]
  private var cursors: Set<UInt32> = []
  private var looks: [Look] = []

  /// The maximum number of unclaimed file descriptors to keep.
  private static let mostFiles = 64

  /// Receives file descriptors that the program sends, before the messages to which they belong.
  mutating func consume(files other: [Int32]) {
    for file in other {
      if let copy = SharedFile(copyOf: file) { files.append(copy) }
    }
    files.removeFirst(max(0, files.count - Self.mostFiles))
  }

  /// Receives a request of the program.
  mutating func consume(
    _ interface: WaylandProtocol.Interface, _ name: String, _ arguments: [WaylandArgument],
    of object: UInt32, at time: Int64
  ) {
    let number = { (position: Int) in arguments[position].integer ?? 0 }
    switch (interface, name) {
    case (.sharedMemory, "create_pool"): pools[number(0)] = claimed(atLeast: Int64(number(2)))
    case (.sharedMemoryPool, "create_buffer"):
      // Without its pool's file, or with an impossible size, the picture cannot be read.
      pictures[number(0)] = pools[object].flatMap { file in
        SharedPicture(file, arguments.dropFirst().map(\.signed))
      }
    case (.buffer, "destroy"): pictures[object] = nil
    case (.pointer, "set_cursor"): cursors.insert(number(1))
    case (.surface, "attach"): attached[object] = number(0)
    case (.surface, "commit"):
      guard let buffer = attached.removeValue(forKey: object), buffer != 0,
        !cursors.contains(object)
      else { return }
      looks.append(Look(surface: object, time: time, picture: pictures[buffer]))
    case (.surface, "destroy"):
      attached[object] = nil
      cursors.remove(object)
    default: break
    }
  }

  /// Removes an object whose ID was released.
  mutating func forget(_ number: UInt32) {
    pools[number] = nil
    pictures[number] = nil
  }

  /// The first file large enough for a pool. Earlier files belong to messages that are not
  /// followed.
  private mutating func claimed(atLeast size: Int64) -> SharedFile? {
    guard let position = files.firstIndex(where: { ($0.size ?? -1) >= size }) else { return nil }
    defer { files.removeFirst(position + 1) }
    return files[position]
  }

  /// Returns the commits to examine.
  mutating func takeLooks() -> [Look] {
    defer { looks = [] }
    return looks
  }
}

extension WaylandArgument {
  /// The signed number; 0 if the argument is not a number.
  fileprivate var signed: Int64 {
    if case .number(let value) = self { value } else { 0 }
  }
}
