/// Looks on one connection for what the program shows in answer to inputs.
struct InjectionWatch {
  private let input: InjectedInput
  private var pictures = SurfacePictures()
  private var search: ResponseSearch
  /// What was found since it was taken last.
  private var found: [ResponseSearch.Finding] = []

  /// - Parameter answerTime: For how long a change may be the answer to an input, in ns.
  init(_ input: InjectedInput, answerTime: Int64) {
    self.input = input
    search = ResponseSearch(answerTime: answerTime)
  }

  /// Takes files that the program sends, before the messages that they are for.
  mutating func take(files: [Int32]) { pictures.take(files: files) }

  /// Takes a message that passes.
  mutating func take(
    _ side: WaylandTap.Side, _ interface: WaylandProtocol.Interface, _ name: String,
    _ arguments: [WaylandArgument], of object: UInt32, at time: Int64
  ) {
    switch side {
    case .request:
      pictures.take(interface, name, arguments, of: object, at: time)
      if interface == .surface, name == "destroy" { search.forget(object) }
    case .event:
      if input.begins(interface, name, arguments) { search.note(deliveryAt: time) }
    }
  }

  /// An object is gone, and its number is free.
  mutating func forget(_ number: UInt32) { pictures.forget(number) }

  /// Looks at what was committed, once it was passed on.
  mutating func look() {
    for look in pictures.takeLooks() {
      let finding = search.take(look.picture?.tiles(), of: look.surface, at: look.time)
      if let finding { found.append(finding) }
    }
  }

  /// Takes what is done to the compositor.
  mutating func take(_ step: InjectionPlan.Step, at time: Int64) {
    switch step {
    case .press(let number): search.begin(number, isBlank: false, at: time)
    case .blank(let number): search.begin(number, isBlank: true, at: time)
    case .release: search.note(endAt: time)
    case .end: if let finding = search.end() { found.append(finding) }
    }
  }

  mutating func takeFindings() -> [ResponseSearch.Finding] {
    defer { found = [] }
    return found
  }
}
