import Campaigns
import Notifications
import Postgres

/// Installations that register a token which only a file knew: the device of the file becomes theirs, with its opt-outs,
/// tags and attributes, so that no consent is lost when an app changes to Belfry.
extension RegistrationGroup {
    struct TakeOver {
        let owner: TokenOwner
        let entry: Int
    }

    /// To be called after `resolveTokens`.
    func takeOvers(_ owners: [TokenOwner]) -> [TakeOver] {
        owners.compactMap { owner in
            guard owner.isImported, let last = tokens[owner.key], entries[last.entry].token == owner.key.token,
                entries[last.entry].device != owner.device, entries[last.entry].hasTokenOfApp
            else { return nil }
            return TakeOver(owner: owner, entry: last.entry)
        }
    }

    /// Carries out the take-overs, and returns the statements for them. A new installation gets the row of the file, and
    /// one that has a row gets its values; the row of the file is deleted then.
    mutating func takeOver(
        _ takeOvers: [TakeOver], on connection: PostgresConnection
    ) async throws -> (statements: [PostgresQuery], merged: Set<Int64>) {
        guard !takeOvers.isEmpty else { return ([], []) }
        let new = takeOvers.filter { entries[$0.entry].device == nil }
        let merged = takeOvers.filter { entries[$0.entry].device != nil }
        let values = merged.isEmpty ? [:] : try await Self.values(of: merged, on: connection)
        for takeOver in merged {
            entries[takeOver.entry].changes =
                entries[takeOver.entry].changes.takingOver(values[takeOver.owner.device] ?? ProfileChanges())
        }
        for takeOver in new { entries[takeOver.entry].takeOver(takeOver.owner) }
        var statements: [PostgresQuery] = []
        if !merged.isEmpty {
            statements.append(
                """
                DELETE FROM devices d USING unnest(\(merged.map(\.owner.key.app)), \(merged.map(\.owner.device)))
                    AS g (app_id, id)
                WHERE d.app_id = g.app_id AND d.id = g.id
                """)
        }
        if !new.isEmpty {
            let addresses = new.map { entries[$0.entry].key.address }
            statements.append(
                """
                UPDATE devices d SET installation = g.installation, kind = g.kind, activity = g.activity
                FROM unnest(
                    \(new.map(\.owner.key.app)), \(new.map(\.owner.device)), \(addresses.map(\.installation)),
                    \(addresses.map(\.kind.rawValue)), \(addresses.map(\.activity))
                ) AS g (app_id, id, installation, kind, activity)
                WHERE d.app_id = g.app_id AND d.id = g.id
                """)
        }
        return (statements, Set(merged.map(\.owner.device)))
    }

    private static func values(
        of merged: [TakeOver], on connection: PostgresConnection
    ) async throws -> [Int64: ProfileChanges] {
        let rows = try await connection.query(
            """
            SELECT d.id, coalesce(d.own_attributes, d.attributes), coalesce(d.own_tags, d.tags),
                coalesce(d.own_opt_outs, d.opt_outs)
            FROM unnest(\(merged.map(\.owner.key.app)), \(merged.map(\.owner.device))) AS g (app_id, id)
            JOIN devices d ON d.app_id = g.app_id AND d.id = g.id
            """)
        var values: [Int64: ProfileChanges] = [:]
        for row in rows {
            var changes = ProfileChanges()
            // Its lengths are known already.
            changes.attributes = .replace(DeviceAttributes(text: try row[1, as: JSONText.self].bytes, lengths: []))
            changes.tags = .edit(add: try row[2], remove: [])
            changes.optOuts = .edit(add: try row[3], remove: [])
            values[try row[0]] = changes
        }
        return values
    }
}
