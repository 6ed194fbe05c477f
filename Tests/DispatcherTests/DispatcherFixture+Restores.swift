import APNSSimulator
import Campaigns
import JSON
import Postgres
import Store
import Testing

/// A run that is open while the database is restored.
extension DispatcherFixture {
    static let due = 20
    static let all = 25

    /// 20 of its 25 recipients are due, the others in an hour.
    func halfDueRun() async throws -> Run.ID {
        try await addDevices(1...Self.all)
        _ = try await campaign()
        let run = try await startedRun()
        try await plan(run, size: Self.due)
        // Without quiet hours, nothing is due later (`ClockStore.bound`). These do nothing.
        try await pool.execute(
            """
            UPDATE runs SET quiet_hours = '{"from": "22:00", "to": "08:00", "policy": "send"}' WHERE id = \(run)
            """)
        try await pool.execute(
            """
            UPDATE batches SET due_at = now() + interval '1 hour'
            WHERE run_id = \(run) AND size = \(Int32(Self.all - Self.due))
            """)
        return run
    }

    func makeRestDue(_ run: Run.ID) async throws {
        try await pool.execute("UPDATE batches SET due_at = now() WHERE run_id = \(run) AND state = 'ready'")
        try await pool.execute("SELECT pg_notify('belfry_runs', '')")
    }

    /// Waits until the run asks. Nobody is sent to again before a person agrees: then those of the lost batches are.
    func expectQuestion(_ run: Run.ID, _ log: EventLog, losing batches: Int64 = 1) async throws {
        await log.wait(for: \.isHold)
        let held = try await runs.find(run, app: app)
        #expect(held.state == .paused && held.reason?.description.contains("restored from a backup") == true)
        // Lost batches are ready again, and only the question holds them.
        let ready = try await pool.query(
            "SELECT count(*) FROM batches WHERE run_id = \(run) AND state = 'ready' AND due_at <= now()")
        #expect(try ready[0][0] as Int64 == batches)
        #expect(record.counts.accepted == Self.due)
        _ = try await campaigns.resume(held.campaign, app: app)
        try await until { record.counts.accepted == Self.due * (1 + Int(batches)) }
    }

    /// Repeats while the database does not answer.
    func untilAvailable(_ body: () async throws -> Void) async throws {
        try await until {
            do {
                try await body()
                return true
            } catch let error as PostgresError where error.isUnavailable {
                return false
            }
        }
    }
}
