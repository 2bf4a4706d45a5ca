/// All scenarios.
package enum Scenarios {
  package static let all: [Scenario] = [
    .steady60,
    .steady120,
    .droppedFrames,
    .uncappedGame,
    .variableRefresh,
    .variableRefreshRepeats,
    .unevenPresenter,
    .talkTriple,
    .talkDouble,
    .talkMetal,
    .talkLowLatency,
    .talkAnimation,
    .talkCoalesced,
    .talkPredicted,
    .batchedCommits,
    .appOverrun,
    .appOverrunSustained,
    .compositorOverrun,
    .compositorOverrunSustained,
    .gpuOverrun,
    .gpuOverrunSustained,
    .schedulingFaults,
    .layerAppOverrun,
    .layerCompositorOverrun,
    .layerGPUOverrun,
    .tripleSwitch,
    .coalescedPileUp,
    .cancelledTouches,
    .predictedTouches,
    .metalLayer,
    .metalLayerSynchronized,
    .animationOff,
    .dynamicsAtRest,
    .debugOverlay,
    .blurPasses,
    .maskPasses,
    .snapshotPasses,
    .twoSurfaces,
    .video24,
    .launches,
    .starSearcherBefore,
    .starSearcherAfter,
  ]
}

extension Scenario {
  /// The scenario used as the example in explanations: a game that stutters.
  package static var explained: Scenario { .appOverrun }
}
