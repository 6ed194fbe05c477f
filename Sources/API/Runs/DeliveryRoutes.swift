import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// The recipients of a run: listed, exported, and counted by due time.
struct DeliveryRoutes: RouteGroup {
    private static let filters = [
        "outcome", "reason", "variant", "deferred", "opened", "engaged", "event", "due_at", "search", "locale",
        "os_version",
        "app_version",
    ]
    /// Recipients that one query of an export reads.
    private static let exportStep = 5_000

    let runs: RunStore

    func add(to routes: inout Routes) {
        routes.addForApp(
            .get, "/runs/{run}/deliveries", for: .permission(.campaignsRead), query: Paging.parameters + Self.filters
        ) { [self] call in
            let page = try Paging.page(call.request, DeliveryPosition.init(cursor:))
            let filter = try filter(call)
            let run = try await runs.find(call.id("run", .run), app: call.app)
            let deliveries = try await runs.deliveries(
                run.id, app: call.app, filter, from: page.cursor, limit: page.limit)
            let names = call.installationNames
            return Paging.response(
                deliveries.deliveries.map { $0.json(names, withDevice: call.seesDevices) }, page,
                next: deliveries.next?.cursor)
        }
        routes.addForApp(
            .get, "/runs/{run}/deliveries/export", for: .permission(.devicesExport), query: Self.filters + ["format"],
            audit: .afterwards
        ) { [self] call in
            let filter = try filter(call)
            let run = try await runs.find(call.id("run", .run), app: call.app)
            let writer = TableWriter(try call.request.fileFormat, columns: Delivery.columns)
            let rows = run.recipientsDeletedAt == nil ? filter.count(in: run) : 0
            let names = call.installationNames
            return .export("recipients-\(run.id)", writer, to: call, rows: rows) { [runs] (cursor: DeliveryPosition?) in
                let page = try await runs.deliveries(
                    run.id, app: call.app, filter, from: cursor, limit: Self.exportStep)
                return (page.deliveries.map { $0.row(names) }, page.next)
            }
        }
        routes.addForApp(
            .get, "/runs/{run}/due-times", for: .permission(.campaignsRead), query: Paging.parameters
        ) { [runs] call in
            let page = try Paging.page(call.request) { Timestamp(rfc3339: $0) }
            let run = try await runs.find(call.id("run", .run), app: call.app)
            let times = try await runs.dueTimes(run.key, after: page.cursor, limit: page.limit)
            return Paging.response(
                times.map(\.json), page, next: times.count == page.limit ? times.last?.dueAt.rfc3339 : nil)
        }
    }

    private func filter(_ call: AppCall) throws(APIError) -> DeliveryFilter {
        let filter = try DeliveryFilter(call.request)
        // The answer would tell whether a user or an installation exists.
        if filter.search != nil { try call.require(.devicesRead) }
        return filter
    }
}

extension DeliveryFilter {
    fileprivate init(_ request: Request) throws(APIError) {
        self.init()
        kind = try Self.kind(request)
        reason = request.queryItems["reason"]
        variant = try request.variant
        isDeferred = try request.flag("deferred")
        isOpened = try request.flag("opened")
        isEngaged = try request.flag("engaged")
        search = try request.typedSearch
        event = try request.event("event")
        dueAt = try request.time("due_at")
        locale = try request.property("locale").map { LocaleTag.locale($0)?.text ?? $0 }
        osVersion = try request.property("os_version").map(VersionSpelling.canonical)
        appVersion = try request.property("app_version").map(VersionSpelling.canonical)
    }

    /// The number of recipients that match, if the ledger has it.
    fileprivate func count(in run: RunRecord) -> Int? {
        guard self == DeliveryFilter(kind: kind) else { return nil }
        return kind.map { run.ledger[$0] } ?? run.targeted
    }

    private static func kind(_ request: Request) throws(APIError) -> OutcomeKind? {
        guard let text = request.queryItems["outcome"] else { return nil }
        let terms = OutcomeKind.allCases.filter { $0 != .deferred }
        guard let kind = terms.first(where: { $0.rawValue == text }) else {
            let kinds = terms.map(\.rawValue).joined(separator: ", ")
            throw .invalidOutcome(kinds)
        }
        return kind
    }
}

