import EventLoop
import Foundation
import Store

/// The workers of a chaos run, as processes that this one started, by their places. They do not outlive it, however it
/// ends. One that was killed is followed by another in the same place.
actor ChaosCrew {
    /// Shorter than in production, so that an hour of trouble fits into a minute.
    static let lease = Duration.seconds(4)
    private static let settings = [
        "BELFRY_LEASE_SECONDS": "\(lease.components.seconds)", "BELFRY_RENEWAL_SECONDS": "1",
        "BELFRY_REQUEST_DEADLINE_SECONDS": "2", "BELFRY_RETRY_SECONDS": "2",
    ]
    private static let connections = 2
    /// A worker that is told to end stores what it holds first.
    private static let longestEnd = Duration.seconds(15)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private struct Member {
        let process: ChildBelfry
        let session: String
        let log: String
        var isPaused = false
        var isToldToEnd = false
    }

    private let arguments: [String]
    private let databaseURL: String
    private let folder: String
    private var members: [Member?]
    private var started = 0
    /// Workers that ended without being told to.
    private(set) var deserters: [String] = []

    init(size: Int, arguments: [String], databaseURL: String, folder: String, on loop: EventLoop) {
        self.arguments = arguments
        self.databaseURL = databaseURL
        self.folder = folder
        self.loop = loop
        members = Array(repeating: nil, count: size)
    }

    func start(_ place: Int) throws {
        started += 1
        let session = "belfry-chaos-\(place + 1)-\(started)"
        let log = "\(folder)/\(session).log"
        let process = try ChildBelfry(
            ["work", "--apns-connections", "\(Self.connections)", "--log-level", "info"] + arguments,
            environment: Self.settings.merging(["DATABASE_URL": "\(databaseURL)&application_name=\(session)"]) { $1 },
            log: log, on: loop)
        members[place] = Member(process: process, session: session, log: log)
    }

    /// Its sessions' name in the database.
    func session(_ place: Int) -> String { members[place]?.session ?? "" }

    func isAtWork(_ place: Int) -> Bool {
        members[place].map { $0.process.isRunning && !$0.isPaused && !$0.isToldToEnd } ?? false
    }

    /// As its leases name it; nil as long as it has not said so in its log.
    func owner(_ place: Int) throws -> ProcessID? {
        guard let member = members[place] else { return nil }
        let key = "\(Work.processKey)="
        for line in try TextFile.read(member.log).split(separator: "\n") where line.hasSuffix("working") {
            let words = line.split(separator: " ").filter { $0.hasPrefix(key) }
            guard let text = words.first?.dropFirst(key.count), let id = UUID(uuidString: String(text)) else {
                continue
            }
            return ProcessID(rawValue: id)
        }
        return nil
    }

    // MARK: What is done to them

    func kill(_ place: Int) async {
        members[place]?.isToldToEnd = true
        guard let process = members[place]?.process else { return }
        process.send(SIGKILL)
        _ = await process.waitForExit(on: loop, within: Self.longestEnd)
    }

    func pause(_ place: Int) {
        members[place]?.isPaused = true
        members[place]?.process.send(SIGSTOP)
    }

    func goOn(_ place: Int) {
        members[place]?.process.send(SIGCONT)
        members[place]?.isPaused = false
    }

    /// Whoever has ended by himself is noted, and followed by another. Returns the places.
    func replaceDeserters() throws -> [Int] {
        var places: [Int] = []
        for (place, member) in members.enumerated() {
            guard let member, !member.isToldToEnd, !member.process.isRunning else { continue }
            deserters.append("worker \(place + 1) ended by itself with \(member.process.status), see \(member.log)")
            places.append(place)
            try start(place)
        }
        return places
    }

    /// Ends all at once: nothing that they hold matters any more.
    func abandon() async {
        for place in members.indices { await kill(place) }
    }

    /// Tells all to end, and sees to it that they have.
    func end() async {
        for place in members.indices {
            members[place]?.isToldToEnd = true
            goOn(place)
            members[place]?.process.send(SIGTERM)
        }
        for member in members {
            guard let process = member?.process else { continue }
            if await process.waitForExit(on: loop, within: Self.longestEnd) { continue }
            deserters.append("\(member?.session ?? "") did not end when it was told to")
            process.send(SIGKILL)
            _ = await process.waitForExit(on: loop, within: Self.longestEnd)
        }
    }
}
