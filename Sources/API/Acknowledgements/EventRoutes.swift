import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Postgres
import Store

/// Routes of reported events: exports of all events, and the replies that people typed.
struct EventRoutes: RouteGroup {
    private static let filters = ["since", "until", "campaigns", "run"]
    /// Events that one query of an export reads.
    private static let exportStep = 5_000

    let apps: AppStore
    let events: EventStore
    let statistics: StatisticsStore

    func add(to routes: inout Routes) {
        routes.addForApp(
            .get, "/events/export", for: .permission(.devicesExport), query: Self.filters + ["kind", "format"],
            audit: .afterwards
        ) { [self] call in
            var filter = try await filter(of: call)
            filter.kind = try call.request.event("kind")
            let app = try await apps.find(call.app)
            let writer = TableWriter(try call.request.fileFormat, columns: EventRecord.columns)
            // Nobody knows how many of the events that were counted have been deleted since.
            let rows = app.settings.retention.eventDays == nil ? try await count(app.id, filter) : nil
            let names = call.installationNames
            return .export("events-\(app.id)", writer, to: call, rows: rows) {
                [events, filter] (cursor: EventPosition?) in
                let page = try await events.events(app: call.app, filter, after: cursor, scanning: Self.exportStep)
                return (page.events.map { $0.row(names) }, page.next)
            }
        }
        addReplies(to: &routes)
    }

    private func filter(of call: AppCall) async throws -> EventFilter {
        let filter = try EventFilter(call.request)
        if let run = filter.run { _ = try await statistics.start(of: run, app: call.app) }
        try await statistics.check(filter.campaigns, app: call.app)
        return filter
    }

    /// About how many events there are; nil if the counts don't tell, because they go by the days of sending.
    private func count(_ app: App.ID, _ filter: EventFilter) async throws -> Int? {
        guard filter.since == nil, filter.until == nil else { return nil }
        let scope = StatisticsStore.Scope(campaigns: filter.campaigns, run: filter.run)
        let counts = try await statistics.totals(app: app, scope, by: .total).first?.counts
        let measures = filter.kind.map { [Measure($0)] } ?? Measure.listedEvents
        return measures.reduce(0) { $0 + (counts?[$1] ?? 0) }
    }

    private func addReplies(to routes: inout Routes) {
        routes.addForApp(
            .get, "/replies", for: .permission(.devicesRead), query: Paging.parameters + Self.filters + ["search"]
        ) { [self] call in
            let page = try Paging.page(call.request, EventStore.ReplyPosition.init(cursor:))
            let replies = try await events.replies(
                app: call.app, try await filter(of: call), search: try call.request.typedSearch, before: page.cursor,
                limit: page.limit)
            if replies.isEmpty { _ = try await apps.find(call.app) }
            let names = call.installationNames
            return Paging.response(
                replies.map { $0.replyJSON(names) }, page,
                next: replies.count == page.limit ? replies.last?.replyPosition.cursor : nil)
        }
        routes.addForApp(
            .get, "/replies/export", for: .permission(.devicesExport), query: Self.filters + ["search", "format"],
            audit: .afterwards
        ) { [self] call in
            let filter = try await filter(of: call)
            let search = try call.request.typedSearch
            let app = try await apps.find(call.app)
            let writer = TableWriter(try call.request.fileFormat, columns: EventRecord.columns)
            let names = call.installationNames
            return .export("replies-\(app.id)", writer, to: call) { [events] (cursor: EventStore.ReplyPosition?) in
                let page = try await events.replies(
                    app: call.app, filter, search: search, before: cursor, limit: Self.exportStep)
                return (page.map { $0.row(names) }, page.count == Self.exportStep ? page.last?.replyPosition : nil)
            }
        }
        routes.addForApp(
            .delete, "/replies/{message_number}/{device_id}", for: .permission(.devicesWrite), query: ["action"]
        ) { [events] call in
            try await ObjectReader.refuseBody(call.request)
            let device: Device.ID = try call.id("device_id", .reply)
            guard let number = call.request.parameters["message_number"].flatMap({ Int64($0) }) else {
                throw Refusal.notFound(.reply)
            }
            try await events.eraseReply(
                EventPosition(
                    messageNumber: number, device: device, kind: EventKind.text.rawValue,
                    action: call.request.queryItems["action"]?.composed ?? ""), app: call.app)
            return .noContent
        }
    }
}

extension EventFilter {
    fileprivate init(_ request: Request) throws(APIError) {
        self.init()
        campaigns = try request.campaigns
        run = try request.run
        since = try request.time("since")
        until = try request.time("until")
        if let since, let until, since >= until { throw .periodWithoutTime }
    }
}

extension EventRecord {
    fileprivate static let columns = [
        "message_number", "campaign_id", "campaign", "run_id", "device_id", "installation", "user_id", "kind", "action",
        "text", "value", "happened_at", "is_time_corrected", "is_implied", "received_at", "locale", "os_version",
        "app_version",
    ]

    /// A value for each column.
    fileprivate func row(_ names: InstallationNames) -> [TableValue] {
        [
            .text(position.messageNumber.description), TableValue(campaign?.description), TableValue(campaignName),
            TableValue(run?.description), .text(position.device.description),
            TableValue(names.name(installation, of: position.device)),
            TableValue(userID), .text(kind.name), position.action.isEmpty ? .absent : .text(position.action),
            TableValue(text), value.map { .decimal($0) } ?? .absent, .text(happenedAt.rfc3339), .flag(isTimeCorrected),
            .flag(isImplied),
            .text(receivedAt.rfc3339), TableValue(profile.locale), TableValue(profile.osVersion),
            TableValue(profile.appVersion),
        ]
    }

    fileprivate func replyJSON(_ names: InstallationNames) -> JSON {
        [
            "campaign_id": campaign.map { .id($0) } ?? .null, "campaign_name": .text(campaignName),
            "run_id": run.map { .id($0) } ?? .null, "message_number": .string(position.messageNumber.description),
            "device_id": .id(position.device),
            "installation": .text(names.name(installation, of: position.device)), "user_id": .text(userID),
            "action": .text(position.action.isEmpty ? nil : position.action), "text": .text(text),
            "at": .time(happenedAt), "received_at": .time(receivedAt),
        ]
    }

    fileprivate var replyPosition: EventStore.ReplyPosition {
        EventStore.ReplyPosition(receivedAt: receivedAt, event: position)
    }
}

extension EventStore.ReplyPosition {
    /// The times in a list have milliseconds, a position has microseconds.
    fileprivate var cursor: String {
        "\(receivedAt.microseconds) \(event.messageNumber) \(event.device) \(event.action)"
    }

    fileprivate init?(cursor: String) {
        let parts = cursor.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let microseconds = Int64(parts[0]), let number = Int64(parts[1]),
            let device = Device.ID(String(parts[2])), !cursor.utf8.contains(0)
        else { return nil }
        self.init(
            receivedAt: Timestamp(microseconds: microseconds),
            event: EventPosition(
                messageNumber: number, device: device, kind: EventKind.text.rawValue, action: String(parts[3])))
    }
}
