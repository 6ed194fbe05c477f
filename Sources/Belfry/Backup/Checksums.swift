import Crypto
import EventLoop
import Glibc

/// The list of a backup's files with their SHA-256, in the format of the program `sha256sum`.
struct Checksums: Equatable {
    static let file = "SHA256SUMS"

    /// By path, relative to the backup's directory.
    private(set) var digests: [String: String] = [:]

    subscript(path: String) -> String? {
        get { digests[path] }
        set { digests[path] = newValue }
    }

    var text: String { digests.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }.joined() }

    init() {}

    init(reading text: String) throws(CommandFailure) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: true).enumerated() {
            let (digest, path) = (line.prefix(64), line.dropFirst(64))
            guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit), path.hasPrefix("  "),
                Self.isInside(path.dropFirst(2))
            else { throw CommandFailure("\(Self.file) is damaged in line \(index + 1)") }
            digests[String(path.dropFirst(2))] = String(digest)
        }
    }

    /// Whether a path does not lead out of the directory.
    private static func isInside(_ path: Substring) -> Bool {
        !path.isEmpty
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !["", ".", ".."].contains(part)
            }
    }

    // MARK: Files

    private static let pieceLength = 1 << 20

    /// Reads a file to its end, and writes it to `copy` if that is given. Returns the digest in hexadecimal.
    static func digest(of path: String, copyingTo copy: Int32? = nil) throws(SystemError) -> String {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .current("open \(path)") }
        defer { close(descriptor) }
        var hash = SHA256()
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceLength, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = Glibc.read(descriptor, piece.baseAddress, pieceLength)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw .current("read \(path)")
            }
            guard count > 0 else { return Hex.encode(hash.digest()) }
            let bytes = UnsafeRawBufferPointer(rebasing: piece[..<count])
            hash.update(bytes)
            if let copy { try write(bytes, to: copy) }
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
        var start = 0
        while start < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .current("write")
            }
            start += count
        }
    }
}
