/// Writes the rows of a `copyIn`. Valid only inside its body.
public final class CopyWriter {
    /// Bytes that are buffered before they are passed to the connection.
    static let chunkSize = 65_536

    private let connection: PostgresConnection
    private var buffer: [UInt8] = []
    private var isBinary = false

    init(connection: PostgresConnection) {
        self.connection = connection
    }

    /// Writes a row of `COPY … FROM STDIN (FORMAT binary)`. Waits while the server is slower.
    public func row(_ body: (inout CopyRowWriter) throws -> Void) async throws {
        if !isBinary {
            isBinary = true
            buffer += CopyHeader.bytes
        }
        let start = buffer.count
        var writer = CopyRowWriter(appendingTo: take())
        do {
            try body(&writer)
        } catch {
            buffer = writer.finish()
            buffer.removeSubrange(start...)
            throw error
        }
        buffer = writer.finish()
        if buffer.count >= Self.chunkSize { try await flush() }
    }

    /// Writes bytes of `COPY … FROM STDIN` in another format, such as CSV. They may end inside a row.
    public func bytes(_ bytes: [UInt8]) async throws(PostgresError) {
        buffer += bytes
        if buffer.count >= Self.chunkSize { try await flush() }
    }

    func finish() async throws(PostgresError) {
        if isBinary { buffer += CopyHeader.trailer }
        try await flush()
    }

    private func flush() async throws(PostgresError) {
        guard !buffer.isEmpty else { return }
        buffer = try await connection.putCopyData(take())
        buffer.removeAll(keepingCapacity: true)
    }

    /// Moves the buffer out, so that it is never shared and never copied.
    private func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &buffer)
        return taken
    }
}
