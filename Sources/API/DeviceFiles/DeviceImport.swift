import Application
import Campaigns
import EventLoop
import HTTPServer
import JSON
import Notifications
import Postgres
import Store

/// Imports a device file in groups of lines, in the file's order. While one group is being stored, the next is read,
/// and no more is accepted from the client. So memory use doesn't grow with the file.
struct DeviceImport {
    /// The number of lines in a group; a group is one transaction.
    static let groupSize = 1_000
    /// The time that the import waits for the database, or for space in the queue, before it fails.
    static let maximumWait = Duration.seconds(30)
    static let pause = Duration.milliseconds(250)
    /// The time between two checks that the caller may still import.
    static let checkInterval = Duration.seconds(2)

    /// The app of the devices, and the queue that stores them.
    struct Destination: Sendable {
        let app: App.ID
        let registrations: RegistrationCommit
        let topics: TopicKeyCache
        let loop: EventLoop
        /// The changes that lines may make; a line with a time of its own counts as of that.
        let terms: ImportTerms
    }

    private struct Line: Sendable {
        let number: Int
        let registration: Registration
        let optOutTopics: [String]
        /// Of all campaigns.
        let isOptedOut: Bool
        let warnings: [Problem]

        /// A line without a token changes an existing device.
        init?(_ number: Int, _ body: RegistrationBody, _ destination: Destination) {
            guard let installation = body.installation else { return nil }
            var terms = destination.terms
            // A line from the future would be newer than all that apps state until then.
            terms.asOf = body.asOf.map { min($0, Instant(microseconds: Timestamp.now.microseconds)) } ?? terms.asOf
            self.number = number
            registration = Registration(
                body.changes.token == nil ? .update : .register, app: destination.app,
                address: body.address(of: installation),
                changes: body.changes, person: body.person, terms: terms)
            optOutTopics = body.optOutTopics
            isOptedOut = body.isOptedOutOfAll
            warnings = body.warnings
        }
    }

    private typealias Storing = ThrowingTaskGroup<ImportReport, any Error>

    private let destination: Destination
    /// Called after each piece of the file.
    private let onProgress: @Sendable (RunningImport) -> Void
    private var reader: DeviceFileReader
    /// Throws when the caller's key or session has ended.
    private let checkPermission: @Sendable () async throws -> Void
    private var nextCheck = MonotonicTime.now()
    private var bytes = 0
    private var group: [Line] = []
    /// The report of the lines that are certainly stored.
    private(set) var report = ImportReport()

    init(
        _ format: FileFormat, _ options: DeviceFileOptions, to destination: Destination,
        checkPermission: @escaping @Sendable () async throws -> Void,
        onProgress: @escaping @Sendable (RunningImport) -> Void
    ) {
        self.destination = destination
        self.checkPermission = checkPermission
        self.onProgress = onProgress
        reader = DeviceFileReader(format, options)
    }

    /// Reads the body to its end. Throws if the file as a whole is invalid, or if storing it failed.
    mutating func run(_ body: RequestBody) async throws {
        try await withThrowingTaskGroup(of: ImportReport.self) { storing in
            var pieces = UnpackedFile(body: body).makeAsyncIterator()
            while let piece = try await pieces.next() {
                if .now() >= nextCheck {
                    try await checkPermission()
                    nextCheck = .now() + Self.checkInterval
                }
                let lines: [DeviceLine]
                // Parsing thousands of lines would block all other work on the loop.
                (reader, lines) = try await withTaskExecutorPreference(globalConcurrentExecutor) { [reader] in
                    try await Self.feed(piece, to: reader)
                }
                bytes = pieces.read
                try await add(lines, &storing)
                tellProgress()
            }
            try await add(try reader.finish(), &storing)
            try await handOver(&storing)
            while let stored = try await storing.next() { report.add(stored) }
            report.file = DeviceFileFacts(reader, isCompressed: pieces.isCompressed)
        }
    }

    @concurrent
    private static func feed(
        _ piece: [UInt8], to reader: DeviceFileReader
    ) async throws -> (DeviceFileReader, [DeviceLine]) {
        var reader = reader
        let lines = try reader.feed(piece)
        return (reader, lines)
    }

    private mutating func add(_ lines: [DeviceLine], _ storing: inout Storing) async throws {
        for line in lines {
            switch line.content {
            case .refused(let problems): report.addRefused(line: line.number, problems.problems)
            case .leftOut: report.addLeftOut()
            case .device(let body):
                guard let line = Line(line.number, body, destination) else { continue }
                group.append(line)
                if group.count == Self.groupSize { try await handOver(&storing) }
            }
        }
    }

    private func tellProgress() {
        onProgress(
            RunningImport(
                bytes: bytes, lines: report.lines + group.count, stored: report.stored, refused: report.refused,
                leftOut: report.leftOut))
    }

    /// Stores one group at a time, so that of two lines about one device the later one wins.
    private mutating func handOver(_ storing: inout Storing) async throws {
        if let stored = try await storing.next() {
            report.add(stored)
            tellProgress()
        }
        let lines = group
        group = []
        storing.addTask { [destination] in try await Self.store(lines, to: destination) }
    }

    private static func store(_ lines: [Line], to destination: Destination) async throws -> ImportReport {
        let deadline = MonotonicTime.now() + maximumWait
        while true {
            do {
                return try await storeOnce(lines, to: destination)
            } catch let error as GroupCommitError where error.isTransient {
                guard .now() < deadline else { throw error.answer }
            } catch let error as PostgresError where error.isDatabaseUnavailable {
                guard .now() < deadline else { throw GroupCommitError.unavailable(error).answer }
            } catch let error as GroupCommitError {
                throw error.answer
            }
            try await destination.loop.sleep(for: pause)
        }
    }

    private static func storeOnce(_ lines: [Line], to destination: Destination) async throws -> ImportReport {
        let unknown = try await destination.topics.unknown(
            among: Set(lines.flatMap(\.optOutTopics)), of: destination.app)
        let outcomes = try await destination.registrations.submit(all: lines.map(\.registration))
        var report = ImportReport()
        for (line, outcome) in zip(lines, outcomes) {
            switch outcome {
            case .success(.stored(let device)):
                report.add(device.imported)
                let ofTopics = line.optOutTopics.filter(unknown.contains).map(RegistrationBody.unknownTopicWarning)
                report.addStored(line: line.number, line.warnings + ofTopics, isOptedOut: line.isOptedOut)
            case .success(.erased): report.addErased()
            case .success(.noDevice), .success(.outdated), .success(.limited), .success(.unproven):
                report.addRefused(line: line.number, [noDevice])
            case .success(.refused(let refusal)): report.addRefused(line: line.number, [refusal.problem])
            case .failure(let failure): report.addRefused(line: line.number, [failure.problem])
            }
        }
        return report
    }

    private static let noDevice = Problem(
        path: "token", code: "missing", message: "is required, because the device is not registered yet")
}

extension GroupCommitError {
    /// Whether a retry may succeed soon.
    fileprivate var isTransient: Bool {
        switch self {
        case .full, .unavailable: true
        case .stopping, .refused: false
        }
    }
}
