import APNS
import APNSSimulator
import Campaigns
import Foundation
import Postgres
import Store
import TestSupport
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// The server's files are put back, or another server takes over: commits are lost, and the tables stay the same.
    @Suite(.serialized) struct DatabaseLossTests {
        enum Loss: CaseIterable {
            /// The data directory, or a snapshot of its disk.
            case filesPutBack
            /// Recovery from an archive to a moment in the past.
            case pointInTime
            /// A standby takes over that lags behind.
            case laggingStandby
        }

        /// The process that notices.
        enum Witness: CaseIterable {
            case survivor
            /// A new process with the state directory of one that ended cleanly, or was killed.
            case heirOfEnded, heirOfKilled
            /// A new process that knows nothing.
            case stranger
        }

        @Test(arguments: Loss.allCases, Witness.allCases)
        func nobodyIsSentToAgainBeforeAPersonAgrees(_ loss: Loss, _ witness: Witness) async throws {
            try await DatabaseSite.run { site in
                try await DispatcherFixture.run(on: site.configuration) { bench in
                    let run = try await bench.halfDueRun()
                    try await Self.prepare(loss, site, bench) { lose in
                        try await Self.send(bench, run, witness, lose)
                    }
                }
            }
        }

        /// Sends what is due, loses it, and expects the question of the witness.
        private static func send(
            _ bench: DispatcherFixture, _ run: Run.ID, _ witness: Witness, _ lose: () async throws -> Void
        ) async throws {
            let (first, second) = (EventLog(), EventLog())
            try await StateDirectories.run { states in
                try await bench.withWorker(Self.options(states.first), log: first) {
                    await first.wait(for: \.isDone)
                    try await bench.until { try states.hasMemory }
                    try states.copy()
                    guard witness == .survivor else { return }
                    try await lose()
                    try await bench.expectQuestion(run, first)
                    #expect(first.events.compactMap(\.doubt) == [.commitsAreMissing])
                }
                guard witness != .survivor else { return }
                try await lose()
                let state: String? =
                    switch witness {
                    case .heirOfEnded: states.first
                    case .heirOfKilled: states.second
                    case .stranger, .survivor: nil
                    }
                try await bench.withWorker(Self.options(state), log: second) {
                    try await bench.expectQuestion(run, second)
                    #expect(
                        second.events.compactMap(\.doubt)
                            == [witness == .stranger ? .nobodyRemembers : .commitsAreMissing])
                }
            }
        }

        private static func options(_ state: String?) -> DispatcherOptions {
            var options = DispatcherFixture.options
            // A stranger waits for a lease.
            options.lease = .seconds(3)
            options.apns.requestDeadline = .seconds(1)
            options.stateDirectory = state
            return options
        }

        private static func prepare(
            _ loss: Loss, _ site: DatabaseSite, _ bench: DispatcherFixture,
            _ body: (_ lose: () async throws -> Void) async throws -> Void
        ) async throws {
            switch loss {
            case .filesPutBack:
                try await site.backUp()
                try await body { try await site.putBack() }
            case .pointInTime:
                try await site.backUp()
                _ = try await bench.pool.query("SELECT pg_create_restore_point('before')")
                try await body {
                    _ = try await bench.pool.query("SELECT pg_switch_wal()")
                    try await site.recover(to: "before")
                }
            case .laggingStandby:
                try await site.withStandby { standby in
                    try await site.cutReplication(to: standby)
                    try await body { try await site.failOver(to: standby) }
                }
            }
        }

        // MARK: Nothing is lost

        @Test(arguments: [true, false])
        func runGoesOnByItselfAfterARestart(isCrash: Bool) async throws {
            try await DatabaseSite.run { site in
                try await DispatcherFixture.run(on: site.configuration) { bench in
                    let run = try await bench.halfDueRun()
                    try await bench.withWorker {
                        await bench.log.wait(for: \.isDone)
                        if isCrash { site.crash() } else { try await site.restart() }
                        try await bench.expectEnd(of: run)
                    }
                }
            }
        }

        @Test(arguments: [Witness.heirOfEnded, .heirOfKilled])
        func runGoesOnByItselfWithTheStateDirectory(_ witness: Witness) async throws {
            try await DatabaseSite.run { site in
                try await DispatcherFixture.run(on: site.configuration) { bench in
                    let run = try await bench.halfDueRun()
                    try await StateDirectories.run { states in
                        try await bench.withWorker(Self.options(states.first)) {
                            await bench.log.wait(for: \.isDone)
                            try await bench.until { try states.hasMemory }
                            try states.copy()
                        }
                        try await site.restart()
                        let state = witness == .heirOfEnded ? states.first : states.second
                        try await bench.withWorker(Self.options(state)) { try await bench.expectEnd(of: run) }
                    }
                }
            }
        }

        @Test func strangerGoesOnIfNothingIsOpen() async throws {
            try await DatabaseSite.run { site in
                try await DispatcherFixture.run(on: site.configuration) { bench in
                    try await bench.addDevices(1...DispatcherFixture.all)
                    try await site.restart()
                    try await bench.withWorker {
                        try await bench.until { try await !bench.pool.query("SELECT FROM workers").isEmpty }
                    }
                    #expect(bench.log.events.compactMap(\.doubt).isEmpty)
                    _ = try await bench.campaign()
                    try await bench.work()
                    #expect(bench.record.counts.accepted == DispatcherFixture.all)
                }
            }
        }

        /// Without a process that is silent, it does not matter whether replication is synchronous.
        @Test(arguments: [true, false], [true, false])
        func failoverThatLostNothingGoesOnUnlessAProcessIsSilent(isSynchronous: Bool, hasSilent: Bool) async throws {
            try await DatabaseSite.run { site in
                try await DispatcherFixture.run(on: site.configuration) { bench in
                    let run = try await bench.halfDueRun()
                    try await site.withStandby { standby in
                        try await bench.withWorker {
                            await bench.log.wait(for: \.isDone)
                            if !isSynchronous { try await bench.hideReplication() }
                            try await site.makeSynchronous()
                            if hasSilent { try await bench.addSilentProcess() }
                            // The last beat says so.
                            try await bench.until {
                                let rows = try await bench.pool.query(
                                    "SELECT FROM workers WHERE is_synchronous = \(isSynchronous) AND beat > 1")
                                return !rows.isEmpty
                            }
                            try await site.failOver(to: standby)
                            guard isSynchronous || !hasSilent else {
                                try await bench.expectQuestion(run, bench.log, losing: 0)
                                #expect(bench.log.events.compactMap(\.doubt) == [.processIsSilent])
                                return
                            }
                            try await bench.expectEnd(of: run)
                        }
                    }
                }
            }
        }
    }
}

