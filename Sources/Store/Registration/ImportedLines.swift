import Campaigns
import Notifications
import Postgres

/// The lines of files in a group of registrations: what they may do, once it was looked up what is known. All of it
/// happens while the registration lock of the app is held.
///
/// A line is about the device with its installation. If there is none, it is about the device that has its token: the
/// app may have registered the token under a name of its own before the file was imported.
struct ImportedLines {
    private(set) var registrations: [Registration]
    private(set) var effects: [Int: ImportEffect] = [:]
    private let positions: [Int]

    init(_ registrations: [Registration]) {
        self.registrations = registrations
        positions = registrations.indices.filter { registrations[$0].terms != nil }
    }

    private struct Known {
        let address: DeviceAddress
        let userID: String?
        let optOuts: [String]
        /// When it was last changed or confirmed; `.min`: by a file without a time.
        let time: Instant

        init(_ row: PostgresRow) throws {
            address = DeviceAddress(try row[1], kind: try row[2], activity: try row[3])
            userID = try row[4]
            optOuts = try row[5]
            time = Instant(microseconds: try row[6, as: Timestamp.self].microseconds)
        }
    }

    /// The devices of the lines by address, and by token, and their people.
    var lookUps: [PostgresQuery] {
        let lines = positions.map { registrations[$0] }
        let apps = lines.map(\.app.rawValue)
        let known: PostgresQuery = """
            d.installation, d.kind, d.activity, d.user_id, coalesce(d.own_opt_outs, d.opt_outs),
            date_trunc('milliseconds', CASE
                WHEN d.imported_as_of IS NULL THEN greatest(d.updated_at, a.last_seen_at)
                ELSE greatest(d.imported_as_of, d.retired_at)
            END)
            """
        let activity: PostgresQuery = "LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id"
        return [
            """
            SELECT g.position, \(known)
            FROM unnest(
                \(apps), \(lines.map(\.address.installation)), \(lines.map(\.address.kind.rawValue)),
                \(lines.map(\.address.activity))
            ) WITH ORDINALITY AS g (app_id, installation, kind, activity, position)
            CROSS JOIN LATERAL (
                SELECT * FROM devices WHERE app_id = g.app_id AND installation = g.installation AND kind = g.kind
                    AND activity = g.activity OFFSET 0
            ) d
            \(activity)
            """,
            """
            SELECT g.position, \(known)
            FROM unnest(\(apps), \(lines.map { $0.changes.token?.bytes })) WITH ORDINALITY AS g (app_id, token, position)
            CROSS JOIN LATERAL (SELECT * FROM devices WHERE app_id = g.app_id AND token = g.token OFFSET 0) d
            \(activity)
            """,
        ]
    }

    private func people(_ users: [(position: Int, user: String)]) -> PostgresQuery {
        """
        SELECT g.position, p.opt_outs, date_trunc('milliseconds', coalesce(p.imported_as_of, p.updated_at))
        FROM unnest(
            \(users.map { registrations[$0.position].app.rawValue }), \(users.map(\.user)),
            \(users.map { Int64($0.position) })
        ) AS g (app_id, user_id, position)
        JOIN people p ON p.app_id = g.app_id AND p.user_id = g.user_id
        """
    }

    /// Limits what the lines change, in their order.
    mutating func limit(on connection: PostgresConnection) async throws {
        let answers = try await connection.queries(lookUps, deadline: RegistrationStore.statementDeadline)
        let (byAddress, byToken) = (try known(answers[0]), try known(answers[1]))
        var newest: [RegistrationGroup.Key: Instant] = [:]
        var users: [(position: Int, user: String)] = []
        for position in positions {
            guard let terms = registrations[position].terms else { continue }
            let line = registrations[position]
            var effect = ImportEffect()
            let device = byAddress[position] ?? byToken[position]
            var address = device?.address ?? line.address
            var changes = line.changes
            let user = changes.userID.value ?? device?.userID
            let key = RegistrationGroup.Key(app: line.app.rawValue, address: address)
            effect.isLeft = terms.leaves([device?.time, newest[key]].compactMap { $0 }.max())
            // The token of a line belongs to another device, which is newer.
            if let owner = byToken[position], owner.address != address, terms.leaves(owner.time) {
                effect.isLeft = true
            }
            changes.profile = terms.limit(
                changes.profile, isNewer: effect.isLeft, optOuts: device?.optOuts ?? [], &effect)
            if effect.isLeft {
                var optOuts = DeviceChanges()
                optOuts.profile = changes.profile
                changes = optOuts
                if device == nil, newest[key] == nil, let owner = byToken[position] { address = owner.address }
            } else if let asOf = terms.asOf {
                newest[key] = max(newest[key] ?? asOf, asOf)
            }
            registrations[position].kind = effect.isLeft ? .update : line.kind
            registrations[position].address = address
            registrations[position].changes = changes
            if line.person?.isEmpty == false, let user {
                registrations[position].personUser = user
                users.append((position, user))
            }
            effects[position] = effect
        }
        if !users.isEmpty { try await limitPeople(users, on: connection) }
    }

    private func known(_ rows: PostgresRows) throws -> [Int: Known] {
        var known: [Int: Known] = [:]
        for row in rows { known[positions[Int(try row[0, as: Int64.self]) - 1]] = try Known(row) }
        return known
    }

    private mutating func limitPeople(
        _ users: [(position: Int, user: String)], on connection: PostgresConnection
    ) async throws {
        var known: [Int: (optOuts: [String], time: Instant)] = [:]
        for row in try await connection.query(people(users)) {
            let time = Instant(microseconds: try row[2, as: Timestamp.self].microseconds)
            known[Int(try row[0, as: Int64.self])] = (try row[1], time)
        }
        for (position, _) in users {
            guard let terms = registrations[position].terms, let changes = registrations[position].person else {
                continue
            }
            var effect = effects[position] ?? ImportEffect()
            registrations[position].person = terms.limit(
                changes, isNewer: terms.leaves(known[position]?.time), optOuts: known[position]?.optOuts ?? [], &effect)
            effects[position] = effect
        }
    }
}
