import Campaigns
import FoundationEssentials
import JSON
import Notifications
import Postgres
import Store

/// The events of local notifications in one request. As with acknowledgements, each is accepted or refused by itself.
struct LocalEventBody {
    var events: [LocalEvent] = []
    var refused: [AcknowledgementBody.Remark] = []
    /// The device's time when it sent the request; nil if it is not given or can't be read.
    let sentAt: Timestamp?

    init(_ members: [JSON.Member]) throws {
        let body = JSON.object(members)
        sentAt = EventTime(body["sent_at"]).told
        guard case .array(let elements)? = body["events"] else {
            throw APIError(problems: [Problem(path: "events", code: "wrong-type", message: "must be a list of events")])
        }
        let limit = AcknowledgementBody.maximumEvents
        for (index, element) in elements.enumerated() {
            guard index < limit else {
                refuse(index, "too-many", "A request may contain \(limit) events. Send this one in another request.")
                continue
            }
            read(element, index)
        }
    }

    private mutating func read(_ json: JSON, _ index: Int) {
        guard let id = json["id"]?.text.flatMap(UUID.init(uuidString:)) else {
            return refuse(index, "invalid-id", "The id must be a UUID that the app makes for each event.")
        }
        guard let source = json["notification"]?.text.flatMap(Source.init) else {
            return refuse(index, Self.unknownCode, Self.unknown)
        }
        guard let told = json["kind"]?.text.flatMap(EventKind.init(name:)), LocalEvent.kinds.contains(told) else {
            return refuse(index, "unknown-kind", "The kind must be \(LocalEvent.kinds.map(\.name).alternatives).")
        }
        var action = json["action"]?.text ?? ""
        var kind = told
        if told == .action, let own = EventKind(systemAction: action) { kind = own }
        if !kind.hasAction { action = "" }
        let limit = AudienceEvent.maximumActionLength
        guard !kind.hasAction || 1...limit ~= action.utf8.count, !action.utf8.contains(0) else {
            return refuse(
                index, "invalid-action",
                "The action must be the identifier of the action, a text of 1 to \(limit) bytes.")
        }
        events.append(
            LocalEvent(
                index: index, id: id, plan: source.plan, version: json["version"]?.version ?? 0,
                notification: source.notification, kind: kind, action: action.composed, time: EventTime(json["at"])))
    }

    /// The identifier of a scheduled notification: its plan, a slash, and its own in the plan.
    private struct Source {
        let plan: LocalPlan.ID
        let notification: String

        init?(_ identifier: String) {
            let parts = identifier.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let plan = LocalPlan.ID(String(parts[0])),
                LocalNotification.isIdentifier(String(parts[1]))
            else { return nil }
            self.plan = plan
            notification = String(parts[1])
        }
    }

    mutating func refuse(_ index: Int, _ code: String, _ message: Message) {
        refused.append(AcknowledgementBody.Remark(index: index, code: code, message: message))
    }

    mutating func refuse(_ count: LocalEventCount) {
        for index in count.ofUnknownPlans { refuse(index, Self.unknownCode, Self.unknown) }
        let days = EventClock.maximumAge.components.seconds / (24 * 60 * 60)
        for index in count.tooLate { refuse(index, "too-late", "The event happened more than \(days) days ago.") }
    }

    func answer(_ count: LocalEventCount) -> JSON {
        [
            "stored": .count(count.stored), "duplicates": .count(count.duplicates),
            "failed": .array(refused.sorted { $0.index < $1.index }.map(\.json)),
        ]
    }

    private static let unknownCode = "unknown-notification"
    private static let unknown: Message =
        "This app has no such local notification. Send the identifier with which the notification was handed out."
}

extension EventTime {
    fileprivate init(_ json: JSON?) {
        switch json {
        case nil, .null: self = .receipt
        case .string(let text): self = Timestamp(rfc3339: text).map { .device($0) } ?? .unreadable
        default: self = .unreadable
        }
    }
}

extension JSON {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

    fileprivate var version: Int32? {
        guard case .number(let number) = self else { return nil }
        return number.int.flatMap { Int32(exactly: $0) }
    }
}
