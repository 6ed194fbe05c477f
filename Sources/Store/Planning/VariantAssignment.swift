import Experiments
import Postgres

/// Draws the variant of each recipient of a run: a person with several devices gets the same on all of them.
///
/// `UnitPoint` and `VariantMap` are the same in Swift. Docs/decisions/experiments.md explains the method.
public struct VariantAssignment: Sendable {
    private let salt: Int64
    /// The variant of each bucket.
    private let map: [UInt8]

    init(salt: Int64, map: [UInt8]) {
        self.salt = salt
        self.map = map
    }

    /// The variant of a device `d`.
    var expression: PostgresQuery {
        """
        get_byte(\(map), (\(Self.point(salt: salt)) % \(Int64(VariantMap.bucketCount)))::integer)::smallint
        """
    }

    /// The point of the person who has a device `d`, or of its installation.
    static func point(salt: Int64) -> PostgresQuery {
        """
        (hashtextextended(coalesce('u' || d.user_id, 'i' || d.installation) COLLATE "C", \(salt)) & 9223372036854775807)
        """
    }
}
