import EventLoop

/// Writes a streamed body. For backpressure, `write` returns when the kernel has accepted the bytes. It throws if the
/// client has left or reads too slowly.
public struct ResponseWriter: Sendable {
    private let send: @Sendable ([UInt8]) async throws -> Void

    init(_ send: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.send = send
    }

    public func write(_ bytes: [UInt8]) async throws {
        if !bytes.isEmpty { try await send(bytes) }
    }

    public func write(_ text: String) async throws {
        try await write(Array(text.utf8))
    }
}

/// Collects a body up to a limit.
final class Collector: Sendable {
    let bytes = Lock<[UInt8]>([])
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func append(_ more: [UInt8]) throws(HTTPError) {
        try bytes.withLock { bytes throws(HTTPError) in
            guard bytes.count + more.count <= limit else { throw .contentTooLarge(limit: limit) }
            bytes.append(contentsOf: more)
        }
    }
}
