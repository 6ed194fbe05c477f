import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// Topics that recipients can opt out of. Apps read the list with their publishable key, to show a switch for each.
struct TopicRoutes: RouteGroup {
    let apps: AppStore
    let topics: TopicStore

    func add(to routes: inout Routes) {
        routes.addForApp(.post, "/topics", for: .secret(.appsWrite), takesIdempotencyKey: true) { [topics] call in
            var body = try await ObjectReader(call.request)
            body.require("key", "name")
            let key = body.value("key") { (text) throws(InvalidValue) in try TopicKey(text) }
            let name = body.text("name", length: 1...Topic.maximumNameLength)
            let description = body.text("description", length: 0...Topic.maximumDescriptionLength)
            try body.finish()
            guard let key, let name else { throw APIError(problems: []) }
            let topic = try await topics.create(app: call.app, key: key, name: name, description: description ?? "")
            return .json(topic.json, version: topic.version, status: .created)
                .located(at: call.path("topics", topic.key.text))
        }
        routes.addForApp(.get, "/topics", for: .publishable(or: .appsRead), query: Paging.parameters) {
            [apps, topics] call in
            let page = try Paging.page(call.request) { try? TopicKey($0) }
            let list = try await topics.list(app: call.app, after: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(
                list.map(\.json), next: list.count == page.limit ? list.last?.key.text : nil)
        }
        routes.addForApp(.get, "/topics/{topic}", for: .publishable(or: .appsRead)) { [topics] call in
            let topic = try await topics.find(call.topic, app: call.app)
            return .json(topic.json, version: topic.version)
        }
        routes.addForApp(.patch, "/topics/{topic}", for: .secret(.appsWrite)) { [topics] call in
            var body = try await ObjectReader(call.request)
            let name = body.text("name", length: 1...Topic.maximumNameLength)
            let description = body.text("description", length: 0...Topic.maximumDescriptionLength)
            if body.has("key") {
                body.refuse("key", "not-allowed", "can't be changed, because devices and apps refer to it")
            }
            _ = body.take("key")
            try body.finish()
            let topic = try await topics.update(
                call.topic, app: call.app, name: name, description: description,
                expectedVersion: call.expectedVersion)
            return .json(topic.json, version: topic.version)
        }
        routes.addForApp(.delete, "/topics/{topic}", for: .secret(.appsWrite)) { [topics] call in
            try await ObjectReader.refuseBody(call.request)
            try await topics.delete(call.topic, app: call.app, expectedVersion: call.expectedVersion)
            return .noContent
        }
    }
}

extension AppCall {
    /// The topic in the path; a text that is not a topic key is a 404.
    fileprivate var topic: TopicKey {
        get throws {
            guard let text = request.parameters["topic"], let key = try? TopicKey(text) else {
                throw Refusal.notFound(.topic)
            }
            return key
        }
    }
}

extension Topic {
    fileprivate var json: JSON {
        [
            "key": .string(key.text), "name": .string(name), "description": .string(description),
            "version": .count(version), "created_at": .time(createdAt),
        ]
    }
}
