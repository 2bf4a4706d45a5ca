#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file of the operating system, closed when the value is destroyed.
///
/// Only this type calls the system's file functions; everything else in FrameKit reads through it.
package struct FileDescriptor: ~Copyable {
  private let number: Int32
  private let closes: Bool

  /// Opens a file for reading.
  /// - Parameter name: The name to use in an error.
  /// - Throws: `ParseError` of kind `inputOutput` with the system's reason.
  package init(reading path: String, for name: String) throws(ParseError) {
    number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    closes = true
    guard number >= 0 else {
      let isForbidden = errno == EACCES
      throw ParseError(
        .inputOutput, path: name, problem: "cannot open: \(lastSystemError())",
        help: isForbidden ? Self.permissionHelp : "check the path; '-' reads standard input")
    }
  }

  fileprivate static let permissionHelp =
    "check its permissions and those of its parent folders"

  /// What happens to a file that is opened for writing.
  enum Writing {
    /// The file is created; nothing of that name may exist, not even a link.
    case new
    /// The file is created, or emptied if it exists.
    case emptied
    /// The file is created if it does not exist, and otherwise keeps its content.
    case kept
  }

  /// Opens a file for writing.
  /// - Parameter name: The name to use in an error.
  init(
    writing path: String, for name: String, _ writing: Writing = .emptied
  ) throws(ParseError) {
    let way =
      switch writing {
      case .new: O_CREAT | O_EXCL | O_NOFOLLOW
      case .emptied: O_CREAT | O_TRUNC
      case .kept: O_CREAT | O_NOFOLLOW
      }
    number = unsafe open(path, O_WRONLY | O_CLOEXEC | way, 0o666)
    closes = true
    guard number >= 0 else {
      throw ParseError(.inputOutput, path: name, problem: "cannot write: \(lastSystemError())")
    }
  }

  /// Whether a file of that name can be replaced by renaming: it is a regular file or does not
  /// exist. A link, such as `/dev/stderr`, is neither; it is written through.
  static func isReplaceable(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// A unique path in the same folder. It is short, because the file's own name may already have
  /// the maximum length.
  static func unfinishedPath(besides path: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let number = UInt32.random(in: .min ... .max)
    return "\(folder).frametool-\(String(number, radix: 16))"
  }

  /// Whether two paths name the same file.
  package static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard unsafe stat(one, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Whether a file of that name exists.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0
  }

  /// Whether a path names a regular file: opening anything else, such as a named pipe, may wait for another program.
  package static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// When a file's content was last changed, in nanoseconds; `nil` if the file does not exist.
  package static func changeTime(of path: String) -> Int64? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// When a file was last changed in any way, in nanoseconds; no program can set this time. `nil` if the file does not
  /// exist.
  package static func stateTime(of path: String) -> Int64? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_ctimespec
    #else
      let time = status.st_ctim
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The size in bytes of a regular file by its path; `nil` for anything else.
  package static func size(of path: String) -> Int64? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  /// Whether a file may be written.
  package static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  static func rename(_ old: String, to new: String) throws(ParseError) {
    guard unsafe systemRename(old, new) == 0 else {
      throw ParseError(.inputOutput, path: new, problem: "cannot write: \(lastSystemError())")
    }
  }

  /// Borrows a descriptor that is already open and stays open, such as standard input.
  init(borrowing number: Int32) {
    self.number = number
    self.closes = false
  }

  /// Creates an unnamed file that disappears when it is closed, in the folder in TMPDIR or else the
  /// system's default for temporary files.
  init(temporaryFor path: String) throws(ParseError) {
    var name = ""
    try self.init(temporaryFor: path, under: &name)
    Self.remove(name)
  }

  /// Creates a file in the same folder that others can open by name; the caller must remove it.
  package init(temporaryFor path: String, under name: inout String) throws(ParseError) {
    let folder = Self.temporaryFolder
    (number, name) = unsafe Self.withUniqueName(in: folder) { template in unsafe mkstemp(template) }
    closes = true
    guard number >= 0 else {
      throw ParseError(
        .inputOutput, path: path,
        problem: "cannot make a temporary file in \(folder): \(lastSystemError())",
        help: "set TMPDIR to a folder with free space, or pass the file by its path")
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  /// Runs a system call that creates something in a folder under a name that the call chooses.
  /// - Returns: The call's result, and the path that it chose.
  fileprivate static func withUniqueName<Made>(
    in folder: String, _ make: (UnsafeMutablePointer<CChar>) -> Made
  ) -> (made: Made, path: String) {
    var template = Array(FileFolder.pattern(in: folder).utf8CString)
    let made = unsafe make(&template)
    return (
      made, String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    )
  }

  /// The folder for temporary files.
  fileprivate static var temporaryFolder: String {
    temporaryFolder(unsafe getenv("TMPDIR").map { unsafe String(cString: $0) })
  }

  /// The folder for temporary files: the one that a variable names, or else the default.
  static func temporaryFolder(_ variable: String?) -> String {
    variable.flatMap { $0.isEmpty ? nil : $0 } ?? P_tmpdir
  }

  deinit {
    if closes { _ = close(number) }
  }

  /// The size in bytes of a regular file; `nil` for a pipe or a terminal.
  var size: Int? {
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Whether it is a folder: a folder opens without an error, but cannot be read.
  var isDirectory: Bool {
    var status = stat()
    return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// A path at which this open file can be opened again, even if it has no name.
  var reopenablePath: String { "/dev/fd/\(number)" }

  /// Moves the reading position to a byte counted from the start.
  package func seek(to offset: Int) { _ = lseek(number, off_t(offset), SEEK_SET) }

  /// Locks a file for this process alone, until it is closed.
  /// - Returns: `false` if another process has locked it, or has put another file at its path.
  func lock(_ path: String) -> Bool {
    var (own, named) = (stat(), stat())
    // Some file systems do not support locks.
    guard flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return false }
    guard unsafe fstat(number, &own) == 0, unsafe stat(path, &named) == 0 else { return false }
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  /// Truncates a file to `count` bytes; has no effect on anything else.
  func cut(to count: Int) { _ = ftruncate(number, off_t(count)) }

  /// Reads the bytes in a range; fewer if the file ends within the range.
  package func read(_ range: Range<Int>, path: String) throws(ParseError) -> [UInt8] {
    seek(to: range.lowerBound)
    var bytes = [UInt8](repeating: 0, count: range.count)
    var count = 0
    while count < bytes.count {
      let found = try read(into: &bytes, at: count..<bytes.count, path: path)
      if found == 0 { break }
      count += found
    }
    return Array(bytes.prefix(count))
  }

  /// Reads up to `position.count` bytes into `bytes[position]`.
  /// - Returns: How many bytes were read; 0 at the end of the file.
  package func read(
    into bytes: inout [UInt8], at position: Range<Int>, path: String
  ) throws(ParseError) -> Int {
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { bytes in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[position])
        return unsafe systemRead(number, part.baseAddress, part.count)
      }
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw ParseError(.inputOutput, path: path, problem: "cannot read: \(lastSystemError())")
      }
    }
  }

  /// Writes all of `bytes`.
  /// - Returns: `false` if the file is a pipe without a reader.
  @discardableResult
  func write(_ bytes: Span<UInt8>, path: String) throws(ParseError) -> Bool {
    var done = 0
    while done < bytes.count {
      let rest = bytes.extracting(done...)
      let count = unsafe rest.withUnsafeBytes {
        unsafe systemWrite(number, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        done += count
      } else if errno == EPIPE {
        return false
      } else if errno != EINTR {
        throw ParseError(.inputOutput, path: path, problem: "cannot write: \(lastSystemError())")
      }
    }
    return true
  }
}

/// `read(2)`, under a name that a method called `read` does not hide.
@unsafe private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int)
  -> Int
{
  #if canImport(Darwin)
    unsafe Darwin.read(file, buffer, count)
  #elseif canImport(Glibc)
    unsafe Glibc.read(file, buffer, count)
  #else
    unsafe Musl.read(file, buffer, count)
  #endif
}

/// `write(2)`, under a name that a method called `write` does not hide.
@unsafe private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
    unsafe Darwin.write(file, buffer, count)
  #elseif canImport(Glibc)
    unsafe Glibc.write(file, buffer, count)
  #else
    unsafe Musl.write(file, buffer, count)
  #endif
}

/// `rename(2)`, under a name that a method called `rename` does not hide.
@unsafe private func systemRename(_ old: String, _ new: String) -> Int32 {
  #if canImport(Darwin)
    unsafe Darwin.rename(old, new)
  #elseif canImport(Glibc)
    unsafe Glibc.rename(old, new)
  #else
    unsafe Musl.rename(old, new)
  #endif
}

/// The system's message for the error of the call that just failed.
func lastSystemError() -> String { systemError(errno) }

/// The system's message for an error number.
public func systemError(_ number: Int32) -> String {
  unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}

/// Folders of the file system.
package enum FileFolder {
  /// The paths of the files in a folder, in order and without hidden ones; `nil` if it is not a
  /// folder.
  package static func files(in path: String) throws(ParseError) -> [String]? {
    guard let folder = unsafe opendir(path) else {
      if errno == ENOTDIR || errno == ENOENT { return nil }
      let isForbidden = errno == EACCES
      throw ParseError(
        .inputOutput, path: path, problem: "cannot open: \(lastSystemError())",
        help: isForbidden ? FileDescriptor.permissionHelp : nil)
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted().map { Self.path(of: $0, in: path) }
  }

  /// The path of a file in a folder; the folder's path may end with a slash.
  package static func path(of name: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Removes an empty folder.
  package static func remove(_ path: String) { _ = unsafe rmdir(path) }

  /// Removes a folder with all its contents. Links are removed and never followed, even if another process replaces a
  /// folder with a link during the removal.
  package static func removeAll(_ path: String) { remove(path, in: AT_FDCWD) }

  private static func remove(_ name: String, in parent: Int32) {
    guard unsafe unlinkat(parent, name, 0) != 0 else { return }
    let file = unsafe openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return }
    guard let folder = unsafe fdopendir(file) else {
      _ = close(file)
      return
    }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    for name in names { remove(name, in: file) }
    unsafe closedir(folder)
    _ = unsafe unlinkat(parent, name, AT_REMOVEDIR)
  }

  /// Whether a path is a folder, not a link to one, that only this user can access.
  package static func isPrivate(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
  }

  /// The template of the paths of temporary files and folders; it also stands for a folder that does not exist yet.
  ///
  /// `mkstemp` and `mkdtemp` replace its last six letters with others.
  package static func pattern(in folder: String) -> String { "\(start(in: folder))XXXXXX" }

  /// The prefix of the paths of temporary files and folders.
  package static func start(in folder: String) -> String { path(of: "frametool-", in: folder) }

  /// Creates a folder that only this user can access; all private folders are created here.
  /// - Parameter base: The parent folder; by default, the one for temporary files.
  /// - Returns: Its path, with a name that did not exist before.
  /// - Throws: `ParseError` of kind `inputOutput`, also if other users could replace the folder.
  package static func makePrivate(in base: String? = nil) throws(ParseError) -> String {
    let base = base ?? FileDescriptor.temporaryFolder
    guard isTrustworthy(base) else {
      throw ParseError(
        .inputOutput, path: base,
        problem: "expected a folder where only owners can rename files, found one open to others",
        help: "set its sticky bit (chmod +t), or set TMPDIR or XDG_RUNTIME_DIR to another")
    }
    let (isMade, path) = unsafe FileDescriptor.withUniqueName(in: base) { template in
      unsafe mkdtemp(template) != nil
    }
    guard isMade else {
      throw ParseError(
        .inputOutput, path: base, problem: "cannot make a folder in it: \(lastSystemError())")
    }
    return path
  }

  /// Whether no other user, root aside, can replace what this user makes in a folder: it belongs to this user or to
  /// root, and others cannot write to it unless its sticky bit keeps them from renaming files of other users.
  package static func isTrustworthy(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
    let isOwned = status.st_uid == geteuid() || status.st_uid == 0
    let isOpen = status.st_mode & (S_IWGRP | S_IWOTH) != 0
    return isOwned && (!isOpen || status.st_mode & S_ISVTX != 0)
  }

  /// Whether programs and libraries in a folder can be loaded.
  package static func allowsPrograms(_ path: String) -> Bool {
    #if canImport(Darwin)
      return true
    #else
      var system = statvfs()
      // The bit that Linux uses for mounts without programs; its name is not in every header.
      let forbids: UInt = 8
      return unsafe statvfs(path, &system) == 0 && UInt(system.f_flag) & forbids == 0
    #endif
  }

  /// Creates a folder; it may already exist.
  package static func make(_ path: String) throws(ParseError) {
    guard unsafe mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw ParseError(
      .inputOutput, path: path, problem: "cannot make the folder: \(lastSystemError())")
  }
}
