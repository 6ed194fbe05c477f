import APNSSimulator
import ArgumentParser
import Belfry
import Campaigns
import EventLoop
import Logging
import Postgres
import ServiceLifecycle
import Store

struct Chaos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send a campaign under injected faults, and verify that every recipient is accounted for.",
        discussion: """
            Three workers send a campaign from a temporary PostgreSQL to a simulated APNs in this process. Meanwhile \
            workers are killed and paused, PostgreSQL is killed, and connections to both fail. The \
            seed determines the faults and when they occur. At the end the simulator's record of accepted pushes is \
            compared with the ledger. The last line is the verdict; the exit status is 0 only if all checks pass.
            """)

    enum Policy: String, ExpressibleByArgument, CaseIterable {
        case resend, leave

        var unknownPolicy: UnknownPolicy { self == .resend ? .resend : .leave }
    }

    @Option(help: "Seed of the fault schedule; the same seed gives the same schedule.")
    var seed: UInt64 = 1

    @Option(help: "What to do with pushes whose delivery is unknown: resend or leave.")
    var policy = Policy.resend

    @Option(help: "Number of recipients in the campaign.")
    var devices = 200_000

    @Flag(help: "Run PostgreSQL without fsync, for a faster run.")
    var quick = false

    @Flag(
        help: """
            Run a second PostgreSQL, to which the first one replicates synchronously. The first one is killed for good, \
            and the second one takes over.
            """)
    var failover = false

    @Flag(
        help: """
            Upgrade to a made-up next version in the middle of the campaign: its migrations run, and its workers replace \
            the others one after the other.
            """)
    var upgrade = false

    @Flag(
        help: """
            Send an A/B test: a part of the recipients first, and the rest after a decision. Between the two, workers and \
            PostgreSQL are killed.
            """)
    var test = false

    func validate() throws {
        guard (1_000...2_000_000).contains(devices) else {
            throw ValidationError("--devices must be from 1,000 to 2,000,000.")
        }
    }

    func run() async throws {
        let service = ChaosService(
            schedule: ChaosSchedule(seed: seed, hasStandby: failover, isUpgraded: upgrade, isTest: test),
            policy: policy.unknownPolicy, devices: devices, isQuick: quick)
        try await ServiceGroup.run([service], logger: .make(level: .critical))
        switch service.outcome.withLock({ $0 }) {
        case .success(let passes): if !passes { throw ExitCode.failure }
        case .failure(let error): throw error
        case nil: throw CommandFailure("interrupted")
        }
    }
}

/// Builds the environment, runs the campaign in it and removes everything afterwards, also after an interruption.
struct ChaosService: Service, CustomStringConvertible {
    let schedule: ChaosSchedule
    let policy: UnknownPolicy
    let devices: Int
    let isQuick: Bool
    /// Whether all checks passed; nil when the run was interrupted.
    let outcome = Lock<Result<Bool, any Error>?>(nil)

    var description: String { "chaos" }

    func run() async throws {
        await cancelWhenGracefulShutdown { () async -> Void in
            do {
                let passes = try await runChaos()
                outcome.withLock { $0 = .success(passes) }
            } catch  where Task.isCancelled {
                return
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
    }

    private func runChaos() async throws -> Bool {
        let output = ChaosOutput()
        output.printLine(
            """

              Chaos \(schedule.seed), \(policy.rawValue): \(devices.grouped) recipients, \
            \(ChaosSchedule.workers) workers.

            \(schedule.text)

            """)
        let loop = try EventLoop(name: "chaos")
        let loops = try EventLoopGroup(count: 1, name: "apple")
        defer {
            loops.stop()
            loop.stop()
        }
        let scratch = try TemporaryDirectory("chaos")
        do {
            let report = try await withTaskExecutorPreference(loop) {
                try await makeReport(in: scratch, loops, loop, output)
            }
            output.printLine("\n\(report.table)\n")
            if report.passes {
                scratch.remove()
            } else {
                output.printLine("  The workers' logs are in \(scratch.path)\n")
            }
            output.printLine(report.verdict)
            return report.passes
        } catch  where !Task.isCancelled {
            output.printLine("\n  The workers' logs are in \(scratch.path)\n")
            output.printLine("Chaos \(schedule.seed), \(policy.rawValue): FAILED: \(error).")
            return false
        } catch {
            scratch.remove()
            throw error
        }
    }

    private func makeReport(
        in scratch: TemporaryDirectory, _ loops: EventLoopGroup, _ loop: EventLoop, _ output: ChaosOutput
    ) async throws -> ChaosReport {
        let logger = Logger.make(level: .critical)
        let database = try await ChaosDatabase.start(
            in: scratch.path, hasStandby: schedule.hasStandby, isQuick: isQuick, logger: logger)
        do {
            let environment = try await ChaosEnvironment.build(
                schedule, policy, devices: devices, servers: database, folder: scratch.path, loops: loops, on: loop,
                logger: logger)
            let report = try await makeReport(environment, in: scratch, loop, output)
            await environment.stores.pool.close()
            await database.stop(immediately: false)
            return report
        } catch {
            await database.stop(immediately: true)
            throw error
        }
    }

    private func makeReport(
        _ environment: ChaosEnvironment, in scratch: TemporaryDirectory, _ loop: EventLoop, _ output: ChaosOutput
    ) async throws -> ChaosReport {
        let workers = ChaosWorkers(
            size: ChaosSchedule.workers, arguments: environment.workerArguments, databaseURL: environment.database.url,
            folder: scratch.path, on: loop)
        let run = ChaosRun(
            schedule: schedule, policy: policy, environment: environment, workers: workers, output: output, loop: loop)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: loop) { try await environment.apple.run() }
            defer { group.cancelAll() }
            do {
                return try await run.report()
            } catch {
                await workers.killAll()
                throw error
            }
        }
    }
}
