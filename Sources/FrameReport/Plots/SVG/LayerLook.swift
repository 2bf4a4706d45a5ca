extension PlotLayer {
  /// The shapes of marks; series of the same kind have different shapes.
  enum Mark { case disc, square, diamond, triangle, plus, cross }

  var mark: Mark {
    if color == .fault { return .triangle }
    if case .series(let position) = color {
      return [.disc, .square, .diamond, .triangle, .plus, .cross][position % 6]
    }
    return .disc
  }

  /// The width of lines on a picture of the default size, in pixels.
  var lineWidth: Double {
    switch emphasis {
    case .faint: 0.5
    case .normal: 1.2
    case .strong: 2
    }
  }

  /// The size of marks on a picture of the default size, in pixels.
  var markSize: Double {
    switch emphasis {
    case .faint: 2
    case .normal: 4
    case .strong: 7
    }
  }
}
