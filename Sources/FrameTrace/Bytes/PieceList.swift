/// A list that grows piece by piece, for millions of small elements of unknown number.
///
/// An array of that size moves to new memory each time it doubles. The system must clear every page of that memory,
/// which takes longer than storing the elements.
@frozen @usableFromInline
package struct PieceList<Element> {
  /// The full pieces.
  @usableFromInline var full: [[Element]] = []
  /// The piece that is being filled.
  @usableFromInline var last: [Element] = []

  /// The number of elements in a piece, as a power of two.
  @inlinable static var pieceBits: Int { 11 }

  /// An empty list.
  @inlinable
  package init() {}

  /// The number of elements.
  @inlinable
  package var count: Int { full.count &<< Self.pieceBits &+ last.count }

  /// Adds an element at the end.
  @inlinable
  package mutating func append(_ element: Element) {
    if last.count == 1 &<< Self.pieceBits { addPiece() }
    last.append(element)
  }

  @inlinable
  mutating func addPiece() {
    full.append(last)
    last = []
    last.reserveCapacity(1 << Self.pieceBits)
  }
}

extension PieceList: RandomAccessCollection, MutableCollection {
  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { count }

  /// The element at an index. A copy of the list is unaffected by changes.
  @inlinable
  package subscript(position: Int) -> Element {
    get {
      let piece = position &>> Self.pieceBits
      let within = position & (1 &<< Self.pieceBits &- 1)
      return piece == full.count ? last[within] : full[piece][within]
    }
    _modify {
      let piece = position &>> Self.pieceBits
      let within = position & (1 &<< Self.pieceBits &- 1)
      if piece == full.count { yield &last[within] } else { yield &full[piece][within] }
    }
  }
}

extension PieceList: Sendable where Element: Sendable {}
