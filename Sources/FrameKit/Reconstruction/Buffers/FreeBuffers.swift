/// Buffers in order of when each is free, the one that has been free longest first: a heap.
struct FreeBuffers {
  private var heap: [(time: Int64, buffer: Int32)] = []

  /// How many buffers there are.
  var count: Int { heap.count }

  /// The buffer that is free first, if it is by a time; it stays in its place.
  func first(by time: Int64) -> Int32? {
    guard let first = heap.first, first.time <= time else { return nil }
    return first.buffer
  }

  /// Adds a buffer that is free at a time.
  mutating func add(_ buffer: Int32, freeAt time: Int64) {
    heap.append((time, buffer))
    var place = heap.count - 1
    while place > 0, heap[place] < heap[(place - 1) / 2] {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Uses the first buffer again until a later time.
  mutating func useFirst(until time: Int64) {
    heap[0].time = time
    var place = 0
    while true {
      var least = place
      for child in 2 * place + 1...2 * place + 2
      where child < heap.count && heap[child] < heap[least] { least = child }
      if least == place { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}
