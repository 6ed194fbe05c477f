import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// Statistics of pushes and devices, for analysts. Runs count once they have finished, events as soon as they are
/// stored.
struct StatisticsRoutes: RouteGroup {
    let apps: AppStore
    let statistics: StatisticsStore
    let events: CustomEventNameStore
    /// The groups of a JSON answer. A file has all.
    private static let maximumGroups = 500

    func add(to routes: inout Routes) {
        routes.addForApp(
            .get, "/statistics/totals", for: .permission(.campaignsRead),
            query: ["by", "time_zone", "campaigns", "run", "variant", "since", "until", "format"]
        ) { [apps, statistics] call in
            let grouping = try call.request.choice("by", otherwise: Grouping.total)
            let zone = try call.request.timeZone()
            let scope = try call.request.scope(in: zone.clock)
            let isOfAll = scope.campaigns == nil && scope.run == nil
            if isOfAll, grouping == .variant || grouping == .language { throw APIError.campaignsRequired }
            if let run = scope.run { _ = try await statistics.start(of: run, app: call.app) }
            try await statistics.check(scope.campaigns, app: call.app)
            let total = try await statistics.totals(app: call.app, scope, by: .total).first?.counts
            if total == nil { _ = try await apps.find(call.app) }
            // One more tells whether there are more.
            let limit = try call.request.isForFile ? Int.max : Self.maximumGroups + 1
            var groups: [(value: String, counts: StatisticsStore.Counts)] = []
            var names: [String: String]?
            switch grouping {
            case .total: break
            case .campaign:
                groups = try await statistics.totalsByCampaign(app: call.app, scope, limit: limit)
                names = try await statistics.campaignNames(app: call.app)
            case .category: groups = try await statistics.totalsByCategory(app: call.app, scope, limit: limit)
            case .variant: (groups, names) = try await statistics.totalsByVariant(app: call.app, scope)
            case .language: groups = try await statistics.totalsByLanguage(app: call.app, scope)
            case .locale, .osVersion, .appVersion, .tag, .action, .reason, .delay:
                if let dimension = grouping.dimension {
                    groups = try await statistics.totals(app: call.app, scope, by: dimension, limit: limit)
                }
            }
            let table = CountTable(
                key: grouping.rawValue, names: names,
                rows: grouping == .total
                    ? [("", total ?? StatisticsStore.Counts())] : groups.map { ($0.value, $0.counts) })
            // Campaigns have none of them.
            let hasPushes = isOfAll
            return try table.response(to: call, named: "totals") {
                [
                    "by": .string(grouping.rawValue), "time_zone": .string(zone.name),
                    "begins_at": .time(scope.sentSince), "ends_at": .time(scope.sentUntil),
                    "transactional_begins_at": .time(hasPushes ? scope.transactionalSince : nil),
                    "transactional_ends_at": .time(hasPushes ? scope.transactionalUntil : nil),
                    "total": .object((total ?? StatisticsStore.Counts()).members),
                    "groups": .array(
                        groups.prefix(Self.maximumGroups).map { group in
                            group.counts.json(
                                JSON.Member("value", .string(group.value)),
                                JSON.Member("name", .text(names?[group.value])),
                                JSON.Member("intervals", group.counts.intervals))
                        }),
                    "truncated": .bool(groups.count > Self.maximumGroups),
                ]
            }
        }
        routes.addForApp(
            .get, "/statistics/series", for: .permission(.campaignsRead),
            query: ["unit", "time_zone", "campaigns", "run", "variant", "since", "until", "format"]
        ) { [apps, statistics] call in
            let unit = try call.request.choice("unit", otherwise: StatisticsStore.Unit.day)
            let run: Run.ID? = try call.request.run
            let variant = try call.request.variant
            // Counts by quarter of an hour are those of campaigns.
            if unit == .minute || variant != nil, run == nil {
                throw APIError.runRequired
            }
            let zone = try call.request.timeZone()
            let start: Timestamp? = if let run { try await statistics.start(of: run, app: call.app) } else { nil }
            let (since, until) = try call.request.period(
                in: zone.clock, from: start, standard: unit.standardPeriod, maximum: unit.maximumPeriod,
                unit: unit, step: StatisticsStore.step(ofRun: run != nil))
            let campaigns = try call.request.campaigns
            try await statistics.check(campaigns, app: call.app)
            let series = try await statistics.series(
                app: call.app, campaigns: campaigns, run: run, variant: variant, unit: unit, zone: zone.clock,
                since: since, until: until)
            if series.isEmpty { _ = try await apps.find(call.app) }
            let table = CountTable(key: "starts_at", rows: series.map { ($0.start.rfc3339, $0.counts) })
            return try table.response(to: call, named: "series") {
                [
                    "unit": .string(unit.rawValue), "time_zone": .string(zone.name), "begins_at": .time(since),
                    "ends_at": .time(until),
                    "units": .array(series.map { $0.counts.json(JSON.Member("starts_at", .time($0.start))) }),
                ]
            }
        }
        routes.addForApp(
            .get, "/statistics/custom-events", for: .permission(.campaignsRead),
            query: ["name", "unit", "time_zone", "since", "until", "format"]
        ) { [events] call in
            let name = try await events.find(call.request.queryItems["name"] ?? "", app: call.app).name
            let unit = try call.request.choice("unit", otherwise: StatisticsStore.Unit.day)
            guard unit != .minute else { throw APIError.runRequired }
            let zone = try call.request.timeZone()
            let (since, until) = try call.request.period(
                in: zone.clock, standard: unit.standardPeriod, maximum: unit.maximumPeriod, unit: unit,
                step: StatisticsStore.step(ofRun: false))
            let steps = try await events.series(
                name, app: call.app, unit: unit, zone: zone.clock, since: since, until: until)
            let rows = steps.map {
                [TableValue.text($0.start.rfc3339), .number($0.count), .decimal($0.amount)]
            }
            return try .statistics(
                to: call, named: "custom-events", columns: ["starts_at", "count", "amount"], rows: rows
            ) {
                [
                    "name": .string(name), "unit": .string(unit.rawValue), "time_zone": .string(zone.name),
                    "begins_at": .time(since), "ends_at": .time(until),
                    "units": .array(
                        steps.map {
                            ["starts_at": .time($0.start), "count": .count($0.count), "amount": .decimal($0.amount)]
                        }),
                ]
            }
        }
        routes.addForApp(
            .get, "/statistics/hours", for: .permission(.campaignsRead),
            query: ["time_zone", "campaigns", "since", "until", "format"]
        ) { [apps, statistics] call in
            let zone = try call.request.timeZone()
            let (since, until) = try call.request.period(
                in: zone.clock, standard: .days(30), maximum: .days(1_100), unit: .day,
                step: StatisticsStore.step(ofRun: false))
            _ = try await apps.find(call.app)
            let campaigns = try call.request.campaigns
            try await statistics.check(campaigns, app: call.app)
            let hours = try await statistics.byHourOfDay(
                app: call.app, campaigns: campaigns, zone: zone.clock, since: since, until: until)
            let table = CountTable(key: "hour", rows: hours.map { ($0.hour.description, $0.counts) })
            return try table.response(to: call, named: "hours") {
                [
                    "time_zone": .string(zone.name), "begins_at": .time(since), "ends_at": .time(until),
                    "hours": .array(hours.map { $0.counts.json(JSON.Member("hour", .count($0.hour))) }),
                ]
            }
        }
        routes.addForApp(
            .get, "/statistics/devices", for: .permission(.campaignsRead), query: ["since", "until", "format"]
        ) { [apps, statistics] call in
            // Days are in UTC. Now belongs to today.
            let utc = ZoneClock(fixed: 0)
            let hasEnd = call.request.queryItems["until"] != nil
            let period = try call.request.period(
                in: utc, standard: .days(30), maximum: .days(1_100), unit: .day, step: .seconds(1))
            let since = period.since.nearestMidnight
            let until = hasEnd ? period.until.nearestMidnight : period.until.roundedUp(to: .days(1))
            let days = try await statistics.deviceDays(app: call.app, since: since, until: until)
            if days.isEmpty { _ = try await apps.find(call.app) }
            let columns = ["starts_at", "new", "retired", "registered_again", "active"]
            let rows: [[TableValue]] = days.map { day in
                [
                    .text(day.day.rfc3339), .number(day.new), .number(day.retired), .number(day.registeredAgain),
                    .number(day.active),
                ]
            }
            return try .statistics(to: call, named: "devices", columns: columns, rows: rows) {
                [
                    "begins_at": .time(since), "ends_at": .time(until),
                    "days": .array(
                        days.map { day in
                            [
                                "starts_at": .time(day.day), "new": .count(day.new), "retired": .count(day.retired),
                                "registered_again": .count(day.registeredAgain), "active": .count(day.active),
                            ]
                        }),
                ]
            }
        }
    }
}

