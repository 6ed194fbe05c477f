import Campaigns
import Postgres

extension MediaStore {
    /// Bytes that are read from the database at once.
    public static let sliceSize = 128 * 1024

    /// Nil for a capability that opens nothing here, or nothing any more.
    public func find(_ capability: MediaCapability) async throws -> MediaRecord? {
        let rows = try await pool.query(
            "SELECT \(MediaRecord.columns) FROM media WHERE capability = \(capability.bytes)")
        return try rows.first.map { try MediaRecord($0) }
    }

    /// Hands a part of what the database holds to `body`, slice by slice. Between slices no connection is held.
    public func read(
        _ media: MediaRecord, _ range: Range<Int>, _ body: ([UInt8]) async throws -> Void
    ) async throws {
        var place = range.lowerBound
        while place < range.upperBound {
            let offset = place % Self.pieceSize
            let wanted = min(Self.sliceSize, Self.pieceSize - offset, range.upperBound - place)
            let rows = try await pool.query(
                """
                SELECT substring(bytes FROM \(offset + 1)::integer FOR \(wanted)::integer) FROM media_pieces
                WHERE app_id = \(media.app) AND media_id = \(media.id) AND place = \(place / Self.pieceSize)
                """)
            // It may be deleted while it is read.
            guard let bytes: [UInt8] = try rows.first?[0], bytes.count == wanted else {
                throw Refusal.notFound(.media)
            }
            try await body(bytes)
            place += wanted
        }
    }
}
