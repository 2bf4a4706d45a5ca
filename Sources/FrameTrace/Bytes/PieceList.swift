/// A list that grows piece by piece, for millions of small elements whose number is not known beforehand.
///
/// An array of that size moves to new memory each time it doubles. The system must clear every page of that memory, which
/// takes longer than to store the elements.
@frozen @usableFromInline
package struct PieceList<Element> {
  /// The pieces that are full.
  @usableFromInline var full: [[Element]] = []
  /// The one that is being filled.
  @usableFromInline var last: [Element] = []

  /// How many elements a piece has, as a power of two.
  @inlinable static var pieceBits: Int { 11 }

  /// An empty list.
  @inlinable
  package init() {}

  /// How many elements it has.
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

  /// The element at an index. A copy of the list keeps the element that it had.
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
