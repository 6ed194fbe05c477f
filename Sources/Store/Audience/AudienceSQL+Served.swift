import Campaigns
import Postgres

/// What an index leads to: few user ids, who answered a campaign, test devices.
struct ServedAudience {
    /// A query of device ids, of every match and perhaps of others.
    var devices: PostgresQuery
    /// What is left to ask of them.
    var rest: AudienceCondition?
    /// People by name, and not masses who did something.
    var areFew: Bool
}

extension AudienceCondition {
    /// Nil when no index leads to those who fulfil it.
    func served(app: App.ID, ids: IDRange) -> ServedAudience? {
        switch self {
        case .all(let conditions):
            let found = conditions.enumerated().compactMap { index, condition in
                condition.served(app: app, ids: ids).map { (index: index, served: $0) }
            }
            guard let best = found.first(where: \.served.areFew) ?? found.first else { return nil }
            var rest = conditions
            rest.remove(at: best.index)
            if let more = best.served.rest { rest.append(more) }
            return ServedAudience(
                devices: best.served.devices, rest: rest.isEmpty ? nil : .all(rest), areFew: best.served.areFew)
        case .any(let conditions):
            let found = conditions.compactMap { $0.served(app: app, ids: ids) }
            guard let first = found.first, found.count == conditions.count else { return nil }
            // Whoever fulfils one that is served whole is in; else all are asked again.
            let isWhole = found.allSatisfy { $0.rest == nil }
            return ServedAudience(
                devices: found.dropFirst().reduce(into: first.devices) { $0 += " UNION ALL \($1.devices)" },
                rest: isWhole ? nil : self, areFew: found.allSatisfy(\.areFew))
        case .userIDs(let users), .field(.userID, .text(.in(let users))):
            return Self.served(users, app, ids)
        case .field(.userID, .text(.is(let user))): return Self.served([user], app, ids)
        case .field(.isTest, .flag(true)):
            return ServedAudience(
                devices: "SELECT t.id FROM devices t WHERE t.app_id = \(app) AND t.is_test AND \(ids.holds("t.id"))",
                areFew: true)
        case .event(let event) where event.campaign != nil:
            let rows = AudienceCompiler.rows(of: event, app: app)
            return ServedAudience(
                devices: "SELECT e.device_id \(rows) AND \(ids.holds("e.device_id"))", areFew: false)
        case .not, .field, .attribute, .tag, .optedOut, .segment, .event: return nil
        }
    }

    private static func served(_ users: [String], _ app: App.ID, _ ids: IDRange) -> ServedAudience {
        ServedAudience(
            devices: """
                SELECT u.id FROM devices u
                WHERE u.app_id = \(app) AND u.user_id = ANY (\(users)) AND \(ids.holds("u.id"))
                """, areFew: true)
    }
}
