import Crypto
import EventLoop
import Logging
import Postgres
import PrivatePostgres
import Store

/// The checks of the database, and what it stores for the others. Reads only.
struct DatabaseExamination: Sendable {
    struct Outcome: Sendable {
        var findings: [DoctorFinding] = []
        /// Nil if they could not be read.
        var keys: [StoredKey]?
        /// `belfry demo` has made the database, and sends to its own simulator.
        var isOfDemo = false
    }

    /// For all sessions that are opened to find out what kind of server it is.
    static let connectLimit = Duration.seconds(5)
    /// For the questions, which are asked at the same time.
    static let questionLimit = Duration.seconds(3)
    private static let connections = 4

    private static let noDatabase = "the database can't be used"
    private static let factChecks = ["server", "connections", "locks", "WAL", "space", "vacuum", "transaction IDs"]

    let settings: Settings
    let sealing: SealingKeyState
    let loop: EventLoop
    let logger: Logger

    func run() async -> Outcome {
        do {
            let (configuration, direct) = try addresses()
            let check = DatabaseCheck(
                configuration: configuration, direct: direct, hasDirectURL: settings.directDatabaseURL != nil)
            let (loop, logger) = (loop, logger)
            try await CheckDeadline.run(Self.connectLimit, on: loop) {
                try await check.run(on: loop, logger: logger)
            }.get()
            let pool = PostgresPool(
                configuration, limits: .init(connections: Self.connections), on: loop, logger: logger)
            let outcome = await examine(pool)
            await pool.close()
            return outcome
        } catch {
            let others = ["clock", "durability"] + Self.factChecks.dropFirst() + ["migrations", "partitions"]
            return Outcome(
                findings: [Self.unreachable(error)]
                    + DoctorFinding.skipped(.database, others, because: Self.noDatabase)
                    + sealing.findings(isSealed: nil)
                    + DoctorFinding.skipped(.secrets, ["sealed secrets"], because: Self.noDatabase))
        }
    }

    /// Belfry's own server is not started.
    private func addresses() throws -> (PostgresConfiguration, PostgresConfiguration) {
        if let addresses = try Database.addresses(settings) { return addresses }
        let directory = "\(settings.stateDirectory)/postgres"
        guard let configuration = LocalCluster.running(in: directory) else {
            throw CommandFailure(
                """
                No database is set, and Belfry's own in \(directory) does not run. Start belfry serve (or belfry demo) \
                and try again, or set DATABASE_URL.
                """)
        }
        return (configuration, configuration)
    }

    private static func unreachable(_ error: any Error) -> DoctorFinding {
        guard error is PostgresError || error is CheckTimedOut else { return .refused(.database, "server", error) }
        return .error(
            .database, "server", "\(error)",
            "Check DATABASE_URL, that PostgreSQL runs, and that it accepts this machine, the user and the password.")
    }

    // MARK: Questions

    private func examine(_ pool: PostgresPool) async -> Outcome {
        async let facts = ask(Self.factChecks) {
            let facts = try await ServerFacts.read(pool)
            let health = try await TableHealth.read(pool)
            return facts.findings(space: facts.dataDirectory.flatMap(FreeSpace.init(of:)))
                + health.findings(isAutovacuumOn: facts.isAutovacuumOn)
        }
        async let clock = ask(["clock"]) { [try await ClockDifference.measure(pool).finding] }
        async let durable = ask(["durability"]) { [try await durability(InstanceStore(pool: pool))] }
        async let schema = CheckDeadline.run(Self.questionLimit, on: loop) { try await examineSchema(pool) }
        let beforeSchema = await facts + durable + clock
        var outcome: Outcome
        switch await schema {
        case .success(let examined): outcome = examined
        case .failure(let error):
            outcome = Outcome(
                findings: [.warning(.database, "migrations", "could not be read: \(error)", nil)]
                    + DoctorFinding.skipped(.database, ["partitions"], because: "the schema could not be read")
                    + sealing.findings(isSealed: nil)
                    + DoctorFinding.skipped(.secrets, ["sealed secrets"], because: "the schema could not be read"))
        }
        outcome.findings = beforeSchema + outcome.findings
        return outcome
    }

    private func ask(
        _ checks: [String], _ question: @escaping @Sendable () async throws -> [DoctorFinding]
    ) async -> [DoctorFinding] {
        switch await CheckDeadline.run(Self.questionLimit, on: loop, question) {
        case .success(let findings): findings
        case .failure(let error):
            [.warning(.database, checks[0], "could not be read: \(error)", nil)]
                + DoctorFinding.skipped(
                    .database, Array(checks.dropFirst()), because: "the server's facts could not be read")
        }
    }

    private func durability(_ instance: InstanceStore) async throws -> DoctorFinding {
        do {
            try await instance.verifyCommitsAreDurable()
            try await instance.verifyServerIsDurable()
            return .ok(.database, "durability", "fsync, full_page_writes and synchronous_commit are on")
        } catch let error as ServerIsNotDurable where settings.allowsUnsafeServer {
            return .warning(.database, "durability", "\(error)", "BELFRY_UNSAFE_SERVER allows it, for tests only.")
        } catch let error where error is ServerIsNotDurable || error is CommitsAreNotDurable {
            return .refused(.database, "durability", error)
        }
    }

    private func examineSchema(_ pool: PostgresPool) async throws -> Outcome {
        let migrator = try Migrator(directory: try Resources.directory("Migrations"))
        let schema = try await pool.withConnection { connection throws(PostgresError) in
            try await MigrationState.read(migrator, on: connection)
        }
        var outcome = Outcome(findings: [schema.finding])
        outcome.isOfDemo = try await DemoMark.isPut(pool)
        guard schema.isCurrent else {
            let reason = schema.isEmpty ? "there is no schema yet" : "the schema is not this program's"
            outcome.findings +=
                DoctorFinding.skipped(.database, ["partitions"], because: reason)
                + sealing.findings(isSealed: schema.isEmpty ? false : nil)
                + DoctorFinding.skipped(.secrets, ["sealed secrets"], because: reason)
            return outcome
        }
        outcome.findings.append(try await MessageRangeStore(pool: pool).supply().finding)
        let instance = InstanceStore(pool: pool)
        outcome.findings += sealing.findings(isSealed: try await instance.isSealed())
        guard let ring = sealing.ring else {
            outcome.findings += DoctorFinding.skipped(
                .secrets, ["sealed secrets"], because: "there is no usable sealing key")
            return outcome
        }
        do {
            try await instance.verifyUse(of: ring)
            outcome.findings.append(.ok(.secrets, "sealed secrets", "the sealing key opens those of the database"))
        } catch let error as SealingKeyError {
            outcome.findings.append(.refused(.secrets, "sealed secrets", error))
            return outcome
        }
        outcome.keys = try await StoredKey.all(Stores(pool: pool, sealingKeys: ring))
        return outcome
    }
}
