public import Campaigns
import JSON
import Notifications
import Postgres

/// A segment as it is stored. Archiving keeps its version. An archived segment cannot be newly used; existing uses are
/// not affected.
public typealias SegmentRecord = Entry<Segment, NamedAudience>

public struct NamedAudience: Named, Hashable, Sendable {
    public let name: String
    public let audience: Audience
}

extension EntryTable<Segment, NamedAudience> {
    static func segments(in pool: PostgresPool) -> Self {
        EntryTable(
            "segments", of: .segment, columns: ["name", "audience"],
            uses: [SegmentReferences.constraint: .segmentInUse], in: pool
        ) { row, _ in
            let audience = try Audience(json: JSON(parsing: row["audience", as: String.self]))
            return NamedAudience(name: try row["name"], audience: audience)
        }
    }
}

extension Audience {
    /// As it is stored.
    var text: String { String(decoding: json.encoded(), as: UTF8.self) }
}
