import FrameImporters

/// Watches one connection for the program's responses to inputs.
struct InjectionWatch {
  private let input: InjectedInput
  private var pictures = SurfacePictures()
  private var search: ResponseSearch
  private var layer = LayerPictures()
  /// The findings that have not been returned yet.
  private var found: [ResponseSearch.Finding] = []

  /// - Parameter answerTime: The time within which a change can be the response to an input, in ns.
  init(_ input: InjectedInput, answerTime: Int64) {
    self.input = input
    search = ResponseSearch(answerTime: answerTime)
  }

  /// Receives file descriptors that the program sends, before the messages to which they belong.
  mutating func consume(files: [Int32]) { pictures.consume(files: files) }

  /// Receives a message sent in either direction.
  mutating func consume(
    _ side: WaylandTap.Side, _ interface: WaylandProtocol.Interface, _ name: String,
    _ arguments: [WaylandArgument], of object: UInt32, at time: Int64
  ) {
    switch side {
    case .request:
      pictures.consume(interface, name, arguments, of: object, at: time)
      if interface == .surface, name == "destroy" {
        search.forget(object)
        layer.forget(object)
      }
    case .event:
      if input.begins(interface, name, arguments) { search.note(deliveryAt: time) }
    }
  }

  /// Removes an object whose ID was released.
  mutating func forget(_ number: UInt32) { pictures.forget(number) }

  /// Examines commits after they were forwarded.
  mutating func look() {
    for look in pictures.takeLooks() {
      layer.consume(commitOf: look.surface, at: look.time)
      if layer.sees(look.surface) { continue }
      let finding = search.consume(look.picture?.tiles(), of: look.surface, at: look.time)
      if let finding { found.append(finding) }
    }
    takeLayerPictures()
  }

  /// Receives what the Vulkan layer saw of a frame.
  mutating func consume(_ picture: PresentedPicture) {
    layer.consume(picture)
    takeLayerPictures()
  }

  private mutating func takeLayerPictures() {
    for step in layer.takeSteps() {
      switch step {
      case .seen(let picture, let time):
        if let finding = search.consume(picture, at: time) { found.append(finding) }
      case .missed(let surface): search.miss(of: surface)
      }
    }
  }

  /// Records a step that was injected into the compositor.
  mutating func consume(_ step: InjectionPlan.Step, at time: Int64) {
    switch step {
    case .press(let number): search.begin(number, isBlank: false, at: time)
    case .blank(let number): search.begin(number, isBlank: true, at: time)
    case .release: search.note(endAt: time)
    case .end:
      // Pictures from the response time would have arrived long ago.
      for time in layer.unread { search.noteUnread(at: time) }
      if let finding = search.end() { found.append(finding) }
    }
  }

  mutating func takeFindings() -> [ResponseSearch.Finding] {
    defer { found = [] }
    return found
  }
}
