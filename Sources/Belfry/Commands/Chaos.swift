import APNSSimulator
import ArgumentParser
import Campaigns
import EventLoop
import Logging
import Postgres
import ServiceLifecycle
import Store

struct Chaos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Kill it yourself: a campaign under kill -9, lost databases and a bad Apple, and its proof.",
        discussion: """
            Three workers send a campaign over a PostgreSQL of its own to a simulated Apple in this process, while workers \
            are killed and paused, PostgreSQL is stopped in immediate mode, and connections on both sides fail. The seed \
            decides what happens at which share of the audience. In the end Apple's own record is held against the \
            ledger; the last line is the verdict, and the exit status is 0 only if all of it holds.
            """)

    enum Policy: String, ExpressibleByArgument, CaseIterable {
        case resend, leave

        var unknownPolicy: UnknownPolicy { self == .resend ? .resend : .leave }
    }

    @Option(help: "The same seed, the same schedule.")
    var seed: UInt64 = 1

    @Option(help: "What is done about pushes of which nobody knows whether they arrived: resend or leave.")
    var policy = Policy.resend

    @Option(help: "Recipients of the campaign.")
    var devices = 200_000

    @Flag(help: "PostgreSQL does not wait for the disk (fsync), as for tests.")
    var quick = false

    func validate() throws {
        guard (1_000...2_000_000).contains(devices) else { throw ValidationError("--devices is 1,000 to 2,000,000.") }
    }

    func run() async throws {
        let service = ChaosService(
            schedule: ChaosSchedule(seed: seed), policy: policy.unknownPolicy, devices: devices, isQuick: quick)
        try await ServiceGroup.run([service], logger: .make("chaos", level: .critical))
        switch service.outcome.withLock({ $0 }) {
        case .success(let holds): if !holds { throw ExitCode.failure }
        case .failure(let error): throw error
        case nil: throw CommandFailure("interrupted")
        }
    }
}

/// Builds the world, has the campaign run in it, and leaves nothing behind: not even when it is interrupted.
struct ChaosService: Service, CustomStringConvertible {
    let schedule: ChaosSchedule
    let policy: UnknownPolicy
    let devices: Int
    let isQuick: Bool
    /// Whether everything held; nil when it was interrupted.
    let outcome = Lock<Result<Bool, any Error>?>(nil)

    var description: String { "chaos" }

    func run() async throws {
        await cancelWhenGracefulShutdown { () async -> Void in
            do {
                let holds = try await conduct()
                outcome.withLock { $0 = .success(holds) }
            } catch  where Task.isCancelled {
                return
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
    }

    private func conduct() async throws -> Bool {
        let output = ChaosOutput()
        output.say(
            """

              Chaos \(schedule.seed), \(policy.rawValue): \(devices.grouped) recipients, \(ChaosSchedule.workers) workers.

            \(schedule.text)

            """)
        let loop = try EventLoop(name: "chaos")
        let loops = try EventLoopGroup(count: 1, name: "apple")
        defer {
            loops.stop()
            loop.stop()
        }
        let scratch = try Scratch("chaos")
        do {
            let report = try await withTaskExecutorPreference(loop) {
                try await judged(in: scratch, loops, loop, output)
            }
            output.say("\n\(report.table)\n")
            if report.holds { scratch.remove() } else { output.say("  The workers' logs are in \(scratch.path)\n") }
            output.say(report.verdict)
            return report.holds
        } catch  where !Task.isCancelled {
            output.say("\n  The workers' logs are in \(scratch.path)\n")
            output.say("Chaos \(schedule.seed), \(policy.rawValue): FAILED: \(error).")
            return false
        } catch {
            scratch.remove()
            throw error
        }
    }

    private func judged(
        in scratch: Scratch, _ loops: EventLoopGroup, _ loop: EventLoop, _ output: ChaosOutput
    ) async throws -> ChaosReport {
        let logger = Logger.make("chaos", level: .critical)
        var options = LocalCluster.Options()
        options.fsync = !isQuick
        let cluster = try await LocalCluster.start(
            directory: "\(scratch.path)/postgres", options: options, logger: logger)
        do {
            let world = try await ChaosWorld.build(
                schedule, policy, devices: devices, cluster: cluster, folder: scratch.path, loops: loops, on: loop,
                logger: logger)
            let report = try await judged(world, in: scratch, loop, output)
            await world.stores.pool.close()
            await cluster.stop()
            return report
        } catch {
            await cluster.stopImmediately()
            throw error
        }
    }

    private func judged(
        _ world: ChaosWorld, in scratch: Scratch, _ loop: EventLoop, _ output: ChaosOutput
    ) async throws -> ChaosReport {
        let crew = ChaosCrew(
            size: ChaosSchedule.workers, arguments: world.workerArguments, databaseURL: world.cluster.url,
            folder: scratch.path, on: loop)
        let run = ChaosRun(
            schedule: schedule, policy: policy, world: world, crew: crew, output: output, loop: loop)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: loop) { try await world.apple.run() }
            defer { group.cancelAll() }
            do {
                return try await run.report()
            } catch {
                await crew.abandon()
                throw error
            }
        }
    }
}
