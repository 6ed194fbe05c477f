import Campaigns
import Postgres

/// Changes to attributes, tags and opt-outs: the values that a statement gets, and the columns of `devices` that follow
/// from them.
enum ProfileColumns {
    /// Separates the elements of a set. No element contains a control character.
    private static let separator: Unicode.Scalar = "\u{1}"

    /// The bits of the column `profile_flags`.
    private enum Flag {
        static let replacesAttributes: Int32 = 1
        static let removesAttributes: Int32 = 2
        static let replacesTags: Int32 = 4
        static let replacesOptOuts: Int32 = 8
        static let statesAttributes: Int32 = 16
    }

    /// For rows that contain changes.
    static func passed<Row>(_ changes: @escaping @Sendable (Row) -> ProfileChanges) -> [PassedColumn<Row>] {
        [
            PassedColumn("profile_flags") { flags(changes($0)) },
            PassedColumn("attributes") { changes($0).attributes.given.map { JSONText($0.text) } },
            PassedColumn("tags") { given(changes($0).tags) },
            PassedColumn("removed_tags") { removed(changes($0).tags) },
            PassedColumn("opt_outs") { given(changes($0).optOuts) },
            PassedColumn("removed_opt_outs") { removed(changes($0).optOuts) },
        ]
    }

    private static func flags(_ changes: ProfileChanges) -> Int32 {
        var flags: Int32 = 0
        if case .replace = changes.attributes { flags |= Flag.replacesAttributes }
        if case .state = changes.attributes { flags |= Flag.replacesAttributes | Flag.statesAttributes }
        if changes.attributes.given?.removesSome == true { flags |= Flag.removesAttributes }
        if case .replace = changes.tags { flags |= Flag.replacesTags }
        if case .replace = changes.optOuts { flags |= Flag.replacesOptOuts }
        return flags
    }

    /// Null: the set is kept.
    private static func given(_ change: SetChange) -> String? { change == .keep ? nil : text(change.given) }

    private static func removed(_ change: SetChange) -> String? {
        if case .edit(_, let remove) = change { text(remove) } else { nil }
    }

    /// A set as one text, which `elements` takes apart.
    static func text(_ set: [String]) -> String { set.joined(separator: String(separator)) }

    // MARK: The changed values, from a row `g` of the arrays and the stored value

    static func attributes(after stored: PostgresQuery) -> PostgresQuery {
        """
        CASE
            WHEN g.attributes IS NULL THEN \(stored)
            WHEN g.profile_flags & 3 = 1 THEN g.attributes
            WHEN g.profile_flags & 1 <> 0 THEN attributes_merged('{}', g.attributes)
            WHEN g.profile_flags & 2 <> 0 THEN attributes_merged(\(stored), g.attributes)
            ELSE \(stored) || g.attributes
        END
        """
    }

    /// The same where the app may leave out attributes that it inherits from a file.
    static func attributes(after stored: PostgresQuery, inheriting inherited: PostgresQuery) -> PostgresQuery {
        """
        CASE
            WHEN g.profile_flags & 16 <> 0 AND \(inherited) IS NOT NULL THEN attributes_merged(\(inherited), g.attributes)
            ELSE \(attributes(after: stored))
        END
        """
    }

    /// What is inherited afterwards: what the app has stated is its own.
    static func inheritedAttributes(after inherited: PostgresQuery) -> PostgresQuery {
        """
        CASE
            WHEN \(inherited) IS NULL OR g.profile_flags & 17 = 1 THEN NULL
            WHEN g.attributes IS NULL THEN \(inherited)
            ELSE nullif(\(inherited) - ARRAY(SELECT jsonb_object_keys(g.attributes)), '{}')
        END
        """
    }

    static func tags(after stored: PostgresQuery) -> PostgresQuery {
        set(after: stored, given: "g.tags", removed: "g.removed_tags", replaces: Flag.replacesTags)
    }

    static func optOuts(after stored: PostgresQuery) -> PostgresQuery {
        set(after: stored, given: "g.opt_outs", removed: "g.removed_opt_outs", replaces: Flag.replacesOptOuts)
    }

    // MARK: The values of a device, from its own `o` and those of its user `p`, which may be missing

    /// Finds the person `p` of the app and user.
    static func person(app: PostgresQuery, user: PostgresQuery) -> PostgresQuery {
        """
        LEFT JOIN LATERAL (
            SELECT attributes, tags, opt_outs FROM people WHERE app_id = \(app) AND user_id = \(user) OFFSET 0
        ) p ON true
        """
    }

    /// `texts_union` is not inlined, so it is called only where the person has any.
    static let written: [WrittenColumns.Column] = [
        ("attributes", "CASE WHEN p.attributes <> '{}' THEN o.attributes || p.attributes ELSE o.attributes END"),
        ("tags", "CASE WHEN cardinality(p.tags) > 0 THEN texts_union(o.tags, p.tags) ELSE o.tags END"),
        (
            "opt_outs",
            "CASE WHEN cardinality(p.opt_outs) > 0 THEN texts_union(o.opt_outs, p.opt_outs) ELSE o.opt_outs END"
        ),
        ("own_attributes", "CASE WHEN p.attributes <> '{}' THEN o.attributes END"),
        ("own_tags", "CASE WHEN cardinality(p.tags) > 0 THEN o.tags END"),
        ("own_opt_outs", "CASE WHEN cardinality(p.opt_outs) > 0 THEN o.opt_outs END"),
    ]

    static let ofDevices = WrittenColumns(written)

    private static func set(
        after stored: PostgresQuery, given: String, removed: String, replaces: Int32
    ) -> PostgresQuery {
        """
        CASE
            WHEN \(unescaped: given) IS NULL THEN \(stored)
            WHEN g.profile_flags & \(unescaped: String(replaces)) <> 0 THEN \(elements(given))
            ELSE texts_union(texts_except(\(stored), \(elements(removed))), \(elements(given)))
        END
        """
    }

    /// A set is passed as one text: PostgreSQL requires the rows of a nested array to have the same length.
    static func elements(_ column: String) -> PostgresQuery {
        PostgresQuery(unescaped: "string_to_array(\(column), chr(\(separator.value)))")
    }
}
