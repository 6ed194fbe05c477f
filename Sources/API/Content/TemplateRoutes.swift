import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

struct TemplateRoutes: RouteGroup {
    /// In bytes: room for 100 variants, each with a payload of Apple's maximum size and Liquid around it.
    static let bodyLimit = 2 * 1024 * 1024

    let apps: AppStore
    let templates: TemplateStore
    let campaigns: CampaignStore
    let contents: ContentLoader
    let devices: AddressedDeviceStore

    private let common = ResourceRoutes<Template>(
        resource: .template, path: "/templates", reading: .campaignsRead, writing: .campaignsWrite)

    func add(to routes: inout Routes) {
        addEditing(to: &routes)
        addReading(to: &routes)
        addPreviews(to: &routes)
    }

    private func addEditing(to routes: inout Routes) {
        routes.addForApp(
            .post, "/templates", for: .permission(.campaignsWrite), bodyLimit: Self.bodyLimit, takesIdempotencyKey: true
        ) { [templates, contents] call in
            var body = try await ObjectReader(call.request)
            body.require("name", "content")
            var draft = TemplateDraft()
            draft.read(&body)
            let checked = try await draft.checked(&body, contents, app: call.app)
            let template = try await templates.create(app: call.app, name: checked.name, content: checked.text)
            return template.response(checked, status: .created).located(at: call.path("templates", template.id))
        }
        routes.addForApp(
            .patch, "/templates/{template}", for: .permission(.campaignsWrite), bodyLimit: Self.bodyLimit
        ) { [templates, contents] call in
            let match = try IfMatch.required(call.request, of: "template")
            let current = try await contents.stored(call.template, app: call.app)
            try match.check(current.template.version)
            var body = try await ObjectReader(call.request)
            var draft = TemplateDraft(name: current.template.name, content: current.content)
            draft.read(&body)
            let checked = try await draft.checked(&body, contents, app: call.app)
            return try await templates.update(
                current.template.id, app: call.app, version: current.template.version, name: checked.name,
                content: checked.text
            ).response(checked)
        }
        routes.addForApp(
            .post, "/templates/{template}/duplicate", for: .permission(.campaignsWrite), takesIdempotencyKey: true
        ) {
            [templates, contents] call in
            let original = try await templates.find(call.template, app: call.app)
            let name = try await call.nameOfCopy(of: original.name)
            let copy = try await templates.duplicate(call.template, app: call.app, name: name)
            return try await contents.response(copy.id, app: call.app, status: .created)
                .located(at: call.path("templates", copy.id))
        }
        common.addArchiving(to: &routes) { [templates] isArchived, id, app, version in
            try await templates.setArchived(isArchived, id, app: app, expectedVersion: version)
        } response: { [contents] template, call in
            try await contents.response(template.id, app: call.app)
        }
        common.addDeletion(to: &routes) { [templates] id, app, version in
            try await templates.delete(id, app: app, expectedVersion: version)
        }
    }

    private func addReading(to routes: inout Routes) {
        common.addList(to: &routes, of: templates, apps) { _ in { .object($0.members) } }
        routes.addForApp(.get, "/templates/{template}", for: .permission(.campaignsRead), query: ["version"]) {
            [contents] call in
            try await contents.response(call.template, app: call.app, version: try call.request.version)
        }
        routes.addForApp(
            .get, "/templates/{template}/versions", for: .permission(.campaignsRead), query: Paging.parameters
        ) {
            [templates] call in
            let page = try Paging.page(call.request) { Int($0) }
            let list = try await templates.versions(
                of: call.template, app: call.app, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await templates.find(call.template, app: call.app) }
            let data: [JSON] = list.map { ["version": .count($0.number), "saved_at": .time($0.savedAt)] }
            return Paging.response(
                data, page, next: list.count == page.limit ? list.last.map { "\($0.number)" } : nil)
        }
        routes.addForApp(
            .get, "/templates/{template}/campaigns", for: .permission(.campaignsRead), query: Paging.parameters
        ) {
            [templates, campaigns] call in
            let page: Page<Campaign.ID> = try Paging.page(call.request)
            let list = try await campaigns.list(
                of: call.template, app: call.app, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await templates.find(call.template, app: call.app) }
            let data = try list.map { try $0.json() }
            return Paging.response(data, page, next: list.count == page.limit ? list.last?.id.description : nil)
        }
    }
}

extension AppCall {
    var template: Template.ID {
        get throws { try id("template", .template) }
    }
}

extension Request {
    /// The requested version; nil means the newest.
    fileprivate var version: Int? {
        get throws(APIError) {
            guard let text = queryItems["version"] else { return nil }
            guard let number = Int32(text), number > 0 else {
                throw .invalidVersion
            }
            return Int(number)
        }
    }

    /// A parameter that is true or false; false if it is absent.
    fileprivate func flag(_ name: String) throws(APIError) -> Bool {
        switch queryItems[name] {
        case nil, "false": return false
        case "true": return true
        default: throw .invalidFlag(name)
        }
    }
}