/// The groupings of totals.
private enum Grouping: String, CaseIterable {
    case total, campaign, variant, language, category, locale, tag, action, reason, delay
    case osVersion = "os_version"
    case appVersion = "app_version"

    var dimension: Dimension? {
        switch self {
        case .total, .campaign, .variant, .language, .category: nil
        case .locale: .locale
        case .osVersion: .osVersion
        case .appVersion: .appVersion
        case .tag: .tag
        case .action: .action
        case .reason: .reason
        case .delay: .delay
        }
    }
}

extension StatisticsStore.Unit {
    fileprivate var standardPeriod: Duration {
        switch self {
        case .minute: .days(1)
        case .hour: .days(7)
        case .day: .days(30)
        }
    }

    /// About three thousand units at most.
    fileprivate var maximumPeriod: Duration {
        switch self {
        case .minute: .days(2)
        case .hour: .days(124)
        case .day: .days(1_100)
        }
    }
}

extension Duration {
    fileprivate static func days(_ count: Int) -> Duration { .seconds(count * 24 * 60 * 60) }
}

extension StatisticsStore.Counts {
    /// `targeted` first, then outcomes and events.
    var members: [JSON.Member] {
        [JSON.Member("targeted", .count(targeted))]
            + Measure.ofPushes.map { JSON.Member($0.name, .count(self[$0])) }
            + [JSON.Member("conversion_value", .decimal(conversionValue))]
    }

