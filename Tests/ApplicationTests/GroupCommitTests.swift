import Campaigns
import EventLoop
import FoundationEssentials
import Logging
import Postgres
import PrivatePostgres
import Store
import StoreSupport
import TestSupport
import Testing

@testable import Application

struct GroupCommitTests {
    @Test func failingRequestIsRefusedAndTheOthersAreStored() async throws {
        try await DeviceFixture.run { bench in
            let commit = RegistrationCommit.registrations(bench.stores.registrations, on: bench.loop)
            let app = bench.app
            let refused = try await Self.running(commit) {
                try await withThrowingTaskGroup(of: Int?.self) { requests in
                    for index in 0..<60 {
                        requests.addTask {
                            // More digits than PostgreSQL's numeric has.
                            let attributes = index == 37 ? #"{"a":1e200000}"# : "{}"
                            let registration = try Registration.make(
                                "i\(index)", token: String(1000 + index), app: app, attributes: attributes)
                            do throws(GroupCommitError) {
                                _ = try await commit.submit(registration)
                                return nil
                            } catch {
                                guard case .refused = error else { throw error }
                                return index
                            }
                        }
                    }
                    return try await requests.reduce(into: [Int]()) { if let index = $1 { $0.append(index) } }
                }
            }
            #expect(refused == [37])
            let stored: Int = try await bench.pool.query("SELECT count(*) FROM devices")[0][0]
            #expect(stored == 59)
        }
    }

    @Test func twoProcessesRegisterTheSameTokensWithoutDeadlockOrLoss() async throws {
        try await DeviceFixture.run { bench in
            let app = bench.app
            let loop = try EventLoop(name: "second")
            let otherPool = PostgresPool(bench.configuration, on: loop, logger: Logger(label: "test"))
            let commits = [
                RegistrationCommit.registrations(bench.stores.registrations, on: bench.loop),
                RegistrationCommit.registrations(RegistrationStore(pool: otherPool), on: loop),
            ]
            let ids = try await Self.running(commits[0]) {
                try await Self.running(commits[1]) {
                    try await withThrowingTaskGroup(of: (String, Device.ID?).self) { requests in
                        var random = SeededGenerator(seed: 7)
                        for index in 0..<1_500 {
                            let installation = "i\(Int.random(in: 0..<120, using: &random))"
                            let token = String(1000 + Int.random(in: 0..<120, using: &random))
                            let commit = commits[index % 2]
                            requests.addTask {
                                let request = try Registration.make(installation, token: token, app: app)
                                return (installation, try await commit.submit(request).id)
                            }
                        }
                        return try await requests.reduce(into: [(String, Device.ID?)]()) { $0.append($1) }
                    }
                }
            }
            let rows = try await bench.pool.query("SELECT installation, id FROM devices")
            var stored: [String: Device.ID] = [:]
            for row in rows { stored[try row[0]] = try row[1] }
            #expect(ids.count == 1_500)
            #expect(ids.allSatisfy { stored[$0.0] == $0.1 })
            let living: Int = try await bench.pool.query("SELECT count(*) FROM devices WHERE retired_at IS NULL")[0][0]
            let tokens: Int = try await bench.pool.query("SELECT count(DISTINCT token) FROM devices")[0][0]
            #expect(living == tokens)
            await otherPool.close()
            loop.stop()
        }
    }

    /// Again while a connection to the database, which is just back, takes its time.
    private static func submitted(
        _ name: String, token: String, _ app: App.ID, _ commit: RegistrationCommit
    ) async throws -> Bool {
        let registration = try Registration.make(name, token: token, app: app)
        let end = MonotonicTime.now() + .seconds(30)
        while true {
            do throws(GroupCommitError) {
                return try await commit.submit(registration).id != nil
            } catch {
                guard case .unavailable = error, .now() < end else { throw error }
            }
        }
    }

