import FrameTrace

/// Determines which buffer each frame was drawn into.
package struct BufferColoring {
  /// The buffer of each use, by use index: 0, 1, 2, … in order of first use; `nil` if the trace does not name it.
  package private(set) var colors: CompactOptionals<Int>
  /// The number of buffers.
  package private(set) var count: Int
  /// Whether the buffers were rebuilt because the trace does not name them.
  let isInferred: Bool

  /// The buffers as the trace names them. If a name is used again after its buffer was destroyed, as when a window is
  /// resized, it counts as a different buffer.
  /// - Parameter names: The name for each use, valid for one allocation; `nil` where the trace has
  ///   none.
  init(named names: [BufferName?]) {
    var known: [BufferName: Int] = [:]
    colors = CompactOptionals(missing: names.count)
    for (position, name) in names.enumerated() {
      guard let name else { continue }
      let color = known[name] ?? known.count
      known[name] = color
      colors[position] = color
    }
    count = known.count
    isInferred = false
  }

  /// Rebuilt buffers: uses that overlap have different buffers. A use gets the buffer that has been free longest, or a
  /// new buffer only if none is free. The number of buffers is thus the depth of the deepest overlap.
  /// - Parameter uses: The uses in order of their first write.
  init(rebuilding uses: BufferUses) {
    colors = CompactOptionals(missing: uses.count)
    var free = FreeBuffers()
    for (position, use) in uses.enumerated() {
      let end = use.free ?? .latest
      if let longest = free.first(by: use.firstWrite) {
        colors[position] = longest
        free.useFirst(until: end)
      } else {
        colors[position] = free.count
        free.add(free.count, freeAt: end)
      }
    }
    count = free.count
    isInferred = true
  }
}

/// The name of a buffer while it is allocated.
struct BufferName: Hashable {
  let id: Int64
  /// How many earlier buffers had the same name.
  let generation: Int
}

/// Buffers in order of when each becomes free; the one that has been free longest comes first.
struct FreeBuffers {
  private struct Buffer: Comparable {
    let time: Timestamp
    let number: Int

    static func < (one: Buffer, two: Buffer) -> Bool {
      (one.time, one.number) < (two.time, two.number)
    }
  }

  private var heap = Heap<Buffer>()

  /// The number of buffers.
  var count: Int { heap.count }

  /// The first buffer to become free, if it is free by a time; the buffer is not removed.
  func first(by time: Timestamp) -> Int? {
    guard let first = heap.first, first.time <= time else { return nil }
    return first.number
  }

  /// Adds a buffer that becomes free at a time.
  mutating func add(_ buffer: Int, freeAt time: Timestamp) {
    heap.insert(Buffer(time: time, number: buffer))
  }

  /// Reuses the first buffer until a later time.
  mutating func useFirst(until time: Timestamp) {
    guard let first = heap.first else { return }
    heap.replaceFirst(with: Buffer(time: time, number: first.number))
  }
}
