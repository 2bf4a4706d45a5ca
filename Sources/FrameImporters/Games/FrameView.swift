/// CSV files of FrameView, NVIDIA's capture tool: PresentMon's columns among a hundred of its own.
///
/// Documentation: NVIDIA, "FrameView". Files of 2024 and 2025 were seen, of which these are columns:
///
///     Application,GPU,CPU,…,TimeInSeconds,MsBetweenPresents,…,Render Queue Depth,MsPCLatency,GPU0Clk(MHz)
///
/// The time is since FrameView was started, not the capture; `MsPCLatency` is NA where the game has no
/// markers of latency.
struct FrameView: PresentMonImporter {
  let tool = PresentMonHeader.Tool.frameView
  let name = "frameview"
  let title = "FrameView CSV"
  let versions = "1.3 to 1.6"
  let documentation = "https://www.nvidia.com/en-us/geforce/technologies/frameview/"
}
