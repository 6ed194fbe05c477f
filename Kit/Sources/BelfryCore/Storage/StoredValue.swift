import Foundation

/// Why a file that is there has no value.
enum UnreadableFile: Error {
    /// It can't be read now: before the first unlock iOS locks it. That is not the same as absent.
    case locked
    /// It is not what this version of the kit can read.
    case damaged
}

/// A value in a file of its own. It is written beside its place and renamed, so a process that ends at any point leaves
/// the old value or the new one.
struct StoredValue<Value: Codable & Sendable>: Sendable {
    /// Bytes of a file that are read; a longer one is not the kit's.
    private static var maximumSize: Int { 4 * 1024 * 1024 }

    private let file: URL
    private let isProtected: Bool

    /// A file that is not protected is readable before the first unlock, too. It must hold nothing about a person.
    init(_ name: String, in folder: URL, isProtected: Bool = true) {
        file = folder.appendingPathComponent("\(name).json")
        self.isProtected = isProtected
    }

    /// Reads the file, on the caller's thread. Nil if there is none.
    func read() throws(UnreadableFile) -> Value? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let bytes = try? Data(contentsOf: file) else { throw .locked }
        guard bytes.count <= Self.maximumSize, let value = try? JSONDecoder().decode(Value.self, from: bytes) else {
            throw .damaged
        }
        return value
    }

    /// Nil also if the file is locked or damaged: it is asked for again.
    func value() -> Value? { (try? read()) ?? nil }

    /// Replaces the file as a whole: a crash leaves the old or the new value.
    func write(_ value: Value) throws {
        let bytes = try JSONEncoder().encode(value)
        do {
            try bytes.write(to: file, options: options)
        } catch CocoaError.fileNoSuchFile {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: file, options: options)
        }
    }

    #if os(iOS)
        private var options: Data.WritingOptions {
            [.atomic, isProtected ? .completeFileProtectionUntilFirstUserAuthentication : .noFileProtection]
        }
    #else
        private var options: Data.WritingOptions { .atomic }
    #endif
}
