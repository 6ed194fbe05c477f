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
        let payload = try content.body?.payload.map { try JSON(parsing: $0) }
        let json: JSON = [
            "id": .id(id), "app_id": .id(app), "name": .string(content.name), "state": .string(status.name),
            "actions": .array(archivedAt == nil ? status.actions.map { .string($0.rawValue) } : []),
            "reason": .text(reason), "reason_localization": .localization(reason), "payload": payload ?? .null,
            "template": content.body?.template.map { .id($0.id) } ?? .null,
            "template_version": content.body?.template.map { .count($0.version) } ?? .null,
            "variants": try variants(),
            "push_type": .string(content.pushType.rawValue),
            "priority": .count(content.priority.rawValue), "expiration_seconds": .count(content.expirationSeconds),
            "collapse_id": .text(content.collapseID?.text), "unknown_policy": .string(content.unknownPolicy.rawValue),
            "topic": .text(content.topic?.text), "next_at": nextOccurrence, "starts_at": .time(startsAt),
            "version": .count(version),
            "warnings": .array((try payloadWarnings() + warnings).map(\.json)),
            "archived_at": .time(archivedAt), "created_at": .time(createdAt), "updated_at": .time(updatedAt),
        ]
        guard case .object(let members) = json else { return json }
        return .object(members + content.options.members + more)
    }

    /// The next time at which a scheduled campaign is sent. A local time has no zone.
    private var nextOccurrence: JSON {
        if let startsAt { return .time(startsAt) }
        guard state == .scheduled, schedulePausedAt == nil, let handledUntil, let schedule = content.schedule else {
            return .null
        }
        return .text(schedule.next(after: Int(handledUntil.secondsSince1970.rounded(.up)))?.text)
    }

    /// Null without an A/B test.
    private func variants() throws -> JSON {
        guard content.isTest else { return .null }
        return .array(
            try zip(content.variants, content.weights).map { variant, weight in
                [
                    "name": .string(variant.name), "weight": .count(weight),
                    "payload": try variant.body.payload.map { try JSON(parsing: $0) } ?? .null,
                    "template": variant.body.template.map { .id($0.id) } ?? .null,
                    "template_version": variant.body.template.map { .count($0.version) } ?? .null,
                ]
            })
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
