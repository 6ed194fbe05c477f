import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

extension AppCall {
    var campaign: Campaign.ID {
        get throws { try id("campaign", .campaign) }
    }
}

extension CampaignRecord {
    /// `more` are members of a list. `warnings` are those that do not follow from the campaign alone.
    func json(and more: [JSON.Member] = [], warnings: [Problem] = []) throws -> JSON {
        .object(
            [
                JSON.Member("id", .id(id)), JSON.Member("app_id", .id(app)), JSON.Member("name", .string(content.name)),
                JSON.Member("tags", .texts(content.tags)),
                JSON.Member("state", .string(status.name)),
                JSON.Member(
                    "actions", .array(archivedAt == nil ? status.actions.map { .string($0.rawValue) } : [])),
                JSON.Member("reason", .text(reason)), JSON.Member("reason_localization", .localization(reason)),
            ] + (try content.members()) + [
                JSON.Member("next_at", nextOccurrence), JSON.Member("starts_at", .time(startsAt)),
                JSON.Member("version", .count(version)),
                JSON.Member("warnings", .array((try payloadWarnings() + warnings).map(\.json))),
                JSON.Member("archived_at", .time(archivedAt)), JSON.Member("created_at", .time(createdAt)),
                JSON.Member("updated_at", .time(updatedAt)),
            ] + more)
    }

    /// The next time at which a scheduled campaign is sent. A local time has no zone.
    private var nextOccurrence: JSON {
        if let startsAt { return .time(startsAt) }
        guard state == .scheduled, schedulePausedAt == nil, let handledUntil, let schedule = content.schedule else {
            return .null
        }
        return .text(schedule.next(after: Int(handledUntil.secondsSince1970.rounded(.up)))?.text)
    }

    /// Problems that Apple accepts but a person should know. A template has its own.
    private func payloadWarnings() throws -> [Problem] {
        try content.variants.enumerated().flatMap { index, variant -> [Problem] in
            guard let payload = variant.body.payload else { return [] }
            let path = content.path(ofVariant: index)
            return try payloadWarnings(try JSON(parsing: payload)).map { $0.ofVariant(at: path) }
        }
    }

    private func payloadWarnings(_ payload: JSON) throws -> [Problem] {
        let rules = PushRules(pushType: content.pushType, priority: content.priority, messageIDKey: nil)
        let problems = rules.problems(in: try Payload(json: payload)).filter { $0.severity != .error }
        return (problems + PlainContent.warnings(in: payload)).map(\.atCampaignPath)
    }
}
