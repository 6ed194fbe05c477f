import Crypto
import Foundation

/// Small text files: keys, certificates, payloads.
enum TextFile {
    static func read(_ path: String) throws -> String {
        guard let text = FileText.decode(try bytes(path)) else {
            throw CommandFailure("can't read the file \(path): it is not text")
        }
        return text
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        do {
            return try Array(Data(contentsOf: URL(filePath: path)))
        } catch {
            throw CommandFailure("can't read the file \(path): \(error.localizedDescription)")
        }
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

    static func write(_ text: String, to path: String, isSecret: Bool = false) throws {
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
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
