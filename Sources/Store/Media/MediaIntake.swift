import Crypto
public import JSON
public import Notifications

/// Why a file is not taken.
public enum MediaRefusal: Error, Equatable, Sendable {
    /// iOS does not show what it is; the words follow on "The file".
    case unsupported(InvalidValue)
    case tooLarge(MediaType)
}

/// A file that is looked at as it comes: what it is, whether it is too long for that, its hash.
struct MediaIntake {
    /// In bytes, as the sender says; nil when he does not.
    private let declaredSize: Int?
    private var type: MediaType?
    private var size = 0
    private var prefix: [UInt8] = []
    private var hash = SHA256()

    init(declaredSize: Int?) {
        self.declaredSize = declaredSize
    }

    struct Finding: Equatable {
        let type: MediaType
        let size: Int
        let hash: [UInt8]
    }

    /// The next piece, which may be cut anywhere.
    mutating func take(_ bytes: [UInt8]) throws(MediaRefusal) {
        size += bytes.count
        hash.update(bytes)
        if type == nil {
            prefix += bytes.prefix(MediaType.prefixSize - prefix.count)
            if prefix.count == MediaType.prefixSize { type = try detected() }
        }
        guard let type, max(size, declaredSize ?? 0) > type.maximumSize else { return }
        throw .tooLarge(type)
    }

    /// After the last piece.
    func finish() throws(MediaRefusal) -> Finding {
        let type = if let type { type } else { try detected() }
        return Finding(type: type, size: size, hash: hash.digest())
    }

    private func detected() throws(MediaRefusal) -> MediaType {
        do throws(InvalidValue) {
            return try MediaType.detect(prefix)
        } catch {
            throw .unsupported(error)
        }
    }
}