    @Test func databaseRestartLosesNoAnsweredRequest() async throws {
        try await TestLoop.run { loop in
            let directory = "\(ScratchSpace.path)/belfry-away-\(UInt32.random(in: 0 ... .max))"
            let logger = Logger(label: "test")
            let cluster = try await LocalCluster.start(directory: directory, logger: logger)
            let connection = try await PostgresConnection.connect(cluster.configuration, on: loop, logger: logger)
            let migrations = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Migrations")
            _ = try await Migrator(directory: migrations.standardized.path()).apply(on: connection)
            await connection.close()
            var limits = PostgresPool.Limits(connections: 4)
            limits.wait = .milliseconds(500)
            let pool = PostgresPool(cluster.configuration, limits: limits, on: loop, logger: logger)
            let app = try await DeviceFixture.makeApp(pool, "one")
            let commit = RegistrationCommit.registrations(RegistrationStore(pool: pool), on: loop)

            let answered = try await Self.running(commit) {
                let answered = Lock<[String]>([])
                try await withThrowingTaskGroup(of: Void.self) { phones in
                    for phone in 0..<40 {
                        phones.addTask {
                            for number in 0..<40 {
                                let name = "i\(phone)-\(number)"
                                let request = try Registration.make(
                                    name, token: String(10_000_000 + phone * 1_000 + number), app: app)
                                do throws(GroupCommitError) {
                                    _ = try await commit.submit(request)
                                    answered.withLock { $0.append(name) }
                                } catch {
                                    guard case .unavailable = error else { throw error }
                                    return
                                }
                            }
                        }
                    }
                    try await phones.next()
                    await cluster.stopImmediately()
                    try await phones.waitForAll()
                }
                await #expect(throws: GroupCommitError.self) {
                    try await commit.submit(Registration.make("away", token: "aa", app: app))
                }
                try await cluster.restart()
                #expect(try await Self.submitted("back", token: "bb", app, commit))
                return answered.withLock { $0 }
            }
            let stored = Set(
                try await pool.query("SELECT installation FROM devices").map { row -> String in try row[0] })
            #expect(Set(answered).subtracting(stored).isEmpty)
            await pool.close()
            await cluster.stop()
            try FileManager.default.removeItem(atPath: directory)
        }
    }

    @Test func requestsAfterStopAreRefused() async throws {
        try await DeviceFixture.run { bench in
            let commit = RegistrationCommit.registrations(bench.stores.registrations, on: bench.loop)
            try await Self.running(commit) {}
            await #expect(throws: GroupCommitError.self) {
                try await commit.submit(Registration.make("late", app: bench.app))
            }
        }
    }

    /// Runs the commit while `body` does.
    static func running<Request, Answer, Value: Sendable>(
        _ commit: GroupCommit<Request, Answer>, _ body: () async throws -> Value
    ) async throws -> Value {
        async let run: Void = commit.run()
        do {
            let value = try await body()
            commit.stop()
            await run
            return value
        } catch {
            commit.stop()
            await run
            throw error
        }
    }
}

struct RegistrationListTests {
    @Test func failingRequestsOfAListAreIsolatedAndTheRestIsStoredInOrder() async throws {
        try await DeviceFixture.run { bench in
            let commit = RegistrationCommit.registrations(bench.stores.registrations, on: bench.loop)
            let list = try (0..<40).map { index in
                // More digits than PostgreSQL's numeric has.
                let isGuilty = index == 7 || index == 8 || index == 39
                return try Registration.make(
                    "i\(index % 20)", token: String(1000 + index), app: bench.app,
                    attributes: isGuilty ? #"{"a":1e200000}"# : "{}")
            }
            let outcomes = try await GroupCommitTests.running(commit) { try await commit.submit(all: list) }

            let refused = outcomes.indices.filter { if case .failure = outcomes[$0] { true } else { false } }
            #expect(refused == [7, 8, 39])
            // Of two registrations of one device the later holds.
            let rows = try await bench.pool.query("SELECT installation, encode(token, 'hex') FROM devices")
            var tokens: [String: String] = [:]
            for row in rows { tokens[try row[0]] = try row[1] }
            for index in 0..<19 { #expect(tokens["i\(index)"] == String(1020 + index)) }
            #expect(tokens["i19"] == "1019")
        }
    }

    @Test func listForAMissingAppIsRefusedImmediately() async throws {
        try await DeviceFixture.run { bench in
            let commit = RegistrationCommit.registrations(bench.stores.registrations, on: bench.loop)
            let list = try (0..<300).map { index in
                try Registration.make("i\(index)", token: String(1000 + index), app: .init(rawValue: 99))
            }
            await #expect {
                _ = try await GroupCommitTests.running(commit) { try await commit.submit(all: list) }
            } throws: { error in
                guard case GroupCommitError.refused(let reason) = error else { return false }
                return reason as? Refusal == .notFound(.app)
            }
        }
    }
}
