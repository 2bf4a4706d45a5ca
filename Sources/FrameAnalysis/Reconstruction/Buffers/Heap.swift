/// Elements with fast access to the least one. Adding an element and removing the least take time logarithmic in their
/// count.
struct Heap<Element: Comparable> {
  private var elements: [Element] = []

  /// The number of elements.
  var count: Int { elements.count }

  /// The least element; `nil` when there is none.
  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var position = elements.count - 1
    while position > 0, elements[position] < elements[(position - 1) / 2] {
      elements.swapAt(position, (position - 1) / 2)
      position = (position - 1) / 2
    }
  }

  /// Removes the least element.
  /// - Precondition: The heap is not empty.
  mutating func removeFirst() {
    let last = elements.removeLast()
    if !elements.isEmpty { replaceFirst(with: last) }
  }

  /// Replaces the least element with another one.
  /// - Precondition: The heap is not empty.
  mutating func replaceFirst(with element: Element) {
    elements[0] = element
    var position = 0
    while true {
      var least = position
      for child in 2 * position + 1...2 * position + 2
      where child < elements.count && elements[child] < elements[least] { least = child }
      if least == position { return }
      elements.swapAt(position, least)
      position = least
    }
  }
}
