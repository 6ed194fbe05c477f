import Campaigns
import HTTPServer
import HTTPTypes
import JSON

/// Routes that move resources of one kind into the archive and out of it, one by one or many in a request.
struct Archiving<Of, Record: Sendable>: Sendable {
    let resource: Resource
    /// Below the app: `/campaigns`.
    let path: String
    let access: Access
    /// Archives or unarchives the resource, if it has the expected version.
    let archive: @Sendable (Bool, Identifier<Of>, App.ID, Int?) async throws -> Record
    let response: @Sendable (Record, AppCall) async throws -> Response

    func add(to routes: inout Routes) {
        let name = resource.rawValue
        for (action, isArchived) in [("archive", true), ("unarchive", false)] {
            routes.addForApp(.post, "\(path)/{\(name)}/\(action)", for: access) { call in
                try await ObjectReader.refuseBody(call.request)
                let record = try await archive(isArchived, call.id(name, resource), call.app, call.expectedVersion)
                return try await response(record, call)
            }
            routes.addForApp(.post, "\(path)/\(action)", for: access) { call in
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
}

/// The result of archiving several resources, each of which is changed or refused on its own.
private struct ArchivedMany {
    /// Resources in one request; as many as a list has on a page.
    static let maximumCount = Paging.limits.upperBound

    var changed = 0
    private var failed: [JSON] = []

    mutating func add(_ refusal: Refusal, _ index: Int) {
        failed.append(["index": .count(index), "code": .string(refusal.code), "message": .string(refusal.message)])
    }

    var json: JSON { ["changed": .count(changed), "failed": .array(failed)] }
}
