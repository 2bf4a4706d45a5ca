/// The complete interface for programs that use frametool: `import FrameKit` imports all of it.
@_exported public import FrameAnalysis
@_exported public import FrameImporters
@_exported public import FrameReplay
@_exported public import FrameReport
@_exported public import FrameStatistics
@_exported public import FrameTrace
@_exported public import FrameVerdicts
