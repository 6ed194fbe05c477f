/// The sealing keys of a process: the first one seals, and each of them opens what it has sealed.
///
/// The others are former keys, whose secrets have not all been sealed again, or the next key, which other processes
/// may already seal with.
///
/// Docs/decisions/access.md explains why a ring is a file with several lines.
public struct SealingKeyRing: Sendable, Redacted {
    public static let maximumKeys = 8

    /// The key that seals.
    public let current: SealingKey
    /// The keys that only open.
    public let others: [SealingKey]

    /// Parses a setting: one key per line, or several separated by spaces. A "#" begins a comment. Quotes, line ends
    /// that are written as `\n`, and invisible characters are repaired. The error never contains the text.
    public init(text: String) throws(SealingKeyError) {
        let words = Self.repaired(text).split(whereSeparator: \.isNewline)
            .flatMap { $0.prefix { $0 != "#" }.split { $0.isWhitespace || $0 == "," } }
        guard words.count <= Self.maximumKeys else { throw .tooManyKeys }
        var keys: [SealingKey] = []
        for (index, word) in words.enumerated() {
            do {
                let key = try SealingKey(text: word)
                if !keys.contains(where: { $0.id == key.id }) { keys.append(key) }
            } catch {
                throw .notAKey(number: index + 1)
            }
        }
        guard let first = keys.first else { throw .notAKey(number: 1) }
        current = first
        others = Array(keys.dropFirst())
    }

    private static func repaired(_ text: String) -> String {
        let lines = text.replacing("\\r", with: "\n").replacing("\\n", with: "\n")
        return String(
            String.UnicodeScalarView(
                lines.unicodeScalars.filter {
                    !["\"", "'", "\u{60}"].contains($0) && $0.properties.generalCategory != .format
                        && $0.properties.generalCategory != .initialPunctuation
                        && $0.properties.generalCategory != .finalPunctuation
                }))
    }

    public var all: [SealingKey] { [current] + others }

    /// Seals a secret. The sealed bytes open only with the same context.
    public func seal(_ secret: [UInt8], at context: SealingContext) throws(CryptoError) -> [UInt8] {
        try current.seal(secret, at: context)
    }

    /// Opens sealed bytes. Throws `authenticationFailed` if they were changed or sealed with another context, and
    /// `sealingKeyMissing` if they name a key that is not in the ring.
    public func open(_ sealed: [UInt8], at context: SealingContext) throws(CryptoError) -> [UInt8] {
        guard let id = SealingKeyID(in: sealed) else { return try openWithoutHeader(sealed, at: context) }
        if let key = all.first(where: { $0.id == id }) { return try key.open(sealed, at: context) }
        do throws(CryptoError) {
            return try openWithoutHeader(sealed, at: context)
        } catch {
            throw error == .authenticationFailed ? .sealingKeyMissing(id) : error
        }
    }

    private func openWithoutHeader(_ sealed: [UInt8], at context: SealingContext) throws(CryptoError) -> [UInt8] {
        for key in all {
            do throws(CryptoError) {
                return try key.openWithoutHeader(sealed, at: context)
            } catch {
                guard error == .authenticationFailed else { throw error }
            }
        }
        throw .authenticationFailed
    }
}

/// The reason why sealing keys can't be used. Descriptions are for the operator.
public enum SealingKeyError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    case notAKey(number: Int)
    case tooManyKeys
    /// The path, and the reason as a clause.
    case unusableFile(String, String)
    /// The keys do not open the secrets of this database. The missing key has no ID if its secrets have none.
    case wrongKey(missing: SealingKeyID?, present: [SealingKeyID])

    public var description: String {
        switch self {
        case .notAKey(let number):
            "\(number == 1 ? "The sealing key" : "Sealing key \(number)") must be 64 hexadecimal digits or 32 bytes in "
                + "base64. Create one with \"openssl rand -hex 32\"."
        case .tooManyKeys:
            "At most \(SealingKeyRing.maximumKeys) sealing keys can be given. Remove former keys; "
                + "\"belfry sealing-key list\" shows which are no longer needed."
        case .unusableFile(let path, let reason): "The sealing key file \(path) can't be used: \(reason)."
        case .wrongKey(let missing, let present):
            "This database's secrets were sealed with \(missing.map { "the sealing key \($0)" } ?? "a different sealing key"); "
                + "this process has \(present.map(\.description).joined(separator: ", ")). Start Belfry with that key, "
                + "or add it as a further line if the key was changed. Without it, the .p8 files must be uploaded "
                + "again to a new database."
        }
    }
}
