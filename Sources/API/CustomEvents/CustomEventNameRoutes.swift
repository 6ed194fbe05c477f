import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// The names of custom events, for people who choose among them: what each means, and how often it happens.
struct CustomEventNameRoutes: RouteGroup {
    let apps: AppStore
    let names: CustomEventNameStore

    func add(to routes: inout Routes) {
        routes.addForApp(
            .get, "/custom-event-names", for: .permission(.campaignsRead), query: Paging.parameters
        ) { call in
            let page = try Paging.page(call.request) { $0 }
            let list = try await names.list(app: call.app, after: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(list.map(\.json), page, next: list.count == page.limit ? list.last?.name : nil)
        }
        routes.addForApp(.get, "/custom-event-names/{event}", for: .permission(.campaignsRead)) { call in
            let name = try await names.find(call.event, app: call.app)
            return .json(name.json, version: name.version)
        }
        routes.addForApp(.patch, "/custom-event-names/{event}", for: .permission(.appsWrite)) { call in
            let current = try await names.find(call.event, app: call.app)
            try Refusal.checkVersion(current.version, call.expectedVersion)
            var body = try await ObjectReader(call.request)
            let description = body.text(
                "description", length: 0...CustomEventNameStore.maximumDescriptionLength, as: .any)
            let endsConversions = body.takeNull("conversion_days")
            let days = body.whole("conversion_days", in: ConversionStore.days)
            try body.finish()
            let name = try await names.update(
                call.event, app: call.app, description: description ?? current.description,
                conversionDays: endsConversions ? nil : days ?? current.conversionDays,
                expectedVersion: current.version)
            return .json(name.json, version: name.version)
        }
        routes.addForApp(.delete, "/custom-event-names/{event}", for: .permission(.appsWrite)) { call in
            try await ObjectReader.refuseBody(call.request)
            try await names.delete(call.event, app: call.app, expectedVersion: call.expectedVersion)
            return .noContent
        }
    }
}

extension AppCall {
    /// A name in the path. One that was never reported is a 404.
    var event: String { get throws { request.parameters["event"] ?? "" } }
}

extension CustomEventNameStore.Name {
    fileprivate var json: JSON {
        [
            "name": .string(name), "description": .string(description),
            "conversion_days": conversionDays.map { .count($0) } ?? .null, "properties": .texts(properties),
            "last_30_days": ["count": .count(count), "amount": .decimal(amount)], "version": .count(version),
            "created_at": .time(createdAt), "updated_at": .time(updatedAt),
        ]
    }
}
