import Campaigns
import Postgres

/// What indexes lead to: few user ids, who answered a campaign, test devices.
extension AudienceCondition {
    /// A query of device ids, of every match and perhaps of others, and what is left to ask of them; nil when no index
    /// leads there.
    func served(app: App.ID, ids: IDRange) -> (devices: PostgresQuery, rest: AudienceCondition?)? {
        switch self {
        case .all(let conditions):
            let found = conditions.enumerated().compactMap { index, condition in
                condition.served(app: app, ids: ids).map { (index: index, served: $0, rank: condition.rank) }
            }
            guard let best = found.min(by: { $0.rank < $1.rank }) else { return nil }
            var rest = conditions
            rest.remove(at: best.index)
            if let more = best.served.rest { rest.append(more) }
            return (best.served.devices, rest.isEmpty ? nil : .all(rest))
        case .any(let conditions):
            let found = conditions.compactMap { $0.served(app: app, ids: ids) }
            guard let first = found.first, found.count == conditions.count else { return nil }
            // Whoever fulfils one that is served whole is in; else all are asked again.
            let isWhole = found.allSatisfy { $0.rest == nil }
            let devices = found.dropFirst().reduce(into: first.devices) { $0 += " UNION ALL \($1.devices)" }
            return (devices, isWhole ? nil : self)
        case .userIDs(let users), .field(.userID, .text(.in(let users))):
            return (Self.devices(of: users, app, ids), nil)
        case .field(.userID, .text(.is(let user))): return (Self.devices(of: [user], app, ids), nil)
        case .field(.isTest, .flag(true)):
            return ("SELECT t.id FROM devices t WHERE t.app_id = \(app) AND t.is_test AND \(ids.holds("t.id"))", nil)
        case .event(let event) where event.campaign != nil:
            let rows = AudienceCompiler.rows(of: event, app: app)
            return ("SELECT e.device_id \(rows) AND \(ids.holds("e.device_id"))", nil)
        case .not, .field, .attribute, .tag, .optedOut, .segment, .event: return nil
        }
    }

    /// Which of several is likely to lead to fewer: people who are named, then who did something.
    private var rank: Int {
        switch self {
        case .userIDs, .field: 0
        case .all(let conditions): conditions.map(\.rank).min() ?? 2
        case .any(let conditions): conditions.map(\.rank).max() ?? 2
        case .event: 1
        case .not, .attribute, .tag, .optedOut, .segment: 2
        }
    }

    private static func devices(of users: [String], _ app: App.ID, _ ids: IDRange) -> PostgresQuery {
        "SELECT u.id FROM devices u WHERE u.app_id = \(app) AND u.user_id = ANY (\(users)) AND \(ids.holds("u.id"))"
    }
}
