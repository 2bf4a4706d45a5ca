/// CSV files of OCAT, AMD's capture tool: the columns of PresentMon 1.x, and a description of the
/// machine in the first row only.
///
/// Documentation: github.com/GPUOpen-Tools/ocat. Files of 1.3 and 1.4 were examined. Example:
///
///     Application,…,MsUntilDisplayed,Motherboard,OS,…
///     game.exe,…,13.518,"MPG Z390",Windows 10 Pro,…
///     game.exe,…,20.021
///
/// Both rows are frames from a machine with that board.
struct OCAT: PresentMonImporter {
  let tool = PresentMonHeader.Tool.ocat
  let name = "ocat"
  let title = "OCAT CSV"
  let versions = "1.x"
  let documentation = "https://github.com/GPUOpen-Tools/ocat"
}
