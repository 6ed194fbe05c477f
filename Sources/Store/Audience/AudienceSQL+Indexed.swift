import Campaigns
import Postgres

/// An audience that an index can find: some user ids, devices with an event of a campaign, recipients, test devices.
struct IndexedAudience {
    /// A query of device ids. It contains every match, and possibly other devices.
    var devices: PostgresQuery
    /// The remaining condition for these devices.
    var rest: AudienceCondition?
    /// Whether it is a small set, such as named people, and not all devices with an event.
    var isSmall: Bool
    /// Whether its devices are found only all together, which is too much work for each step of a large run.
    var isForCounts = false
}

extension AudienceCondition {
    /// Nil when no index finds the matches.
    func indexed(app: App.ID, ids: IDRange) -> IndexedAudience? {
        switch self {
        case .all(let conditions):
            let found = conditions.enumerated().compactMap { index, condition in
                condition.indexed(app: app, ids: ids).map { (index: index, indexed: $0) }
            }
            guard
                let best = found.first(where: \.indexed.isSmall) ?? found.first(where: { !$0.indexed.isForCounts })
                    ?? found.first
            else { return nil }
            var rest = conditions
            rest.remove(at: best.index)
            if let more = best.indexed.rest { rest.append(more) }
            return IndexedAudience(
                devices: best.indexed.devices, rest: rest.isEmpty ? nil : .all(rest), isSmall: best.indexed.isSmall,
                isForCounts: best.indexed.isForCounts)
        case .any(let conditions):
            let found = conditions.compactMap { $0.indexed(app: app, ids: ids) }
            guard let first = found.first, found.count == conditions.count else { return nil }
            // If an index covers each condition completely, nothing remains; otherwise the whole condition is evaluated
            // again.
            let isWhole = found.allSatisfy { $0.rest == nil }
            return IndexedAudience(
                devices: found.dropFirst().reduce(into: first.devices) { $0 += " UNION ALL \($1.devices)" },
                rest: isWhole ? nil : self, isSmall: found.allSatisfy(\.isSmall),
                isForCounts: found.contains(where: \.isForCounts))
        case .userIDs(let users), .field(.userID, .text(.in(let users))):
            return Self.indexed(users, app, ids)
        case .field(.userID, .text(.is(let user))): return Self.indexed([user], app, ids)
        case .field(.isTest, .flag(true)):
            return IndexedAudience(
                devices: "SELECT t.id FROM devices t WHERE t.app_id = \(app) AND t.is_test AND \(ids.contains("t.id"))",
                isSmall: true)
        case .event(let event) where event.campaign != nil:
            let rows = AudienceCompiler.rows(of: event, app: app, "AND \(ids.contains("e.device_id"))")
            return IndexedAudience(devices: "SELECT e.device_id \(rows)", isSmall: false)
        case .outcome(let outcome):
            return IndexedAudience(
                devices: AudienceCompiler.devices(with: outcome, app: app, ids), isSmall: false, isForCounts: true)
        case .not, .field, .attribute, .tag, .optedOut, .segment, .event, .customEvent: return nil
        }
    }

    private static func indexed(_ users: [String], _ app: App.ID, _ ids: IDRange) -> IndexedAudience {
        IndexedAudience(
            devices: """
                SELECT u.id FROM devices u
                WHERE u.app_id = \(app) AND u.user_id = ANY (\(users)) AND \(ids.contains("u.id"))
                """, isSmall: true)
    }
}
