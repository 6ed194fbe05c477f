import Campaigns
import HTTPServer
import JSON
import Notifications
import Postgres
import Store

/// The body that creates or changes a webhook.
struct WebhookDraft {
    private static let descriptionLength = 0...200

    private var body: ObjectReader
    private let url: String?
    private let description: String?
    private let kinds: [Webhook.EventKind]?
    private let isEnabled: Bool?

    init(_ request: Request, isNew: Bool = false, allowsPrivate: Bool) async throws {
        var body = try await ObjectReader(request)
        if isNew { body.require("url", "kinds") }
        url = body.value("url") { (text) throws(InvalidValue) in
            try WebhookURL(text, allowsPlain: allowsPrivate).text
        }
        description = body.text("description", length: Self.descriptionLength)
        let known = Webhook.EventKind.allCases
        let chosen = body.names("kinds", among: known.map(\.rawValue)) { Webhook.EventKind(rawValue: $0) }
        if chosen?.isEmpty == true {
            body.refuse("kinds", "too-short", "must name at least one kind of event")
        }
        kinds = chosen.map { chosen in known.filter(chosen.contains) }
        isEnabled = body.bool("enabled")
        self.body = body
    }

    /// For a new webhook.
    mutating func complete() throws -> WebhookStore.Settings {
        try body.finish()
        guard let url, let kinds else { throw APIError(problems: []) }
        return .init(url: url, description: description ?? "", kinds: kinds, isEnabled: isEnabled ?? true)
    }

    /// For a change: members that the body does not have keep their values.
    mutating func changing(_ webhook: WebhookRecord) throws -> WebhookStore.Settings {
        try body.finish()
        return .init(
            url: url ?? webhook.url, description: description ?? webhook.description, kinds: kinds ?? webhook.kinds,
            isEnabled: isEnabled ?? (webhook.disabledAt == nil))
    }
}

extension WebhookRecord {
    /// The secret is returned only once, in the response that makes it.
    func json(showing secret: String? = nil) -> JSON {
        var members: [JSON.Member] = [
            JSON.Member("id", .id(id)), JSON.Member("app_id", .id(app)), JSON.Member("url", .string(url)),
            JSON.Member("description", .string(description)),
            JSON.Member("kinds", .array(kinds.map { .string($0.rawValue) })),
            JSON.Member("enabled", .bool(disabledAt == nil)), JSON.Member("disabled_at", .time(disabledAt)),
            JSON.Member("disabled_reason", .text(disabledReason?.rawValue)),
            JSON.Member("disabled_message", .text(disabledReason?.sentence)),
            JSON.Member("failing_since", .time(failingSince)), JSON.Member("waiting", .count(waiting)),
            JSON.Member("rotation_ends_at", .time(rotationEndsAt)), JSON.Member("version", .count(version)),
            JSON.Member("created_at", .time(createdAt)), JSON.Member("updated_at", .time(updatedAt)),
        ]
        if let secret { members.append(JSON.Member("secret", .string(secret))) }
        return .object(members)
    }
}

extension Webhook.DisabledReason {
    fileprivate var sentence: String {
        switch self {
        case .gone: "The receiver answered with status 410, so it wants no more messages."
        case .failing: "Every attempt failed for three days. Repair the receiver, then enable the webhook."
        case .full: "\(Webhook.maximumWaiting) messages were waiting. Repair the receiver, then enable the webhook."
        }
    }
}

extension WebhookDeliveryRecord {
    /// Bodies about devices are shown to those who may see devices.
    func json(in call: AppCall) -> JSON {
        let isHidden = Webhook.EventKind(rawValue: kind)?.isAboutDevices == true && !call.seesDevices
        return [
            "id": .id(id), "webhook_id": .string(headerID), "kind": .string(kind),
            "outcome": .string(state.rawValue), "attempts": .count(attempts),
            "status": status.map { .count($0) } ?? .null,
            "error": .text(error), "created_at": .time(createdAt), "attempted_at": .time(attemptedAt),
            "delivered_at": .time(deliveredAt), "next_attempt_at": .time(nextAttemptAt),
            "body": isHidden ? .null : .string(body),
        ]
    }
}
