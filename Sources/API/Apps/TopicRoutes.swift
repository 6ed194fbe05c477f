import Administration
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
        routes.addForApp(.post, "/topics", for: .permission(.appsWrite), takesIdempotencyKey: true) { [topics] call in
            var body = try await ObjectReader(call.request)
            body.require("key", "name")
            let key = body.value("key") { (text) throws(InvalidValue) in try TopicKey(text) }
            let text = TopicText(&body)
            try body.finish()
            guard let key, let name = text.name else { throw APIError(problems: []) }
            let standard = Topic.Text(name: name, description: text.description ?? "")
            let topic = try await topics.create(
                app: call.app, key: key, Localized(standard, text.translations ?? [:]))
            return .json(topic.json(), version: topic.version, status: .created)
                .located(at: call.path("topics", topic.key.text))
        }
        routes.addForApp(
            .get, "/topics", for: .publishable(or: .appsRead), query: Paging.parameters + ["locale", "archived"]
        ) { [apps, topics] call in
            let page = try Paging.page(call.request) { try? TopicKey($0) }
            let locale = try call.request.locale()
            let isArchived = try call.request.flag("archived") ?? false
            let list = try await topics.list(
                app: call.app, isArchived: isArchived, after: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(
                list.map { $0.json(for: locale) }, page,
                next: list.count == page.limit ? list.last?.key.text : nil)
        }
        routes.addForApp(.get, "/topics/{topic}", for: .publishable(or: .appsRead), query: ["locale"]) {
            [topics] call in
            let locale = try call.request.locale()
            let topic = try await topics.find(call.topic, app: call.app)
            return .json(topic.json(for: locale), version: topic.version)
        }
        routes.addForApp(.patch, "/topics/{topic}", for: .permission(.appsWrite)) { [topics] call in
            var body = try await ObjectReader(call.request)
            let text = TopicText(&body)
            if body.has("key") {
                body.refuse("key", "not-allowed", "can't be changed, because devices and apps refer to it")
            }
            _ = body.take("key")
            try body.finish()
            let topic = try await topics.update(
                call.topic, app: call.app, name: text.name, description: text.description,
                translations: text.translations, expectedVersion: call.expectedVersion)
            return .json(topic.json(), version: topic.version)
        }
        for (action, isArchived) in [("archive", true), ("unarchive", false)] {
            routes.addForApp(.post, "/topics/{topic}/\(action)", for: .permission(.appsWrite)) { [topics] call in
                try await ObjectReader.refuseBody(call.request)
                let topic = try await topics.archive(
                    isArchived, call.topic, app: call.app, expectedVersion: call.expectedVersion)
                return .json(topic.json(), version: topic.version)
            }
        }
        routes.addForApp(.delete, "/topics/{topic}", for: .permission(.appsWrite)) { [topics] call in
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
    /// With a locale, its texts only; otherwise the default ones and all translations.
    fileprivate func json(for locale: LocaleTag? = nil) -> JSON {
        let text = self.text(for: locale)
        var members: [JSON.Member] = [
            JSON.Member("key", .string(key.text)), JSON.Member("name", .string(text.name)),
            JSON.Member("description", .string(text.description ?? "")),
        ]
        if locale == nil { members.append(JSON.Member("translations", Self.json(self.text.variants))) }
        members += [
            JSON.Member("archived_at", .time(archivedAt)), JSON.Member("version", .count(version)),
            JSON.Member("created_at", .time(createdAt)),
        ]
        return .object(members)
    }
}
