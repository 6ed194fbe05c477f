import Campaigns
import Postgres

extension MediaStore {
    /// Bytes read from the database by one query.
    public static let sliceSize = 128 * 1024

    /// Nil if no file has this capability, or the file was deleted.
    public func find(_ capability: MediaCapability) async throws -> MediaRecord? {
        let rows = try await pool.query(
            "SELECT \(MediaRecord.columns) FROM media WHERE capability = \(capability.bytes)")
        return try rows.first.map { try MediaRecord($0) }
    }

    /// Passes a range of the stored content to `body`, slice by slice. No connection is held between slices.
    public func read(
        _ media: MediaRecord, _ range: Range<Int>, _ body: ([UInt8]) async throws -> Void
    ) async throws {
        var position = range.lowerBound
        while position < range.upperBound {
            let offset = position % Self.pieceSize
            let wanted = min(Self.sliceSize, Self.pieceSize - offset, range.upperBound - position)
            let rows = try await pool.query(
                """
                SELECT substring(bytes FROM \(offset + 1)::integer FOR \(wanted)::integer) FROM media_pieces
                WHERE app_id = \(media.app) AND media_id = \(media.id) AND index = \(position / Self.pieceSize)
                """)
            // It may be deleted while it is read.
            guard let bytes: [UInt8] = try rows.first?[0], bytes.count == wanted else {
                throw Refusal.notFound(.media)
            }
            try await body(bytes)
            position += wanted
        }
    }
}
