import APNSSimulator
import Campaigns
import Dispatcher
import EventLoop
import Foundation
import Postgres
import Store
import Testing

extension DispatcherSuite {
    /// Storing outcomes, which renews leases, waits for nothing else.
    @Suite struct LeaseWriteTests {
        /// All pushes are answered and stored while another transaction locks a device that is to be retired.
        @Test func lockedDeviceDelaysNoOutcomes() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...20)
                // Apple's report counts only for devices that were not seen since.
                try await bench.pool.execute("UPDATE devices SET token_registered_at = now() - interval '1 day'")
                try await bench.pool.execute("UPDATE device_activity SET last_seen_at = now() - interval '1 day'")
                bench.phones.unregister(token: DispatcherFixture.token(7), at: Date().addingTimeInterval(-3_600))
                let campaign = try await bench.campaign()
                try await bench.withWorker {
                    try await bench.pool.transaction { connection in
                        try await connection.execute("SELECT FROM devices WHERE installation = '7' FOR UPDATE")
                        await bench.log.wait(for: \.isVerifiedFinish)
                    }
                    try await bench.until {
                        let rows = try await bench.pool.query(
                            "SELECT installation FROM devices WHERE retired_at IS NOT NULL")
                        return try rows.map { try $0[0, as: String.self] } == ["7"]
                    }
                }
                #expect(try await bench.run(of: campaign).ledger[.rejected] == 1)
            }
        }

        /// The disk is full: nothing can be stored. The worker ends all the same, and its batch stays leased, so that
        /// its recipients count as unknown.
        @Test func workerEndsWhileTheDiskIsFull() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...20)
                let run = try await bench.plannedRun(.leave)
                bench.production.faults = Faults([.init(.delay(by: .milliseconds(500)))])
                var options = DispatcherFixture.options
                options.drain = .seconds(1)
                let began = Lock(MonotonicTime.now())
                try await bench.withWorker(options) {
                    await bench.log.wait(for: \.isDeclaration)
                    try await bench.pool.withConnection { connection in
                        try await connection.queryScript(
                            """
                            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                            BEGIN
                                RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
                            END $$;
                            CREATE TRIGGER refuse BEFORE UPDATE ON batches FOR EACH ROW EXECUTE FUNCTION refuse();
                            """)
                    }
                    began.withLock { $0 = .now() }
                }
                #expect(MonotonicTime.now() - began.withLock { $0 } < .seconds(5))
                let rows = try await bench.pool.query("SELECT state, pending FROM batches WHERE run_id = \(run)")
                #expect(try rows[0][0, as: String.self] == "leased")
                #expect(try rows[0][1, as: Int32.self] == 20)
            }
        }
    }
}
