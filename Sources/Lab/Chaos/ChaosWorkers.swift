import Belfry
import EventLoop
import Foundation
import Logging
import Store

/// The worker processes of a chaos run, by slot. They end when this process ends. A killed worker is replaced.
actor ChaosWorkers {
    /// Shorter than in production, so that leases expire within a short run.
    static let lease = Duration.seconds(4)
    private static let settings = [
        "BELFRY_LEASE_SECONDS": "\(lease.components.seconds)", "BELFRY_RENEWAL_SECONDS": "1",
        "BELFRY_REQUEST_DEADLINE_SECONDS": "2", "BELFRY_RETRY_SECONDS": "2",
        // A quick run has no fsync.
        "BELFRY_UNSAFE_SERVER": "true",
    ]
    private static let connections = 2
    /// A worker stores its outcomes before it ends.
    private static let longestEnd = Duration.seconds(15)
    private static let longestMigration = Duration.seconds(120)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private struct Member {
        let process: BelfrySubprocess
        let session: String
        let log: String
        var isPaused = false
        var isStopping = false
    }

    private let arguments: [String]
    private let databaseURL: String
    private let folder: String
    /// The folder of the version that is started; nil: this one's.
    private var version: String?
    private var members: [Member?]
    private var started = 0
    /// Descriptions of workers that ended without being told to, or did not end when told to.
    private(set) var unexpectedExits: [String] = []

    init(size: Int, arguments: [String], databaseURL: String, folder: String, on loop: EventLoop) {
        self.arguments = arguments
        self.databaseURL = databaseURL
        self.folder = folder
        self.loop = loop
        members = Array(repeating: nil, count: size)
    }

    func start(_ slot: Int) throws {
        started += 1
        let session = "belfry-chaos-\(slot + 1)-\(started)"
        let log = "\(folder)/\(session).log"
        let process = try BelfrySubprocess(
            ["work", "--send-loops", "1", "--apns-connections", "\(Self.connections)", "--log-level", "info"]
                + arguments,
            environment: Self.settings.merging(["DATABASE_URL": "\(databaseURL)&application_name=\(session)"]) { $1 },
            in: version, log: log, on: loop)
        members[slot] = Member(process: process, session: session, log: log)
    }

    /// The `application_name` of the worker's database sessions.
    func session(_ slot: Int) -> String { members[slot]?.session ?? "" }

    func isAtWork(_ slot: Int) -> Bool {
        members[slot].map { $0.process.isRunning && !$0.isPaused && !$0.isStopping } ?? false
    }

    /// The owner of the worker's leases; nil until the worker has logged it.
    func owner(_ slot: Int) throws -> ProcessID? {
        guard let member = members[slot] else { return nil }
        let key = "\(Logger.ownerKey)="
        for line in try TextFile.read(member.log).split(separator: "\n") where line.contains(" working ") {
            let fields = line.split(separator: " ")
            guard let text = fields.first(where: { $0.hasPrefix(key) })?.dropFirst(key.count),
                let id = UUID(uuidString: String(text))
            else { continue }
            return ProcessID(rawValue: id)
        }
        return nil
    }

    // MARK: Upgrade

    func makeNextBuild() throws -> NextBuild { try NextBuild(in: "\(folder)/next") }

    /// Runs `belfry migrate` of the next version. Throws if it fails.
    func migrate(_ next: NextBuild, _ flags: [String] = []) async throws {
        let log = "\(folder)/migrate\(flags.joined()).log"
        let process = try BelfrySubprocess(
            ["migrate"] + flags, environment: Self.settings.merging(["DATABASE_URL": databaseURL]) { $1 },
            in: next.folder, log: log, on: loop)
        guard await process.waitForExit(on: loop, within: Self.longestMigration), process.status == 0 else {
            process.send(SIGKILL)
            throw CommandFailure("the migration failed, see \(log)")
        }
    }

    /// Workers that start from now on have the next version.
    func use(_ next: NextBuild) { version = next.folder }

    /// Ends the worker as a service manager does, and starts another one.
    func replace(_ slot: Int) async throws {
        members[slot]?.isStopping = true
        resume(slot)
        members[slot]?.process.send(SIGTERM)
        if let process = members[slot]?.process, await !process.waitForExit(on: loop, within: Self.longestEnd) {
            throw CommandFailure("worker \(slot + 1) did not end within \(Self.longestEnd)")
        }
        try start(slot)
    }

    // MARK: Faults

    func kill(_ slot: Int) async {
        members[slot]?.isStopping = true
        guard let process = members[slot]?.process else { return }
        process.send(SIGKILL)
        _ = await process.waitForExit(on: loop, within: Self.longestEnd)
    }

    func pause(_ slot: Int) {
        members[slot]?.isPaused = true
        members[slot]?.process.send(SIGSTOP)
    }

    func resume(_ slot: Int) {
        members[slot]?.process.send(SIGCONT)
        members[slot]?.isPaused = false
    }

    /// Replaces workers that ended without being told to, and records them. Returns their slots.
    func replaceExitedWorkers() throws -> [Int] {
        var slots: [Int] = []
        for (slot, member) in members.enumerated() {
            guard let member, !member.isStopping, !member.process.isRunning else { continue }
            unexpectedExits.append(
                "worker \(slot + 1) ended unexpectedly with status \(member.process.status), see \(member.log)")
            slots.append(slot)
            try start(slot)
        }
        return slots
    }

    /// Kills all workers.
    func killAll() async {
        for slot in members.indices { await kill(slot) }
    }

    /// Tells all workers to end and waits for them; kills those that do not end in time.
    func end() async {
        for slot in members.indices {
            members[slot]?.isStopping = true
            resume(slot)
            members[slot]?.process.send(SIGTERM)
        }
        for member in members {
            guard let process = member?.process else { continue }
            if await process.waitForExit(on: loop, within: Self.longestEnd) { continue }
            unexpectedExits.append("\(member?.session ?? "") did not end within \(Self.longestEnd)")
            process.send(SIGKILL)
            _ = await process.waitForExit(on: loop, within: Self.longestEnd)
        }
    }
}
