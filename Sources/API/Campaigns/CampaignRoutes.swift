import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// Routes that create, edit, list, forecast, copy, archive and delete campaigns.
struct CampaignRoutes: RouteGroup {
    /// In bytes: room for the maximum number of user ids in an audience, and a payload.
    static let bodyLimit = SegmentRoutes.bodyLimit

    let apps: AppStore
    let campaigns: CampaignStore
    let contents: ContentLoader
    let audiences: AudienceCheck
    let forecaster: Forecaster
    let launch: LaunchCheck
    let runs: RunStore
    let approvals: ApprovalStore
    private var answers: CampaignAnswers { CampaignAnswers(contents: contents, approvals: approvals) }

    private let common = ResourceRoutes<Campaign>(
        resource: .campaign, path: "/campaigns", reading: .campaignsRead, writing: .campaignsWrite)

    private static let contentMembers = ["payload", "content", "template", "template_version", "variants"]

    /// Of the answer with counts.
    private static let maximumTags = 100

    func add(to routes: inout Routes) {
        addWriting(to: &routes)
        addReading(to: &routes)
        addPutting(to: &routes)
    }

    private func addWriting(to routes: inout Routes) {
        routes.addForApp(
            .post, "/campaigns", for: .permission(.campaignsWrite), bodyLimit: Self.bodyLimit, takesIdempotencyKey: true
        ) {
            [apps, campaigns, contents, audiences, answers] call in
            let app = try await apps.find(call.app)
            var body = try await ObjectReader(call.request)
            body.require("name")
            if !Self.contentMembers.contains(where: { body.has($0) }) { body.refuseNoContent() }
            var draft = CampaignDraft()
            draft.read(&body)
            let content = try await draft.content(&body, contents, audiences, app: app)
            // A draft with a time in the past could never be scheduled.
            try await campaigns.checkIsAhead(content.schedule, app: call.app)
            let made = try await campaigns.create(app: call.app, content)
            return try await answers.response(made, status: .created).located(at: call.path("campaigns", made.id))
        }
        routes.addForApp(.patch, "/campaigns/{campaign}", for: .permission(.campaignsWrite), bodyLimit: Self.bodyLimit)
        {
            [apps, campaigns, contents, audiences, answers] call in
            let match = try IfMatch.required(call.request, of: "campaign")
            let current = try await campaigns.find(call.campaign, app: call.app)
            try match.check(current.version)
            let app = try await apps.find(call.app)
            var body = try await ObjectReader(call.request)
            if let tags = body.onlyTags {
                try body.finish()
                return try await answers.response(
                    campaigns.retag(current.id, app: call.app, version: current.version, tags))
            }
            var draft = try CampaignDraft(current.content)
            draft.read(&body)
            let content = try await draft.content(&body, contents, audiences, app: app)
            return try await answers.response(
                campaigns.update(current.id, app: call.app, version: current.version, to: content))
        }
    }

    private func addReading(to routes: inout Routes) {
        routes.addForApp(
            .get, "/campaigns", for: .permission(.campaignsRead), query: ListQuery.parameters + ["state", "tag"]
        ) {
            [apps, campaigns, runs] call in
            let page = try ListQuery.page(call.request)
            let filter = try ListQuery.filter(call.request)
            let list = try await campaigns.list(
                app: call.app, filter, state: try call.request.campaignState, tag: call.request.queryItems["tag"],
                after: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            var newest: [Campaign.ID: RunRecord] = [:]
            for run in try await runs.newest(of: list.map(\.id), app: call.app) { newest[run.campaign] = run }
            return try ListQuery.response(list, page) {
                filter.position(id: $0.id.rawValue, name: $0.content.name, updatedAt: $0.updatedAt)
            } json: { campaign in
                let run = JSON.Member("last_run", newest[campaign.id]?.summary ?? .null)
                return try campaign.json(and: [run])
            }
        }
        routes.addForApp(.get, "/campaign-counts", for: .permission(.campaignsRead)) { [apps, campaigns] call in
            let counts = try await campaigns.counts(app: call.app)
            if counts.byState.isEmpty { _ = try await apps.find(call.app) }
            let states = CampaignState.allCases.map {
                JSON.Member($0.rawValue, .count(counts.byState[$0] ?? 0))
            }
            let tags = try await campaigns.tags(app: call.app, limit: Self.maximumTags)
            return .json([
                "by_state": .object(states), "archived": .count(counts.archived),
                "tags": .array(tags.map { ["tag": .string($0.tag), "count": .count($0.count)] }),
            ])
        }
        routes.addForApp(.get, "/campaigns/{campaign}", for: .permission(.campaignsRead)) {
            [campaigns, answers] call in
            try await answers.response(campaigns.find(call.campaign, app: call.app))
        }
        routes.addForApp(.get, "/campaigns/{campaign}/forecast", for: .permission(.campaignsRead)) {
            [campaigns, forecaster, launch] call in
            let campaign = try await campaigns.find(call.campaign, app: call.app)
            guard campaign.state.after(.start) != nil else { throw Refusal.alreadyStarted(campaign.state) }
            var problems = try await launch.obstacles(of: campaign).flatMap(\.problems)
            if try await campaigns.isPast(campaign) { problems.append(campaign.pastProblem) }
            return .json(try await forecaster.forecast(campaign).json(problems))
        }
    }

    private func addPutting(to routes: inout Routes) {
        routes.addForApp(
            .post, "/campaigns/{campaign}/duplicate", for: .permission(.campaignsWrite), takesIdempotencyKey: true
        ) { [campaigns, answers] call in
            let original = try await campaigns.find(call.campaign, app: call.app)
            let name = try await call.nameOfCopy(
                of: original.content.name, maximumLength: CampaignContent.maximumNameLength)
            let made = try await campaigns.duplicate(original.id, app: call.app, name: name)
            return try await answers.response(made, status: .created).located(at: call.path("campaigns", made.id))
        }
        common.addArchiving(to: &routes) { [campaigns] isArchived, id, app, version in
            try await campaigns.archive(id, app: app, isArchived, expectedVersion: version)
        } response: { [answers] campaign, _ in
            try await answers.response(campaign)
        }
        common.addDeletion(to: &routes) { [campaigns] id, app, version in
            try await campaigns.delete(id, app: app, expectedVersion: version)
        }
    }
}

extension CampaignRecord {
    /// The problem of a schedule in the past: a warning for a single point in time, because the campaign can still be
    /// started by hand.
    fileprivate var pastProblem: Problem {
        let severity: Problem.Severity = if case .at = content.schedule { .warning } else { .error }
        return Problem(
            path: "schedule", code: "schedule-past",
            message: "is entirely in the past, so the campaign can't be scheduled", severity: severity)
    }
}

extension Request {
    /// The requested state; nil if the parameter is absent.
    fileprivate var campaignState: CampaignState? {
        get throws(APIError) {
            guard let text = queryItems["state"] else { return nil }
            if let state = CampaignState(rawValue: text) { return state }
            let names = CampaignState.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidState(names)
        }
    }
}
