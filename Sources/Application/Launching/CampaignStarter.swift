public import Campaigns
import EventLoop
public import JSON
import Postgres
public import Store

/// Turns campaigns that are due into runs. Any number of processes may try at the same time; each start is made by one.
public struct CampaignStarter: Sendable {
    /// Campaigns of one round at most.
    static let batchSize = 20
    /// For counting all audiences of a round, so that the last of many campaigns that are due at the same moment does
    /// not wait long for the others.
    static let roundLimit = Duration.milliseconds(400)
    /// The time after which the start of a campaign is given up, so that the others start: something it needs is
    /// locked.
    static let deadline = Duration.seconds(10)
    /// Seconds until a campaign that waits for its last run is examined again.
    static let retryDelay = 5

    private let campaigns: CampaignStore
    private let due: DueCampaignStore
    private let audit: ScheduleAudit
    private let check: LaunchCheck
    private let clock: DatabaseClock
    private let loop: EventLoop

    /// `clock` is the process's, if it has one.
    public init(stores: Stores, contents: ContentLoader, clock: DatabaseClock? = nil) {
        self.clock = clock ?? stores.clock
        campaigns = stores.campaigns
        due = stores.dueCampaigns
        audit = ScheduleAudit(stores: stores)
        check = LaunchCheck(stores: stores, contents: contents)
        loop = stores.pool.loop
    }

    /// The result for a campaign that was due.
    public enum Start: Hashable, Sendable {
        case run(Run.Key)
        /// A run that waits for a person's answer.
        case needsConfirmation(Run.Key)
        /// An occurrence was skipped, with the reason.
        case skipped(Campaign.Key, Message)
        /// The campaign failed, with the reason.
        case refused(Campaign.Key, Message)
        /// An unexpected error; the campaign is tried again in the next round.
        case failed(Campaign.Key, String)
    }

    /// Starts what is due, except campaigns that have just failed and wait. Nothing starts while the database's clock is
    /// suddenly ahead (`ClockJump`).
    public func startDue(except waiting: [Campaign.ID] = []) async throws -> [Start] {
        let expected = try await clock.now()
        let campaigns = try await due.due(limit: Self.batchSize, except: waiting).filter { _, campaign in
            guard case .success(let campaign) = campaign else { return true }
            return Double(campaign.now - expected) <= ClockJump.tolerance
        }
        let limit = min(LaunchCheck.countLimit, Self.roundLimit / max(1, campaigns.count))
        var starts: [Start] = []
        for (key, campaign) in campaigns {
            do {
                if let start = try await startInTime(try campaign.get(), counting: limit) { starts.append(start) }
            } catch let error as PostgresError where error.isDatabaseUnavailable && !error.concernsOneStatement {
                throw error
            } catch {
                // The other campaigns start nevertheless.
                starts.append(.failed(key, "\(error)"))
            }
        }
        return starts
    }

    /// Starts the run of a campaign that a person has started just now, after `launch` was checked. Nil if a worker did
    /// so meanwhile.
    public func startNow(_ id: Campaign.ID, app: App.ID, _ launch: LaunchCheck.Launch) async throws -> Start? {
        guard let campaign = try await due.started(id, app: app) else { return nil }
        return try await act(on: campaign, launch)
    }

    private func startInTime(_ campaign: DueCampaign, counting limit: Duration) async throws -> Start? {
        try await withThrowingTaskGroup(of: Start?.self) { group in
            group.addTask { try await start(campaign, counting: limit) }
            group.addTask {
                try await loop.sleep(for: Self.deadline)
                throw TookTooLong()
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private struct TookTooLong: Error, CustomStringConvertible {
        var description: String { "it took longer than \(CampaignStarter.deadline)" }
    }

    private func start(_ campaign: DueCampaign, counting limit: Duration) async throws -> Start? {
        if campaign.step(nil) == .wait {
            try await wait(campaign)
            return nil
        }
        return try await act(on: campaign, try await launch(campaign, counting: limit))
    }

    private func act(on campaign: DueCampaign, _ launch: LaunchCheck.Launch) async throws -> Start? {
        switch campaign.step(launch.obstacle) {
        case .wait:
            try await wait(campaign)
            return nil
        case .start(let occurrence, let question):
            let run = try await audit.recording(campaign, "start", question) {
                try await due.start(
                    campaign, occurrence, question: question, audience: launch.audience, estimated: launch.estimated)
            }
            return run.map {
                let key = Run.Key(app: campaign.app, id: $0)
                return question == nil ? .run(key) : .needsConfirmation(key)
            }
        case .skip(let reason):
            return try await audit.recording(campaign, "skip", reason) {
                try await due.pass(campaign, to: campaign.state, reason: reason)
                    ? Start.skipped(campaign.key, reason) : nil
            }
        case .fail(let reason):
            return try await audit.recording(campaign, "fail", reason) {
                try await due.pass(campaign, to: .failed, reason: reason) ? Start.refused(campaign.key, reason) : nil
            }
        }
    }

    /// An edit since the campaign was read is noticed when the start is stored.
    private func launch(_ campaign: DueCampaign, counting limit: Duration) async throws -> LaunchCheck.Launch {
        let record: CampaignRecord
        do {
            record = try await campaigns.find(campaign.id, app: campaign.app)
        } catch let error as PostgresError {
            throw error
        } catch {
            // It was stored under older rules and can't be read under the current ones.
            return LaunchCheck.Launch(obstacle: .unreadable(reasonForPeople(error)))
        }
        let occurrence: Occurrence? = if case .start(let start, _) = campaign.step(nil) { start } else { nil }
        return try await check.launch(
            record, occurrence, by: campaign.isStartedByHand ? nil : record.content.schedule, countingWithin: limit)
    }

    private func wait(_ campaign: DueCampaign) async throws {
        var next: Int?
        if campaign.due == nil, let schedule = campaign.schedule, let handled = campaign.handledUntil {
            next = SchedulePlan(schedule, handledUntil: handled).nextExaminedAt
        }
        try await due.postpone(campaign, to: next ?? campaign.now + Self.retryDelay)
    }
}