    fileprivate func json(_ keys: JSON.Member...) -> JSON { .object(keys + members) }
}

extension Request {
    /// From since to until, which is now unless it is given. `start` is the beginning of what is counted. Both are rounded
    /// outwards to whole steps: nothing finer is kept. A beginning that is not given is that of a whole unit.
    fileprivate func period(
        in clock: ZoneClock, from start: Timestamp? = nil, standard: Duration, maximum: Duration,
        unit: StatisticsStore.Unit, step: Duration
    ) throws(APIError) -> (since: Timestamp, until: Timestamp) {
        let given = try (since: time("since", in: clock), until: time("until", in: clock))
        let until = given.until ?? min(.now, start.map { (given.since ?? $0) + maximum } ?? .now)
        let since = given.since ?? start ?? (until - standard).beginning(of: unit, in: clock)
        guard since < until else { throw .periodWithoutTime }
        guard until - since <= maximum else {
            let days = maximum.components.seconds / 86_400
            throw .periodTooLong(maximumDays: days)
        }
        return (since.roundedDown(to: step), until.roundedUp(to: step))
    }
}

extension Timestamp {
    /// The first moment of the local day, or of the hour, that it is in.
    fileprivate func beginning(of unit: StatisticsStore.Unit, in clock: ZoneClock) -> Timestamp {
        let seconds = Int(microseconds / 1_000_000)
        let hour = 3_600
        let local = clock.local(seconds)
        let start =
            switch unit {
            case .minute: seconds
            case .hour: seconds - (local % hour + hour) % hour
            case .day: clock.start(of: clock.day(of: seconds))
            }
        return Timestamp(microseconds: Int64(start) * 1_000_000)
    }
}
