import APNS
import APNSSimulator
import Application
import Campaigns
import Crypto
import EventLoop
import Postgres
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// The answer to the INSERT of pushes was lost.
    struct AmbiguousInsertTests {
        @Test func insertThatWasStoredIsSentByItsProcess() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                let owner = ProcessID()
                let store = bench.stores.pushes(owner: owner)
                try await bench.withPushSender(owner: owner) { sender, log in
                    let draft = try await Self.draft(bench.pushRequest([1, 2]), bench, store)
                    let outbox = sender.outbox
                    let began = MonotonicTime.now()
                    outbox.loop.perform { outbox.add(AmbiguousInsert(draft: draft, until: began + .seconds(60))) }
                    // Later than its sender has looked.
                    _ = try await store.insert(draft.batches, keeping: [], lease: .seconds(60))
                    await log.waitForEnds(1)
                    #expect(
                        try await bench.outcomes(of: draft.receipts[0]) == [1: .of(.accepted), 2: .of(.accepted)])
                }
                #expect(bench.record.counts.accepted == 2)
            }
        }

        @Test func insertFoundTooLateExpiresUnsent() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                let owner = ProcessID()
                let store = bench.stores.pushes(owner: owner)
                try await bench.withPushSender(owner: owner) { sender, log in
                    // Now or never.
                    let draft = try await Self.draft(bench.pushRequest([1], expiration: 0), bench, store)
                    _ = try await store.insert(draft.batches, keeping: [], lease: .seconds(60))
                    let outbox = sender.outbox
                    let began = MonotonicTime.now()
                    outbox.loop.perform { outbox.add(AmbiguousInsert(draft: draft, until: began + .seconds(60))) }
                    await log.waitForEnds(1)
                    #expect(try await bench.outcomes(of: draft.receipts[0]) == [1: .of(.expired)])
                }
                #expect(bench.record.counts.requests == 0)
            }
        }

        @Test func senderStopsWithAmbiguousInserts() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                let store = bench.stores.pushes(owner: ProcessID())
                let draft = try await Self.draft(bench.pushRequest([1]), bench, store)
                try await bench.withPushSender { sender, _ in
                    let outbox = sender.outbox
                    let began = MonotonicTime.now()
                    outbox.loop.perform { outbox.add(AmbiguousInsert(draft: draft, until: began + .seconds(3_600))) }
                }
            }
        }

        @Test func onlyTheStoringProcessAdoptsBatches() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                let store = bench.stores.pushes(owner: ProcessID())
                let draft = try await Self.draft(bench.pushRequest([1]), bench, store)
                #expect(try await store.adopt(draft.names, lease: .seconds(60)).isEmpty)
                let ids = try await store.insert(draft.batches, keeping: [], lease: .seconds(1))
                let other = bench.stores.pushes(owner: ProcessID())
                #expect(try await other.adopt(draft.names, lease: .seconds(60)).isEmpty)
                #expect(try await store.adopt(draft.names, lease: .seconds(60)) == ids)
                let rows = try await bench.pool.query("SELECT lease_until > now() + interval '30 s' FROM batches")
                #expect(try rows[0][0])
            }
        }

        @Test func repeatedKeyAfterAmbiguousInsertIsSentOnce() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                try await bench.withPushSender { sender, log in
                    let request = try await bench.pushRequest([1], key: "order-9")
                    try await bench.pool.withConnection { connection in
                        try await connection.execute("BEGIN")
                        try await connection.execute("LOCK TABLE push_recipients IN SHARE MODE")
                        async let answer = sender.send(request)
                        try await bench.untilSomeoneWaitsForALock()
                        try await connection.execute(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = current_database() AND wait_event_type = 'Lock'
                            """)
                        do {
                            _ = try await answer
                            Issue.record("who asked was told that it was taken")
                        } catch GroupCommitError.unavailable {
                            // So it is said.
                        }
                        try await connection.execute("COMMIT")
                    }
                    #expect(try await sender.send(request).receipt != nil)
                    await log.waitForEnds(1)
                }
                #expect(bench.accepted(1) == 1)
                #expect(try await bench.pushBatches().count == 1)
            }
        }

        private static func draft(
            _ request: PushRequest, _ bench: DispatcherFixture, _ store: PushStore
        ) async throws -> PushGroupDraft {
            let grouping = PushGrouping([request])
            let numbers = try await store.messageNumbers(grouping.batches.count)
            let keys = try await bench.stores.messageKeys
                .messageKeys(app: bench.app)
            let newest = try #require(keys.max { $0.key < $1.key })
            return PushGroupDraft([request], grouping, numbers: numbers, keys: [bench.app: (newest.key, newest.value)])
        }
    }
}
