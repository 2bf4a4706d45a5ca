import Foundation
import Testing

@testable import FrameTrace

@Suite struct FileDescriptorTests {
  @Test func anEmptyVariableNamesNoFolder() {
    #expect(FileDescriptor.temporaryFolder("/var/tmp") == "/var/tmp")
    #expect(FileDescriptor.temporaryFolder("") == FileDescriptor.temporaryFolder(nil))
    #expect(!FileDescriptor.temporaryFolder(nil).isEmpty)
  }

  @Test(arguments: [(0o700, true), (0o755, true), (0o775, false), (0o777, false), (0o1777, true)])
  func aFolderThatOthersRenameInIsNoPositionForAPrivateOne(_ mode: Int, _ isTrusted: Bool) throws {
    let folder = try FileFolder.makePrivate()
    defer { FileFolder.removeAll(folder) }
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
    #expect(FileFolder.isTrustworthy(folder) == isTrusted)
    guard isTrusted else {
      #expect(throws: ParseError.self) { try FileFolder.makePrivate(in: folder) }
      return
    }
    let made = try FileFolder.makePrivate(in: folder)
    let found = try FileManager.default.attributesOfItem(atPath: made)[.posixPermissions]
    #expect(found as? Int == 0o700)
    #expect(try FileFolder.makePrivate(in: folder) != made)
  }

  @Test func whatIsNoFolderIsNotTrusted() {
    #expect(!FileFolder.isTrustworthy("/dev/null"))
    #expect(!FileFolder.isTrustworthy("/nonexistent/folder"))
  }
}
