import Campaigns
import Dispatcher
import EventLoop
import Glibc
import Logging
import TLS

/// Runs all checks of `belfry doctor`, those that need nothing from each other at the same time. Each has a limit of
/// its own; together they end within 15 seconds.
struct Doctor: Sendable {
    static let reachLimit = Duration.seconds(5)
    static let fileLimit = Duration.seconds(3)

    let settings: Settings
    /// Files with secrets that the settings name.
    let secretFiles: [(name: String, path: String)]
    /// Connections of clients, if a number is set.
    let wantedConnections: Int?
    let loop: EventLoop
    let logger: Logger

    func examine() async -> [DoctorFinding] {
        async let files = fileFindings()
        async let reach = ReachFindings.ask(settings.endpoints, Self.reachLimit, on: loop)
        let sealing = SealingKeyState.read(settings)
        let database = await DatabaseExamination(settings: settings, sealing: sealing, loop: loop, logger: logger).run()
        return await database.findings + apnsFindings(database, reach) + files
    }

    private func apnsFindings(_ database: DatabaseExamination.Outcome, _ reach: ReachFindings) async -> [DoctorFinding]
    {
        guard !database.isOfDemo || settings.endpoints.destination != .apple else {
            return DoctorFinding.skipped(
                .apns, ["host", "keys"], because: "belfry demo sends to a simulator of its own")
        }
        guard let keys = database.keys else {
            return reach.findings
                + DoctorFinding.skipped(.apns, ["keys"], because: "they could not be read from the database")
        }
        let credentials = CredentialFindings(
            endpoints: settings.endpoints, reached: reach.reached, loop: loop, logger: logger)
        return reach.findings + (await credentials.ask(keys))
    }

    // MARK: This machine

    private func fileFindings() async -> [DoctorFinding] {
        async let secrets = look("files") { FileFindings.secrets(secretFiles) + FileFindings.signingKeys(in: folders) }
        async let state = look("state") { [FolderState.read(settings.stateDirectory).finding(.machine, "state")] }
        async let media = mediaFindings()
        async let certificate = certificateFindings()
        return await secrets + certificate + [rootCertificates] + media + state + [openFiles]
    }

    private var folders: [String] { [settings.stateDirectory, "."] }

    private func mediaFindings() async -> [DoctorFinding] {
        guard let directory = settings.mediaDirectory else {
            return [.ok(.web, "media", "stored in the database")]
        }
        return await look("media") { [FolderState.read(directory).finding(.web, "media")] }
    }

    private func certificateFindings() async -> [DoctorFinding] {
        guard let files = settings.certificate else {
            return [.ok(.web, "certificate", "none: serve speaks http; let a proxy in front of it add TLS")]
        }
        return await look("certificate") { [files.finding] }
    }

    private func look(_ check: String, _ body: @escaping @Sendable () -> [DoctorFinding]) async -> [DoctorFinding] {
        switch await CheckDeadline.runBlocking(Self.fileLimit, on: loop, body) {
        case .success(let findings): findings
        case .failure(let error):
            [
                .error(
                    .machine, check, "the file system: \(error)",
                    "Look for a volume whose server is gone (mount, df), and mount it again.")
            ]
        }
    }

    /// `serve` does not start without them, and checks of media on other servers need them.
    private var rootCertificates: DoctorFinding {
        do {
            try SystemRoots.load()
            return .ok(.web, "roots", "the system's root certificates can be read")
        } catch {
            return .refused(.web, "roots", error)
        }
    }

    private var openFiles: DoctorFinding {
        do {
            return DescriptorBudget(descriptors: try DescriptorLimit.raise()).finding(wanted: wantedConnections)
        } catch {
            return .refused(.machine, "open files", error)
        }
    }
}
