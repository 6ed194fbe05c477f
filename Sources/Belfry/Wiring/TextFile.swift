import Crypto
import EventLoop
import Foundation

/// Small text files: keys, certificates, payloads.
public enum TextFile {
    public static func read(_ path: String) throws -> String {
        guard let text = FileText.decode(try bytes(path)) else {
            throw CommandFailure("can't read the file \(path): it is not text")
        }
        return text
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        do {
            return try Array(Data(contentsOf: URL(filePath: path)))
        } catch {
            throw unreadable(path, error)
        }
    }

    /// The content of a file that only its owner may read, without the white space around it. `name` says what it is.
    static func secret(_ path: String, _ name: String) throws -> String {
        try FilePermissions(path).check(name, isSecret: true)
        let text = try read(path).trimmed
        guard !text.isEmpty else { throw CommandFailure("The \(name) \(path) is empty.") }
        return text
    }

    /// Foundation has only a number for some reasons.
    static func unreadable(_ path: String, _ error: any Error) -> CommandFailure {
        var status = stat()
        let reason =
            if stat(path, &status) != 0 || access(path, R_OK) != 0 {
                SystemError.lastReason
            } else if status.st_mode & S_IFMT == S_IFDIR {
                "it is a directory"
            } else {
                error.localizedDescription
            }
        return CommandFailure("can't read the file \(path): \(reason)")
    }

    /// The certificates of a file, as clean PEM.
    static func certificates(_ path: String) throws -> String {
        do {
            return try PEMFile.certificates(bytes(path))
        } catch CryptoError.notACertificate(let reason) {
            throw CommandFailure("The certificate file \(path) can't be used: \(reason).")
        }
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    public static func write(_ text: String, to path: String, isSecret: Bool = false) throws {
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: isSecret ? 0o600 : 0o644])
        else { throw CommandFailure("can't write the file \(path)") }
    }
}

extension String {
    var trimmed: String { String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()) }
}

/// Why a command failed, as a message for its user.
public struct CommandFailure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
