import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Store

/// The routes that are the same for each kind of resource that people edit in an app.
struct ResourceRoutes<Of>: Sendable {
    let resource: Resource
    /// Below the app: `/campaigns`.
    let path: String
    let reading: Permission
    let writing: Permission

    /// Moves resources into the archive and out of it, one by one or many in a request. `archive` checks the version.
    func addArchiving<Record>(
        to routes: inout Routes,
        _ archive: @escaping @Sendable (Bool, Identifier<Of>, App.ID, Int?) async throws -> Record,
        response: @escaping @Sendable (Record, AppCall) async throws -> Response
    ) {
        let name = resource.rawValue
        for (action, isArchived) in [("archive", true), ("unarchive", false)] {
            routes.addForApp(.post, "\(path)/{\(name)}/\(action)", for: .permission(writing)) { call in
                try await ObjectReader.refuseBody(call.request)
                let record = try await archive(isArchived, call.id(name, resource), call.app, call.expectedVersion)
                return try await response(record, call)
            }
            routes.addForApp(.post, "\(path)/\(action)", for: .permission(writing)) { call in
                var body = try await ObjectReader(call.request)
                body.require("ids")
                let texts = body.names("ids", upTo: ArchivedMany.maximumCount, of: "id") ?? []
                try body.finish()
                var result = ArchivedMany()
                for (index, text) in texts.enumerated() {
                    do {
                        guard let id = Identifier<Of>(text) else { throw Refusal.notFound(resource) }
                        _ = try await archive(isArchived, id, call.app, nil)
                        result.changed += 1
                    } catch let refusal as Refusal {
                        result.add(refusal, index)
                    }
                }
                return .json(result.json)
            }
        }
    }

    /// Deletes a resource, at the version that If-Match requires.
    func addDeletion(
        to routes: inout Routes, _ delete: @escaping @Sendable (Identifier<Of>, App.ID, Int?) async throws -> Void
    ) {
        let name = resource.rawValue
        routes.addForApp(.delete, "\(path)/{\(name)}", for: .permission(writing)) { call in
            try await ObjectReader.refuseBody(call.request)
            try await delete(call.id(name, resource), call.app, call.expectedVersion)
            return .noContent
        }
    }

    /// Lists entries by name. `json` prepares what all entries of a page need.
    func addList<Entries: EntryStore>(
        to routes: inout Routes, of entries: Entries, _ apps: AppStore,
        json: @escaping @Sendable (AppCall) async throws -> @Sendable (Entry<Of, Entries.Value>) -> JSON
    ) where Entries.Of == Of, Entries.Value: Named {
        routes.addForApp(.get, path, for: .permission(reading), query: ListQuery.parameters) { call in
            let page = try ListQuery.page(call.request)
            let filter = try ListQuery.filter(call.request)
            let list = try await entries.list(app: call.app, filter, after: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return ListQuery.response(list, page, position: filter.position(of:), json: try await json(call))
        }
    }
}

/// The result of archiving several resources, each of which is changed or refused on its own.
private struct ArchivedMany {
    /// Resources in one request; as many as a list has on a page.
    static let maximumCount = Paging.limits.upperBound

    var changed = 0
    private var failed: [JSON] = []

    mutating func add(_ refusal: Refusal, _ index: Int) {
        failed.append(
            .object(
                [JSON.Member("index", .count(index)), JSON.Member("code", .string(refusal.code))]
                    + refusal.message.members("message")))
    }

    var json: JSON { ["changed": .count(changed), "failed": .array(failed)] }
}
