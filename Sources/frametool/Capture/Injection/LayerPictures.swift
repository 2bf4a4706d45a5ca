import FrameImporters

/// Joins the pictures that the Vulkan layer compares with the commits that show them.
///
/// A driver commits a frame during or after the program's present call, and commits frames in order. Therefore a
/// picture belongs to its surface's first commit that comes after the present began and belongs to no earlier picture.
struct LayerPictures {
  /// What is known about a commit.
  enum Step: Hashable {
    case seen(PresentedPicture, at: Int64)
    /// The layer had no room for a copy, so the changes are part of the surface's next picture.
    case missed(surface: UInt32)
  }

  private struct Surface {
    var commits: [Int64] = []
    var pictures: [PresentedPicture] = []
    var isSeen = false
  }

  private var surfaces: [UInt32: Surface] = [:]
  /// More than the number of frames in flight at a time.
  private static let most = 256
  /// How long a commit waits for its picture, in ns, before the layer is assumed to have stopped reading.
  private static let patience: Int64 = 1_000_000_000

  /// Whether the layer reads the pictures of a surface.
  func sees(_ surface: UInt32) -> Bool { surfaces[surface]?.isSeen ?? false }

  mutating func consume(commitOf surface: UInt32, at time: Int64) {
    if let first = surfaces[surface]?.commits.first, first < time - Self.patience {
      surfaces[surface] = nil
    }
    surfaces[surface, default: Surface()].commits.append(time)
    if surfaces[surface]?.commits.count ?? 0 > Self.most {
      surfaces[surface]?.commits.removeFirst()
    }
  }

  mutating func consume(_ picture: PresentedPicture) {
    surfaces[picture.surface, default: Surface()].pictures.append(picture)
    if surfaces[picture.surface]?.pictures.count ?? 0 > Self.most {
      surfaces[picture.surface]?.pictures.removeFirst()
    }
  }

  /// The times of commits without a picture, for surfaces whose pictures the layer reads.
  var unread: [Int64] { surfaces.values.filter(\.isSeen).flatMap(\.commits) }

  mutating func forget(_ surface: UInt32) { surfaces[surface] = nil }

  /// Returns what became known since the last call, with the steps of each surface in order of time.
  mutating func takeSteps() -> [Step] {
    var steps: [Step] = []
    for number in surfaces.keys.sorted() {
      guard var surface = surfaces[number] else { continue }
      while let picture = surface.pictures.first {
        guard let position = surface.commits.firstIndex(where: { $0 >= picture.presented }) else {
          break
        }
        // Before the first picture, the layer was not loaded yet.
        if surface.isSeen, position > 0 { steps.append(.missed(surface: number)) }
        surface.isSeen = true
        steps.append(.seen(picture, at: surface.commits[position]))
        surface.commits.removeFirst(position + 1)
        surface.pictures.removeFirst()
      }
      surfaces[number] = surface
    }
    return steps
  }
}
