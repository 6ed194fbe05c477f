public import Campaigns
import JSON
public import Postgres

/// Reads the facts about one device and one run.
/// Docs/decisions/audience.md explains what is read and what is evaluated again.
public struct WhyStore: Sendable {
    /// Conditions of an audience that are evaluated one by one.
    private static let maximumConditions = 100

    private let pool: PostgresPool
    private let history: DeviceHistoryStore
    private let rules: PlanRuleStore

    public init(pool: PostgresPool) {
        self.pool = pool
        rules = PlanRuleStore(pool: pool)
        history = DeviceHistoryStore(pool: pool)
    }

    /// The facts, and the device's entry in the ledger of the run; nil if it is not a recipient.
    public func facts(
        run id: Run.ID, device: DeviceRecord, app: App.ID
    ) async throws -> (facts: WhyFacts, delivery: DeviceDelivery?) {
        // The run is read last: lists of recipients may be deleted meanwhile.
        let delivery = try await history.delivery(to: device.id, app: app, run: id)
        let (run, audience) = try await run(id, app: app)
        let conditions = delivery == nil ? try await conditions(of: audience, device, app: app, run: id) : []
        let outcome = delivery.map {
            WhyFacts.Outcome(
                kind: $0.outcome, reason: $0.reason ?? "", isResent: $0.isResent, wasDeferred: $0.wasDeferred,
                lastAnswer: $0.lastAnswer)
        }
        let facts = WhyFacts(
            run: run,
            device: WhyFacts.Device(
                id: device.id.rawValue, kind: device.address.kind, retiredAt: device.retiredAt?.seconds,
                changedAt: device.updatedAt.seconds), outcome: outcome, conditions: conditions)
        return (facts, delivery)
    }

    private func run(_ id: Run.ID, app: App.ID) async throws -> (WhyFacts.Run, Audience) {
        let rows = try await pool.query(
            """
            SELECT started_at, planned_at, state, reason, reason_localization, finished_at, device_ceiling, plan_cursor, topic, frequency_cap_count,
                frequency_cap_days, quiet_hours IS NOT NULL AS has_quiet_hours,
                coalesce(occurrence ->> 'kind' = 'local', false) AS is_local, audience::text,
                recipients_deleted_at IS NOT NULL
                    OR EXISTS (SELECT FROM batches
                        WHERE app_id = \(app) AND run_id = runs.id AND octet_length(outcomes) = 0) AS are_deleted
            FROM runs WHERE app_id = \(app) AND id = \(id)
            """)
        guard let row = rows.first else { throw Refusal.notFound(.run) }
        let state: RunRecord.State = try row["state"]
        let run = WhyFacts.Run(
            startedAt: try row["started_at", as: Timestamp.self].seconds,
            isPlanned: try row["planned_at", as: Timestamp?.self] != nil,
            isCancelled: state == .cancelled, isPaused: state == .paused, pauseReason: try row.reason(),
            finishedAt: try row["finished_at", as: Timestamp?.self]?.seconds,
            deviceCeiling: try row["device_ceiling"], planCursor: try row["plan_cursor"], topic: try row["topic"],
            cap: try RuleColumns.cap(row["frequency_cap_count"], row["frequency_cap_days"]),
            hasQuietHours: try row["has_quiet_hours"], isInLocalTime: try row["is_local"],
            areRecipientsDeleted: try row["are_deleted"])
        return (run, try ResolvedAudience(json: try JSON(parsing: try row["audience", as: String.self])).audience)
    }

    /// Each condition, evaluated for the device as it is now, on the day that the run meant.
    private func conditions(
        of audience: Audience, _ device: DeviceRecord, app: App.ID, run: Run.ID
    ) async throws -> [WhyFacts.Condition] {
        guard let condition = audience.condition else { return [] }
        let parts = condition.parts(limit: Self.maximumConditions)
        let day = try await rules.rules(of: Run.Key(app: app, id: run), at: .start)?.days.day(in: device.timeZone)
        let compiler = AudienceCompiler(app: app, events: .perDevice, days: day.map(AudienceDays.init))
        let values = parts.map { compiler.boolean($0.condition) }.joined(separator: ", ")
        let rows = try await pool.query(
            "SELECT ARRAY[\(values)]::boolean[] \(DeviceRecord.from) WHERE d.app_id = \(app) AND d.id = \(device.id)")
        guard let row = rows.first else { return [] }
        let areMet: [Bool] = try row[0]
        return zip(parts, areMet).map { part, isMet in
            WhyFacts.Condition(depth: part.depth, text: part.condition.heading, isMet: isMet)
        }
    }
}

extension Timestamp {
    fileprivate var seconds: Int64 { microseconds / 1_000_000 }
}
