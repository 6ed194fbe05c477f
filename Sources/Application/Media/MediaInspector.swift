import Campaigns
import Crypto
import JSON
import Notifications

/// Examines a file while it is being uploaded: its type, whether it is too large for that type or for a phone, and its
/// hash.
struct MediaInspector {
    /// In bytes, as the client announced it; nil when it did not.
    private let declaredSize: Int?
    private var type: MediaType?
    private var size = 0
    private var prefix: [UInt8] = []
    private var hash = SHA256()
    private var scan = MediaScan()

    init(declaredSize: Int?) {
        self.declaredSize = declaredSize
    }

    struct Finding: Equatable {
        let type: MediaType
        let size: Int
        let hash: [UInt8]
    }

    /// The next piece, which may be cut anywhere.
    mutating func take(_ bytes: [UInt8]) throws(Refusal) {
        size += bytes.count
        hash.update(bytes)
        if type == nil {
            prefix += bytes.prefix(MediaType.prefixSize - prefix.count)
            if prefix.count == MediaType.prefixSize { type = try detected() }
        }
        scan.take(bytes)
        guard let type, max(size, declaredSize ?? 0) > type.maximumSize else { return }
        throw .mediaTooLarge(type)
    }

    /// After the last piece.
    func finish() throws(Refusal) -> Finding {
        let type = if let type { type } else { try detected() }
        do throws(InvalidValue) { try scan.check(type) } catch { throw .unsupportedMedia(error) }
        return Finding(type: type, size: size, hash: hash.digest())
    }

    private func detected() throws(Refusal) -> MediaType {
        do throws(InvalidValue) {
            return try MediaType.detect(prefix)
        } catch {
            throw .unsupportedMedia(error)
        }
    }
}
