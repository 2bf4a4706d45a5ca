/// The scenarios there are.
package enum Scenarios {
  package static let all: [Scenario] = [
    .steady60,
    .steady120,
    .droppedFrames,
    .uncappedGame,
    .variableRefresh,
  ]
}
