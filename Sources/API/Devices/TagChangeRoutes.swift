import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// Adds tags to everybody in an audience, or removes them. A worker makes the change, so that the request need not
/// wait.
struct TagChangeRoutes: RouteGroup {
    private static let path = "/tag-changes"

    let apps: AppStore
    let changes: TagChangeStore
    let segments: SegmentStore
    let check: AudienceCheck

    func add(to routes: inout Routes) {
        routes.addForApp(
            .post, Self.path, for: .permission(.devicesWrite), bodyLimit: SegmentRoutes.bodyLimit,
            takesIdempotencyKey: true
        ) { [changes, segments, check] call in
            var body = try await ObjectReader(call.request)
            body.require("audience")
            let audience = try await body.audience("audience", check, app: call.app)
            let own = body.tagEdit()
            let person = body.object("person") { reader in
                let edit = reader.tagEdit()
                reader.refuseRest()
                return edit
            }
            if body.isValid, own.isEmpty, person?.isEmpty ?? true {
                body.refuse("add_tags", "missing", "is required, or remove_tags, or one of them in person")
            }
            try body.finish()
            guard let audience else { throw APIError(problems: []) }
            let resolved = try await segments.resolve(member: audience, app: call.app)
            let change = try await changes.create(
                app: call.app, audience, resolved, own: own, person: person ?? TagEdit())
            return .json(change.json, version: change.version, status: .created)
                .located(at: call.path("tag-changes", change.id))
        }
        routes.addForApp(.get, Self.path, for: .permission(.devicesRead), query: Paging.parameters + ["state"]) {
            [apps, changes] call in
            let page: Page<TagChange.ID> = try Paging.page(call.request)
            let list = try await changes.list(
                app: call.app, state: try call.request.tagChangeState, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(list, page, id: \.id) { $0.json }
        }
        routes.addForApp(.get, Self.path + "/{tag_change}", for: .permission(.devicesRead)) { [changes] call in
            let change = try await changes.find(call.tagChange, app: call.app)
            return .json(change.json, version: change.version)
        }
        routes.addForApp(.post, Self.path + "/{tag_change}/cancel", for: .permission(.devicesWrite)) { [changes] call in
            try await ObjectReader.refuseBody(call.request)
            let change = try await changes.cancel(
                call.tagChange, app: call.app, expectedVersion: call.expectedVersion)
            return .json(change.json, version: change.version)
        }
    }
}

extension AppCall {
    fileprivate var tagChange: TagChange.ID {
        get throws { try id("tag_change", .tagChange) }
    }
}

extension Request {
    /// The requested state; nil if the parameter is absent.
    fileprivate var tagChangeState: TagChange.State? {
        get throws(APIError) {
            guard let text = queryItems["state"] else { return nil }
            if let state = TagChange.State(rawValue: text) { return state }
            let states = TagChange.State.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidState(states)
        }
    }
}

extension ObjectReader {
    /// Reads `add_tags` and `remove_tags`, which can't have a tag in common.
    fileprivate mutating func tagEdit() -> TagEdit {
        let edit = TagEdit(add: tags("add_tags"), remove: tags("remove_tags"))
        for tag in edit.add where edit.remove.contains(where: { $0.utf8.elementsEqual(tag.utf8) }) {
            refuse("add_tags", "not-allowed", "can't contain \(tag), which is to be removed")
        }
        return edit
    }

    private mutating func tags(_ key: String) -> [String] {
        guard !takeNull(key), let tags = names(key, upTo: RegistrationBody.maximumTags, of: "tag") else { return [] }
        for (index, tag) in tags.enumerated() {
            guard let problem = RegistrationBody.problem(withTag: tag) else { continue }
            refuse(at: "\(key)[\(index)]", problem.code, problem.message)
        }
        return SetChange.set(tags.map(\.composed))
    }
}

extension TagEdit {
    fileprivate var members: [JSON.Member] {
        [JSON.Member("add_tags", .texts(add)), JSON.Member("remove_tags", .texts(remove))]
    }
}

extension TagChangeRecord {
    fileprivate var json: JSON {
        .object(
            [
                JSON.Member("id", .id(id)), JSON.Member("app_id", .id(app)), JSON.Member("version", .count(version)),
                JSON.Member("state", .string(state.rawValue)), JSON.Member("reason", .text(reason)),
                JSON.Member("reason_localization", .localization(reason)),
                JSON.Member("audience", audience.json),
            ] + own.members + [
                JSON.Member("person", .object(person.members)),
                JSON.Member("progress", .number(JSON.Number(shortest: progress))),
                JSON.Member("devices_matched", .count(devicesMatched)),
                JSON.Member("devices_changed", .count(devicesChanged)),
                JSON.Member("people_changed", .count(peopleChanged)), JSON.Member("skipped", .count(skipped)),
                JSON.Member("created_at", .time(createdAt)), JSON.Member("finished_at", .time(finishedAt)),
            ])
    }
}