extension DispatcherFixture {
    /// The rest of the run becomes due, and it ends without a question.
    fileprivate func expectEnd(of run: Run.ID) async throws {
        try await untilAvailable { try await makeRestDue(run) }
        await log.wait { $0.contains { $0.isFinish || $0.isHold } }
        #expect(log.count(where: \.isHold) == 0)
        #expect(log.count(where: \.isVerifiedFinish) == 1)
        #expect(record.counts.accepted == Self.all)
    }

    /// Nothing is lost, but no process can know that.
    fileprivate func hideReplication() async throws {
        try await pool.execute(
            """
            CREATE FUNCTION hide_replication() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN NEW.is_synchronous := false; RETURN NEW; END $$
            """)
        try await pool.execute(
            """
            CREATE TRIGGER hide_replication BEFORE INSERT OR UPDATE ON workers
            FOR EACH ROW EXECUTE FUNCTION hide_replication()
            """)
    }

    /// A process that is lost together with the server.
    fileprivate func addSilentProcess() async throws {
        try await pool.execute(
            """
            INSERT INTO workers (id, beat, beaten_at, server_started_at, is_synchronous)
            VALUES (\(ProcessID()), 1, now(), pg_postmaster_start_time(), true)
            """)
    }
}

/// State directories of two processes that follow each other.
private struct StateDirectories {
    let folder: String
    var first: String { "\(folder)/first" }
    var second: String { "\(folder)/second" }

    static func run(_ body: (StateDirectories) async throws -> Void) async throws {
        let states = StateDirectories(folder: "\(ScratchSpace.path)/belfry-states-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(atPath: states.second, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: states.folder) }
        try await body(states)
    }

    /// Whether the first process has written a beat.
    var hasMemory: Bool {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(first)/processes")
            return names.contains {
                !(FileManager.default.contents(atPath: "\(first)/processes/\($0)") ?? Data()).isEmpty
            }
        }
    }

    /// Copies what the first process remembers now, as if it were killed.
    func copy() throws {
        try FileManager.default.copyItem(atPath: "\(first)/processes", toPath: "\(second)/processes")
    }
}
