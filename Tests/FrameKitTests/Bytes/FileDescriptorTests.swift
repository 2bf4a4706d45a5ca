import Testing

@testable import FrameKit

@Suite struct FileDescriptorTests {
  @Test func anEmptyVariableNamesNoFolder() {
    #expect(FileDescriptor.temporaryFolder("/var/tmp") == "/var/tmp")
    #expect(FileDescriptor.temporaryFolder("") == FileDescriptor.temporaryFolder(nil))
    #expect(!FileDescriptor.temporaryFolder(nil).isEmpty)
  }
}
