import HTTPServer
import HTTPTypes

/// The bytes of a file that may be compressed with gzip, which its first bytes tell. They are decompressed in pieces,
/// and a file that expands beyond all measure is refused.
struct UnpackedFile: AsyncSequence {
    /// Of a file that is decompressed, in bytes.
    static let maximumSize = DeviceRoutes.maximumFileSize
    /// A table with a token or a name in each line compresses to a fifth, and one of mostly empty fields to a fiftieth.
    static let maximumRatio = 200
    /// Up to this many bytes, any ratio is taken.
    static let unmeasuredSize = 16 << 20

    private static let mark: [UInt8] = [0x1F, 0x8B]

    let body: RequestBody

    func makeAsyncIterator() -> Iterator { Iterator(source: body.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        private var source: RequestBody.Iterator
        private var hasBegun = false
        private var gunzip: Gunzip?
        /// In bytes.
        private var received = 0
        private var unpacked = 0

        var isCompressed: Bool { gunzip != nil }

        /// The bytes of the file, as it was sent, that the pieces so far are of.
        var read: Int { received - (gunzip?.unreadCount ?? 0) }

        fileprivate init(source: RequestBody.Iterator) {
            self.source = source
        }

        mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

        mutating func next(isolation: isolated (any Actor)?) async throws -> [UInt8]? {
            if !hasBegun, let first = try await readHead(isolation) { return first }
            guard let gunzip else { return try await receive(isolation) }
            while true {
                if gunzip.needsInput {
                    guard let bytes = try await receive(isolation) else {
                        guard gunzip.isComplete else { throw APIError.damagedFile }
                        return nil
                    }
                    gunzip.feed(bytes)
                }
                guard let piece = gunzip.next() else { throw APIError.damagedFile }
                unpacked += piece.count
                guard unpacked <= UnpackedFile.maximumSize,
                    unpacked <= UnpackedFile.unmeasuredSize || unpacked / UnpackedFile.maximumRatio <= received
                else {
                    throw APIError.fileTooLarge(
                        gigabytes: UnpackedFile.maximumSize >> 30, ratio: UnpackedFile.maximumRatio)
                }
                if !piece.isEmpty { return piece }
            }
        }

        /// Nil for a compressed file, and at the end.
        private mutating func readHead(_ isolation: isolated (any Actor)?) async throws -> [UInt8]? {
            var start: [UInt8] = []
            while start.count < UnpackedFile.mark.count, let piece = try await receive(isolation) { start += piece }
            hasBegun = true
            guard start.starts(with: UnpackedFile.mark) else { return start.isEmpty ? nil : start }
            guard let gunzip = Gunzip() else { throw HTTPError.internalError }
            gunzip.feed(start)
            self.gunzip = gunzip
            return nil
        }

        private mutating func receive(_ isolation: isolated (any Actor)?) async throws -> [UInt8]? {
            let piece = try await source.next(isolation: isolation)
            received += piece?.count ?? 0
            return piece
        }
    }
}

/// The beginning of a file, decompressed.
struct UnpackedStart {
    let bytes: [UInt8]
    let isWhole: Bool
    let isCompressed: Bool
    /// The bytes of the file, as it was sent, that these are of.
    let read: Int

    /// Reads at most `limit` bytes. `isPart` says that the body is not the whole file; the compressed data may then end
    /// anywhere.
    init(of body: RequestBody, limit: Int, isPart: Bool) async throws {
        var source = UnpackedFile(body: body).makeAsyncIterator()
        var bytes: [UInt8] = []
        var isCut = isPart
        do {
            while let piece = try await source.next() {
                bytes += piece
                guard bytes.count > limit else { continue }
                bytes.removeLast(bytes.count - limit)
                isCut = true
                break
            }
        } catch let error as APIError where isPart && error.code == APIError.damagedFile.code && !bytes.isEmpty {}
        (self.bytes, isWhole, isCompressed, read) = (bytes, !isCut, source.isCompressed, source.read)
    }
}
