import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Postgres
import Store

/// Requests to approve a campaign, and the decisions of a second person about them.
struct ApprovalRoutes: RouteGroup {
    /// For counting the audience of a request: somebody waits for the answer.
    private static let countLimit = Duration.seconds(1)

    let apps: AppStore
    let campaigns: CampaignStore
    let approvals: ApprovalStore
    let segments: SegmentStore
    let check: ApprovalCheck
    let launch: LaunchCheck

    func add(to routes: inout Routes) {
        addReading(to: &routes)
        routes.addForApp(
            .post, "/campaigns/{campaign}/approvals", for: .permission(.campaignsWrite), takesIdempotencyKey: true
        ) { call in
            var comment = ""
            if call.request.body.declaredLength != 0 {
                var body = try await ObjectReader(call.request)
                comment = body.text("comment", length: 0...Approval.maximumCommentLength, as: .any) ?? ""
                try body.finish()
            }
            let campaign = try await campaigns.find(call.campaign, app: call.app)
            let made = try await request(campaign, comment, by: call.caller, expectedVersion: call.expectedVersion)
            return try await answer(made, for: call.caller, status: .created)
                .located(at: call.path("approvals", made.id))
        }
        routes.addForApp(.post, "/approvals/{approval}/approve", for: .permission(.campaignsApprove)) { call in
            let comment = try await call.decisionComment(isRequired: false)
            let approval = try await approvals.find(call.approval, app: call.app)
            let person = try call.caller.second(after: approval)
            try await approve(approval, by: person, named: call.caller.shownName, comment)
            return try await answer(approvals.find(approval.id, app: call.app), for: call.caller)
        }
        routes.addForApp(.post, "/approvals/{approval}/reject", for: .permission(.campaignsApprove)) { call in
            let comment = try await call.decisionComment(isRequired: true)
            let approval = try await approvals.find(call.approval, app: call.app)
            let person = try call.caller.second(after: approval)
            try await decide(approval, .rejected, by: person, named: call.caller.shownName, comment)
            return try await answer(approvals.find(approval.id, app: call.app), for: call.caller)
        }
        routes.addForApp(.post, "/approvals/{approval}/withdraw", for: .permission(.campaignsWrite)) { call in
            try await ObjectReader.refuseBody(call.request)
            let approval = try await approvals.find(call.approval, app: call.app)
            try await decide(
                approval, .withdrawn, by: call.caller.person, named: call.caller.shownName, nil)
            return try await answer(approvals.find(approval.id, app: call.app), for: call.caller)
        }
    }

