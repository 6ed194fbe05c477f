import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// Routes that change the state of a campaign: schedule, start, trigger, pause, resume, cancel.
struct CampaignTransitionRoutes: RouteGroup {
    /// The maximum number of user ids in one trigger request.
    private static let maximumUserIDs = 10_000

    /// In seconds.
    private static let maximumDelay = Int(CampaignStore.longestDelay.components.seconds)

    let campaigns: CampaignStore
    let runs: RunStore
    let starter: CampaignStarter
    let answers: CampaignAnswers
    let trigger: CampaignTrigger
    let launch: LaunchCheck

    func add(to routes: inout Routes) {
        routes.addForApp(.post, "/campaigns/{campaign}/schedule", for: .permission(.campaignsSend)) {
            [campaigns, launch, answers] call in
            var schedule: Schedule?
            if call.request.body.declaredLength != 0 {
                var body = try await ObjectReader(call.request)
                schedule = body.schedule("schedule")
                try body.finish()
            }
            let campaign = try await campaigns.find(call.campaign, app: call.app)
            try campaign.check(.schedule, expectedVersion: call.expectedVersion, to: schedule)
            _ = try await launch.launch(
                campaign, by: schedule ?? campaign.content.schedule, countingWithin: nil
            ).orThrow()
            return try await answers.response(
                campaigns.schedule(campaign.id, app: call.app, expectedVersion: campaign.version, to: schedule))
        }
        routes.addForApp(
            .post, "/campaigns/{campaign}/start", for: .permission(.campaignsSend), takesIdempotencyKey: true
        ) {
            [campaigns, runs, starter, launch, answers] call in
            var delay = 0
            if call.request.body.declaredLength != 0 {
                var body = try await ObjectReader(call.request)
                delay = body.whole("delay_seconds", in: 0...Self.maximumDelay) ?? 0
                try body.finish()
            }
            let campaign = try await campaigns.find(call.campaign, app: call.app)
            try campaign.check(.start, expectedVersion: call.expectedVersion)
            let launch = try await launch.launch(
                campaign, by: nil, countingWithin: LaunchCheck.countLimit
            ).orThrow()
            let change = try await campaigns.start(
                campaign.id, app: call.app, expectedVersion: campaign.version, delay: delay)
            if delay > 0 { return try await answers.response(change, status: .accepted) }
            let started = try await starter.startNow(campaign.id, app: call.app, launch)
            if case .refused(_, let reason)? = started { throw Refusal.startRefused(reason) }
            guard let run = try await runs.newest(of: campaign.id, app: call.app) else { throw Refusal.notFound(.run) }
            return run.created(in: call)
        }
        routes.addForApp(
            .post, "/campaigns/{campaign}/trigger", for: .permission(.campaignsSend), bodyLimit: SegmentRoutes.bodyLimit
        ) { [trigger, runs] call in
            let bytes = try await call.request.body.collect()
            var people: [String]?
            var values: JSON?
            if !bytes.isEmpty {
                try ObjectReader.checkContentType(call.request)
                var body = try ObjectReader(body: bytes)
                people = body.userIDs("user_ids", atMost: Self.maximumUserIDs)
                values = body.contentValues("values").map { .object($0) }
                try body.finish()
            }
            let id: Run.ID
            do {
                id = try await trigger.trigger(
                    call.campaign, app: call.app, userIDs: people, values: values,
                    key: IdempotencyKey(call.request, of: call.caller.keyOwner, body: bytes))
            } catch Refusal.audienceEmpty where people != nil {
                // People uninstall apps, so it is no error that none of them has a device.
                return .json(["id": .null])
            }
            return try await runs.find(id, app: call.app).created(in: call)
        }
        typealias Transition = @Sendable (CampaignStore, Campaign.ID, App.ID, Int?) async throws -> CampaignRecord
        let transitions: [(String, Transition)] = [
            ("unschedule", { try await $0.unschedule($1, app: $2, expectedVersion: $3) }),
            ("pause", { try await $0.pause($1, app: $2, expectedVersion: $3) }),
            ("resume", { try await $0.resume($1, app: $2, expectedVersion: $3) }),
            ("skip", { try await $0.skip($1, app: $2, expectedVersion: $3) }),
            ("cancel", { try await $0.cancel($1, app: $2, expectedVersion: $3) }),
        ]
        for (name, transition) in transitions {
            routes.addForApp(.post, "/campaigns/{campaign}/\(name)", for: .permission(.campaignsSend)) {
                [campaigns, answers] call in
                try await ObjectReader.refuseBody(call.request)
                return try await answers.response(
                    transition(campaigns, call.campaign, call.app, call.expectedVersion))
            }
        }
    }
}

extension RunRecord {
    /// The response to a request that started the run.
    fileprivate func created(in call: AppCall) -> Response {
        .json(.object(members), version: version, status: .created).located(at: call.path("runs", id))
    }
}

extension ObjectReader {
    /// Reads a non-empty list of user ids.
    fileprivate mutating func userIDs(_ key: String, atMost limit: Int) -> [String]? {
        guard let json = take(key) else { return nil }
        guard case .array(let elements) = json, 1...limit ~= elements.count else {
            refuse(key, "wrong-type", "must be a list of 1 to \(limit) user ids")
            return nil
        }
        var ids: [String] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let id) = element, 1...RegistrationBody.maximumUserIDLength ~= id.utf8.count,
                !id.utf8.contains(0)
            else {
                refuse(
                    at: "\(key)[\(index)]", "invalid-user-id",
                    "must be a user id, a text of 1 to \(RegistrationBody.maximumUserIDLength) bytes")
                return nil
            }
            ids.append(id)
        }
        return ids
    }
}
