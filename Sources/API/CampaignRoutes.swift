import Campaigns
import HTTPServer
import HTTPTypes
import Notifications
import Postgres
import Store

struct CampaignRoutes: RouteGroup {
    let apps: AppStore
    let campaigns: CampaignStore
    let contents: Contents

    /// How far in the past a schedule may lie: clocks differ, and people take their time over a form.
    private static let pastTolerance = Duration.seconds(60)

    func add(to routes: inout Routes) {
        addEditing(to: &routes)
        addMoves(to: &routes)
    }

    private func addEditing(to routes: inout Routes) {
        routes.addForApp(.post, "/campaigns", for: .secret(.campaignsWrite)) { [apps, campaigns, contents] call in
            let app = try await apps.find(call.app)
            var body = try await BodyReader(call.request)
            body.require("name")
            if !body.has("template"), !body.has("template_version") { body.require("payload") }
            var draft = CampaignDraft()
            draft.read(&body)
            let content = try await draft.content(&body, contents, app: app)
            return try await campaigns.create(app: call.app, content).response(status: .created)
        }
        routes.addForApp(.get, "/campaigns", for: .secret(.campaignsRead)) { [apps, campaigns] call in
            let page: Page<Campaign.ID> = try Paging.page(call.request)
            let list = try await campaigns.list(app: call.app, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            let data = try list.map { try $0.json() }
            return Paging.response(data, next: list.count == page.limit ? list.last?.id.description : nil)
        }
        routes.addForApp(.get, "/campaigns/{campaign}", for: .secret(.campaignsRead)) { [campaigns] call in
            try await campaigns.find(call.campaign, app: call.app).response()
        }
        routes.addForApp(.patch, "/campaigns/{campaign}", for: .secret(.campaignsWrite)) {
            [apps, campaigns, contents] call in
            guard let match = try IfMatch(call.request) else {
                throw Refusal(
                    .preconditionRequired, "if-match-required",
                    "Send the campaign's ETag as If-Match, so that nobody's edit is lost.", field: "If-Match")
            }
            let current = try await campaigns.find(call.campaign, app: call.app)
            try match.check(current.version)
            let app = try await apps.find(call.app)
            var body = try await BodyReader(call.request)
            var draft = try CampaignDraft(current.content)
            draft.read(&body)
            let content = try await draft.content(&body, contents, app: app)
            guard current.state != .scheduled || content.sendAt != nil else {
                throw Refusal(problems: [
                    Problem(path: "send_at", code: "missing", message: "must be there while the campaign is scheduled")
                ])
            }
            return try await campaigns.update(current.id, app: call.app, version: current.version, to: content)
                .response()
        }
        routes.addForApp(.delete, "/campaigns/{campaign}", for: .secret(.campaignsWrite)) { [campaigns] call in
            try await campaigns.delete(call.campaign, app: call.app)
            return .noContent
        }
    }

    private func addMoves(to routes: inout Routes) {
        routes.addForApp(.post, "/campaigns/{campaign}/schedule", for: .secret(.campaignsSend)) { [campaigns] call in
            var body = try await BodyReader(call.request)
            body.require("send_at")
            let time = body.time("send_at")
            if let time, time < Timestamp.now - Self.pastTolerance {
                body.refuse("send_at", "in-the-past", "must not lie in the past; to send now, start the campaign")
            }
            try body.finish()
            guard let time else { throw Refusal(problems: []) }
            return try await campaigns.schedule(call.campaign, app: call.app, at: time).response()
        }
        typealias Move = @Sendable (CampaignStore, Campaign.ID, App.ID) async throws -> CampaignRecord
        let moves: [(String, Move)] = [
            ("unschedule", { try await $0.unschedule($1, app: $2) }),
            ("start", { try await $0.start($1, app: $2) }),
            ("pause", { try await $0.pause($1, app: $2) }),
            ("resume", { try await $0.resume($1, app: $2) }),
            ("cancel", { try await $0.cancel($1, app: $2) }),
        ]
        for (name, move) in moves {
            routes.addForApp(.post, "/campaigns/{campaign}/\(name)", for: .secret(.campaignsSend)) {
                [campaigns] call in
                try await BodyReader.refuseBody(call.request)
                return try await move(campaigns, call.campaign, call.app).response()
            }
        }
    }
}

extension AppCall {
    fileprivate var campaign: Campaign.ID {
        get throws { try id("campaign", .campaign) }
    }
}

extension CampaignRecord {
    fileprivate func response(status: HTTPResponse.Status = .ok) throws -> Response {
        .json(try json(), version: version, status: status)
    }

    func json() throws -> JSON {
        let payload = try content.payload.map { try JSON(parsing: $0) }
        return [
            "id": .id(id), "app_id": .id(app), "name": .string(content.name), "state": .string(state.rawValue),
            "reason": .text(reason), "payload": payload ?? .null,
            "template": content.template.map { .id($0.id) } ?? .null,
            "template_version": content.template.map { .count($0.version) } ?? .null,
            "push_type": .string(content.pushType.rawValue),
            "priority": .count(content.priority.rawValue), "expiration_seconds": .count(content.expirationSeconds),
            "collapse_id": .text(content.collapseID?.text), "unknown_policy": .string(content.unknownPolicy.rawValue),
            "topic": .text(content.topic?.text), "send_at": .time(content.sendAt), "version": .count(version),
            "warnings": .array(try payload.map { try warnings($0).map(\.json) } ?? []),
            "created_at": .time(createdAt), "updated_at": .time(updatedAt),
        ]
    }

    /// What Apple accepts and a person should still know. A template says its own.
    private func warnings(_ payload: JSON) throws -> [Problem] {
        let rules = PushRules(pushType: content.pushType, priority: content.priority, messageIDKey: nil)
        let problems = rules.problems(in: try Payload(json: payload)).filter { $0.severity != .error }
        return (problems + PlainContent.warnings(in: payload)).map(\.ofCampaign)
    }
}