    private func addReading(to routes: inout Routes) {
        routes.addForApp(
            .get, "/approvals", for: .permission(.campaignsRead), query: Paging.parameters + ["campaign", "waiting"]
        ) { call in
            let page: Page<Approval.ID> = try Paging.page(call.request)
            let list = try await approvals.list(
                app: call.app, campaign: try call.request.campaignFilter, isWaiting: try call.request.flag("waiting"),
                before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(list, page, id: \.id) { .object($0.members(for: call.caller)) }
        }
        routes.addForApp(.get, "/approval-counts", for: .permission(.campaignsRead)) { call in
            _ = try await apps.find(call.app)
            let counts = try await approvals.counts(app: call.app, for: call.caller.person)
            return .json([
                "waiting": .count(counts.waiting), "for_you": .count(counts.forYou), "yours": .count(counts.yours),
            ])
        }
        routes.addForApp(.get, "/approvals/{approval}", for: .permission(.campaignsRead)) { call in
            try await answer(approvals.find(call.approval, app: call.app), for: call.caller)
        }
    }

    private func request(
        _ campaign: CampaignRecord, _ comment: String, by caller: Caller, expectedVersion: Int?
    ) async throws -> ApprovalRecord {
        try campaign.check(.schedule, expectedVersion: expectedVersion, to: campaign.content.schedule)
        let app = try await apps.find(campaign.app)
        let above = app.settings.approvalAbove
        let audience = try await segments.resolve(member: campaign.content.audience, app: campaign.app)
        let schedule = campaign.content.schedule
        let count = try await launch.count(audience, of: campaign, in: app, by: schedule, within: Self.countLimit)
        let recipients = ApprovalCheck.recipients(count, above: above)
        switch try await check.standing(
            of: campaign, by: schedule, to: audience, recipients: recipients, above: above)
        {
        case .notNeeded: throw Refusal.approvalNotNeeded
        case .waiting, .approved: throw Refusal.approvalInForce
        case .missing, .changed, .grown, .expired: break
        }
        if let obstacle = try await launch.obstacles(of: campaign).first { throw obstacle.error }
        let plan = try await campaigns.schedulePlan(schedule, of: campaign.id, app: campaign.app)
        let next = plan.flatMap { plan in schedule?.next(after: plan.handledUntil) }
        return try await approvals.request(
            ApprovalStore.Request(
                campaign: campaign, content: try Approval.content(campaign.content, by: schedule, to: audience),
                recipients: recipients, requestedBy: caller.person, requester: caller.shownName, comment: comment,
                overdueAt: schedule?.isRepeated == true ? nil : next?.first))
    }

    /// Approves, and schedules the campaign by the schedule that is approved.
    private func approve(
        _ approval: ApprovalRecord, by person: User.ID, named name: String, _ comment: String?
    ) async throws {
        if approval.state != .waiting { throw Refusal.approvalDecided }
        if approval.isOverdue { throw Refusal.approvalOverdue }
        let campaign = try await campaigns.find(approval.campaign, app: approval.app)
        let audience = try await segments.resolve(member: campaign.content.audience, app: campaign.app)
        let schedule = campaign.content.schedule
        guard try Approval.content(campaign.content, by: schedule, to: audience) == approval.content else {
            throw Refusal.approvalChanged
        }
        try await decide(
            approval, .approved, by: person, named: name, comment, version: campaign.version)
        guard let schedule, campaign.state != .scheduled else { return }
        _ = try await launch.launch(campaign, by: schedule, countingWithin: nil).orThrow()
        _ = try await campaigns.schedule(campaign.id, app: campaign.app, expectedVersion: campaign.version)
    }

    private func decide(
        _ approval: ApprovalRecord, _ state: Approval.State, by person: User.ID?, named name: String,
        _ comment: String?,
        version: Int? = nil
    ) async throws {
        guard
            try await approvals.decide(approval, state, by: person, named: name, comment: comment, version: version)
        else { throw Refusal.approvalDecided }
    }

    /// With what is approved, and the request before it.
    private func answer(
        _ approval: ApprovalRecord, for caller: Caller, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let previous = try await approvals.newest(of: approval.campaign, app: approval.app, before: approval.id)
        return .json(
            .object(
                approval.members(for: caller) + [
                    JSON.Member("content", approval.content),
                    JSON.Member(
                        "previous",
                        previous.map { .object($0.members(for: caller) + [JSON.Member("content", $0.content)]) }
                            ?? .null),
                ]), version: approval.version, status: status)
    }
}

extension AppCall {
    fileprivate var approval: Approval.ID {
        get throws { try id("approval", .approval) }
    }

    fileprivate func decisionComment(isRequired: Bool) async throws -> String? {
        guard isRequired || request.body.declaredLength != 0 else { return nil }
        var body = try await ObjectReader(request)
        if isRequired { body.require("comment") }
        let comment = body.text(
            "comment", length: (isRequired ? 1 : 0)...Approval.maximumCommentLength, as: .any)
        try body.finish()
        return comment
    }
}

extension Caller {
    /// The name of the person, or of the API key.
    fileprivate var shownName: String {
        switch self {
        case .key(let key): key.name
        case .person(let signedIn, _): signedIn.user.name.isEmpty ? signedIn.user.email.text : signedIn.user.name
        }
    }

    /// The person who decides. An API key decides nothing: it is not a second person.
    fileprivate func second(after approval: ApprovalRecord) throws -> User.ID {
        guard case .person(let signedIn, _) = self else { throw APIError.signInRequired }
        if approval.requestedBy == signedIn.user.id { throw Refusal.ownApproval }
        return signedIn.user.id
    }
}

extension Request {
    fileprivate var campaignFilter: Campaign.ID? {
        get throws {
            guard let text = queryItems["campaign"] else { return nil }
            guard let id = Campaign.ID(text) else { throw Refusal.notFound(.campaign) }
            return id
        }
    }
}
