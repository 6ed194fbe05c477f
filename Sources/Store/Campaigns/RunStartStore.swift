public import Campaigns
import JSON
import Notifications
public import Postgres

/// Turns campaigns that are due into runs. Any number of processes may try at once; each start is made by one.
public struct RunStartStore: Sendable {
    /// Looked at in one round at most.
    static let batchSize = 20
    /// For the count of the audience beside a run, at most; and for all counts of a round, so that the last of many that
    /// are due at nine sharp does not wait for the others.
    static let countBudget = Duration.milliseconds(250)
    static let roundBudget = Duration.milliseconds(500)
    /// How soon a campaign that waits for its last run is looked at again.
    static let patience = 5

    private let pool: PostgresPool
    private let campaigns: CampaignStore
    private let content: LaunchContentCheck
    private let segments: SegmentStore
    private let counts: AudienceCountStore

    /// `media` finds what templates name.
    public init(pool: PostgresPool, media: (any MediaFinder)? = nil) {
        self.pool = pool
        campaigns = CampaignStore(pool: pool)
        content = LaunchContentCheck(pool: pool, media: media)
        segments = SegmentStore(pool: pool)
        counts = AudienceCountStore(pool: pool)
    }

    /// What became of a campaign that was due.
    public enum Start: Hashable, Sendable {
        case run(Run.ID)
        /// A run that waits for a person's answer.
        case asks(Run.ID)
        /// An occurrence, in words.
        case leftOut(Campaign.ID, String)
        case refused(Campaign.ID, String)
        /// Nobody expected it; it is tried again in the next round.
        case failed(Campaign.ID, String)
    }

    /// Starts what is due, or says why not.
    public func startDue() async throws -> [Start] {
        let rows = try await pool.query("\(DueCampaign.select) ORDER BY c.send_at LIMIT \(Self.batchSize)")
        let budget = min(Self.countBudget, Self.roundBudget / max(1, rows.count))
        var starts: [Start] = []
        for row in rows {
            do {
                if let start = try await start(try DueCampaign(row), budget: budget) { starts.append(start) }
            } catch let error as PostgresError where error.meansAbsence {
                throw error
            } catch {
                // The others start all the same.
                starts.append(.failed(try row[0], "\(error)"))
            }
        }
        return starts
    }

    private func start(_ due: DueCampaign, budget: Duration) async throws -> Start? {
        if due.step(problem: nil, isEmpty: false) == .wait {
            try await wait(due)
            return nil
        }
        let (audience, count, problem) = try await look(at: due, budget: budget)
        switch due.step(problem: problem, isEmpty: count?.isExact == true && count?.matches == 0) {
        case .wait:
            try await wait(due)
            return nil
        case .start(let occurrence, let question):
            let run = try await start(due, occurrence, question: question, audience, estimated: count?.matches ?? 0)
            return run.map { question == nil ? .run($0) : .asks($0) }
        case .leaveOut(let words):
            return try await move(due, to: due.state, because: words) ? .leftOut(due.id, words) : nil
        case .refuse(let words):
            return try await move(due, to: .failed, because: words) ? .refused(due.id, words) : nil
        }
    }

    /// With what is wrong in words: a segment may have gone, or a setting of the app grown, since it was saved.
    private func look(
        at due: DueCampaign, budget: Duration
    ) async throws -> (ResolvedAudience, AudienceCount?, String?) {
        if let problem = try await contentProblem(due) { return (.everybody, nil, problem) }
        do {
            let resolved = try await segments.resolve(member: due.audience, app: due.app)
            return (resolved, try await counts.count(resolved, app: due.app, budget: budget), nil)
        } catch let error as Problems {
            return (.everybody, nil, "The audience cannot be found out: \(error.problems.words)")
        }
    }

    private func contentProblem(_ due: DueCampaign) async throws -> String? {
        do {
            // An edit since it was read is noticed when it is claimed.
            let stored = try await campaigns.find(due.id, app: due.app).content
            let problems = try await content.problems(of: stored, app: due.app)
            return problems.isEmpty ? nil : "The content cannot be sent as it is: \(problems.words)"
        } catch let error as PostgresError {
            throw error
        } catch {
            // It was stored when other rules held, or what it names is gone.
            return "The content cannot be read: \(error)"
        }
    }

    private func wait(_ due: DueCampaign) async throws {
        let next =
            due.due == nil
            ? due.schedule.flatMap { schedule in
                due.handledUntil.flatMap { SchedulePlan(schedule, handledUntil: $0).nextLook }
            } : due.now + Self.patience
        try await pool.execute(
            """
            UPDATE campaigns SET send_at = to_timestamp(\(Double(next ?? due.now + Self.patience)))
            WHERE \(due.isUnchanged)
            """)
    }

    /// The campaign's row after this occurrence: on to the next one, or over.
    private func move(_ due: DueCampaign, to state: CampaignState, because words: String) async throws -> Bool {
        try await pool.execute(
            "UPDATE campaigns SET \(afterOccurrence(due, state, words)) WHERE \(due.isUnchanged)") > 0
    }

    private func afterOccurrence(_ due: DueCampaign, _ state: CampaignState, _ words: String?) -> PostgresQuery {
        let change: PostgresQuery = "reason = \(words), updated_at = now()"
        guard due.repeats, state != .failed, let schedule = due.schedule, let occurrence = due.due?.occurrence else {
            return change + ", state = \(state), version = version + 1"
        }
        let plan = SchedulePlan(schedule, handledUntil: occurrence.first)
        // Without another occurrence it ends with the runs that it has.
        let isLast = plan.nextLook == nil
        let last: CampaignState = state == .scheduled ? (due.openRun == nil ? .sent : .sending) : state
        return change
            + ", \(plan.assignments), state = \(isLast ? last : .scheduled), version = version + \(isLast ? 1 : 0)"
    }

    private func start(
        _ due: DueCampaign, _ occurrence: Occurrence, question: String?, _ audience: ResolvedAudience, estimated: Int
    ) async throws -> Run.ID? {
        try await pool.transaction { connection in
            let state: CampaignState = question == nil ? .sending : .paused
            let claimed = try await connection.execute(
                """
                UPDATE campaigns SET runs_started = runs_started + 1, \(afterOccurrence(due, state, question))
                WHERE \(due.isUnchanged)
                """)
            guard claimed > 0 else { return nil }
            let run = NewRun(
                campaign: due.id, app: due.app, occurrence: occurrence, question: question, audience: audience,
                estimated: estimated)
            return try await connection.query(run.statement).first.map { try $0[0] }
        }
    }
}

extension [Problem] {
    fileprivate var words: String { map(\.sentence).joined(separator: " ") }
}