extension Request {
    /// A kind of event; nil if the parameter is absent.
    func event(_ name: String) throws(APIError) -> EventKind? {
        guard let text = queryItems[name] else { return nil }
        guard let kind = EventKind(name: text) else {
            let kinds = EventKind.allCases.map(\.name).joined(separator: ", ")
            throw .notOneOf(kinds, name)
        }
        return kind
    }

    /// A property of a device, which may be empty; nil if the parameter is absent.
    fileprivate func property(_ name: String) throws(APIError) -> String? {
        guard let text = queryItems[name] else { return nil }
        guard text.utf8.count <= Self.maximumPropertyLength, !text.utf8.contains(0) else {
            throw .invalidProperty(name, maximumLength: Self.maximumPropertyLength)
        }
        return text
    }

    private static let maximumPropertyLength = 200
}

extension DeliveryPosition {
    fileprivate var cursor: String { "\(batch).\(index)" }

    fileprivate init?(cursor: String) {
        let parts = cursor.split(separator: ".")
        guard parts.count == 2, let batch = Int64(parts[0]), let index = Int(parts[1]), batch >= 0, index >= 0,
            index <= Batch.maximumSize
        else { return nil }
        self.init(batch: batch, index: index)
    }
}

extension Delivery {
    /// Apple's answer: the last one if it is not final.
    private var apple: AppleAnswer? { lastAnswer?.answer ?? AppleAnswer(outcome.kind, reason: outcome.reason) }

    fileprivate func json(_ names: InstallationNames, withDevice: Bool) -> JSON {
        [
            "device_id": .id(device), "installation": .text(withDevice ? names.name(installation, of: device) : nil),
            "user_id": .text(withDevice ? userID : nil),
            "variant": variant.map { .count($0) } ?? .null, "outcome": .string(outcome.kind.rawValue),
            "reason": .text(outcome.reason.isEmpty ? nil : outcome.reason),
            "apple": apple?.json ?? .null,
            "is_resent": .bool(isResent), "was_deferred": .bool(wasDeferred), "due_at": .time(dueAt),
            "ended_at": .time(endedAt), "locale": .text(profile.locale), "os_version": .text(profile.osVersion),
            "app_version": .text(profile.appVersion), "delivered_at": .time(responses.deliveredAt),
            "opened_at": .time(responses.openedAt),
        ]
    }

    fileprivate static let columns = [
        "device_id", "installation", "user_id", "variant", "outcome", "reason", "apple_status", "is_resent",
        "was_deferred",
        "due_at", "ended_at", "locale", "os_version", "app_version", "delivered_at", "presented_at", "opened_at",
        "influenced_at",
        "dismissed_at", "actions", "replied_at", "converted_at", "conversion_value",
    ]

    /// A value for each column.
    fileprivate func row(_ names: InstallationNames) -> [TableValue] {
        [
            .text(device.description), TableValue(names.name(installation, of: device)), TableValue(userID),
            variant.map { .number($0) } ?? .absent, .text(outcome.kind.rawValue),
            outcome.reason.isEmpty ? .absent : .text(outcome.reason),
            apple?.status.map { .number($0) } ?? .absent, .flag(isResent),
            .flag(wasDeferred), .text(dueAt.rfc3339), TableValue(endedAt?.rfc3339), TableValue(profile.locale),
            TableValue(profile.osVersion), TableValue(profile.appVersion), TableValue(responses.deliveredAt?.rfc3339),
            TableValue(responses.presentedAt?.rfc3339), TableValue(responses.openedAt?.rfc3339),
            TableValue(responses.influencedAt?.rfc3339), TableValue(responses.dismissedAt?.rfc3339),
            responses.actions.isEmpty ? .absent : TableValue(responses.actions),
            TableValue(responses.repliedAt?.rfc3339), TableValue(responses.convertedAt?.rfc3339),
            responses.conversionValue.map { .decimal($0) } ?? .absent,
        ]
    }
}

extension AppleAnswer {
    var json: JSON { ["status": status.map { .count($0) } ?? .null, "reason": .text(reason)] }
}

extension DueTime {
    fileprivate var json: JSON {
        .object(
            [JSON.Member("due_at", .time(dueAt)), JSON.Member("targeted", .count(ledger.targeted))]
                + OutcomeKind.allCases.map { JSON.Member($0.rawValue, .count(ledger[$0])) }
                + [JSON.Member("resent", .count(ledger.resent))])
    }
}
