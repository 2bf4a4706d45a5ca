/// Follows what the surfaces of a connection show, as far as the program draws in memory that it shares with its
/// compositor.
///
/// A picture is looked at after its commit was passed on, and before the release of its buffer is: until then
/// the program may not draw in it.
struct SurfacePictures {
  /// A commit of new content that was not looked at yet.
  struct Look {
    let surface: UInt32
    let time: Int64
    /// `nil` where the content cannot be read: a GPU drew it.
    let picture: SharedPicture?
  }

  /// Files in the order in which they came, which messages did not claim yet.
  private var files: [SharedFile] = []
  private var pools: [UInt32: SharedFile] = [:]
  private var pictures: [UInt32: SharedPicture] = [:]
  private var attached: [UInt32: UInt32] = [:]
  private var cursors: Set<UInt32> = []
  private var looks: [Look] = []

  /// Files that nobody claimed are not kept for longer than this many others.
  private static let mostFiles = 64

  /// Takes files that the program sends, before the messages that they are for.
  mutating func take(files other: [Int32]) {
    for file in other {
      if let copy = SharedFile(copyOf: file) { files.append(copy) }
    }
    files.removeFirst(max(0, files.count - Self.mostFiles))
  }

  /// Takes a request of the program's.
  mutating func take(
    _ interface: WaylandProtocol.Interface, _ name: String, _ arguments: [WaylandArgument],
    of object: UInt32, at time: Int64
  ) {
    let number = { (place: Int) in arguments[place].integer ?? 0 }
    switch (interface, name) {
    case (.sharedMemory, "create_pool"): pools[number(0)] = claimed(atLeast: Int64(number(2)))
    case (.sharedMemoryPool, "create_buffer"):
      // Without its pool's file, or with a size that cannot be, it is one that cannot be read.
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

  /// An object is gone, and its number is free.
  mutating func forget(_ number: UInt32) {
    pools[number] = nil
    pictures[number] = nil
  }

  /// The first file that can be a pool of a size. Those before it were for messages that nobody follows.
  private mutating func claimed(atLeast size: Int64) -> SharedFile? {
    guard let place = files.firstIndex(where: { ($0.size ?? -1) >= size }) else { return nil }
    defer { files.removeFirst(place + 1) }
    return files[place]
  }

  /// Gives out what is to be looked at.
  mutating func takeLooks() -> [Look] {
    defer { looks = [] }
    return looks
  }
}

extension WaylandArgument {
  /// A number with its sign; 0 for what is none.
  fileprivate var signed: Int64 {
    if case .number(let value) = self { value } else { 0 }
  }
}
