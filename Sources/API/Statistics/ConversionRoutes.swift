import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Store

/// The custom events that pushes of campaigns led to.
struct ConversionRoutes: RouteGroup {
    let apps: AppStore
    let conversions: ConversionStore
    let statistics: StatisticsStore
    /// The groups of a JSON answer. A file has all.
    private static let maximumGroups = 500

    func add(to routes: inout Routes) {
        routes.addForApp(
            .get, "/statistics/conversions", for: .permission(.campaignsRead),
            query: ["by", "event_name", "time_zone", "campaigns", "run", "variant", "since", "until", "format"]
        ) { call in
            let grouping = try call.request.choice("by", otherwise: ConversionStore.Grouping.event)
            let scope = try call.request.scope(in: call.request.timeZone().clock)
            if scope.campaigns == nil, scope.run == nil, grouping == .variant { throw APIError.campaignsRequired }
            if let run = scope.run { _ = try await statistics.start(of: run, app: call.app) }
            try await statistics.check(scope.campaigns, app: call.app)
            // One more tells whether there are more.
            let limit = try call.request.isForFile ? Int(Int32.max) : Self.maximumGroups + 1
            let counts = try await conversions.counts(
                app: call.app, scope, by: grouping, name: call.request.queryItems["event_name"], limit: limit)
            if counts.isEmpty { _ = try await apps.find(call.app) }
            return try .statistics(
                to: call, named: "conversions",
                columns: [grouping.rawValue, "name", "direct", "influenced", "direct_amount", "influenced_amount"],
                rows: counts.map(\.row)
            ) {
                [
                    "by": .string(grouping.rawValue), "begins_at": .time(scope.sentSince),
                    "ends_at": .time(scope.sentUntil),
                    "groups": .array(counts.prefix(Self.maximumGroups).map(\.json)),
                    "truncated": .bool(counts.count > Self.maximumGroups),
                ]
            }
        }
    }
}

extension ConversionStore.Count {
    fileprivate var json: JSON {
        [
            "value": .string(group), "name": .text(name), "direct": .count(direct), "influenced": .count(influenced),
            "direct_amount": .decimal(directAmount), "influenced_amount": .decimal(influencedAmount),
        ]
    }

    fileprivate var row: [TableValue] {
        [
            .text(group), TableValue(name), .number(direct), .number(influenced), .decimal(directAmount),
            .decimal(influencedAmount),
        ]
    }
}
