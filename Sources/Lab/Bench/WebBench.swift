import Application
import Belfry
import Campaigns
import Crypto
import EventLoop
import FoundationEssentials
import JSON
import Logging
import Notifications
import Postgres
import PrivatePostgres
import Store

/// Measures HTTP requests, registrations, acknowledgements and custom events of a separate `belfry serve` process with its own
/// PostgreSQL. The load generator runs on the same machine.
struct WebBench {
    static let gets = 400_000
    static let getConnections = 32
    static let registrations = 100_000
    static let acknowledgements = 1_000_000
    static let customEvents = 1_000_000
    /// Connections for acknowledgements. With 100 events each they stay below the server's limit of pending events.
    static let acknowledgers = 64

    func run(into report: inout BenchReport) async throws {
        let figures = try await BenchScratch.run("web") { settings, loop in
            try await Self.measure(settings: settings, on: loop)
        }
        if let get = figures.get {
            report.add("http.get_rate", get.rate, "/s")
            report.add("http.cpu_us_per_get", get.processorMicroseconds, "µs")
        }
        report.add("registration.rate", figures.registration.rate, "/s")
        report.add("registration.cpu_us", figures.registration.processorMicroseconds, "µs")
        report.add(
            "acknowledgements.rate", figures.acknowledgement.rate, "/s", peer: "COPY of the same rows by psql",
            peerValue: figures.copyRate)
        report.add("acknowledgements.cpu_us", figures.acknowledgement.processorMicroseconds, "µs")
        report.add("custom_events.rate", figures.customEvent.rate, "/s")
        report.add("custom_events.cpu_us", figures.customEvent.processorMicroseconds, "µs")
        report.note(
            """
            one loop; GET of JSON over \(Self.getConnections) keep-alive connections; acknowledgements and \
            custom events in requests of 100; all but GET durable
            """)
        report.note("processor time is the server's, without PostgreSQL's")
    }

    private struct Figures: Sendable {
        let get: Row?
        let registration: Row
        let acknowledgement: Row
        let customEvent: Row
        /// Rows per second.
        let copyRate: Double
    }

    private struct Row: Sendable {
        let rate: Double
        let processorMicroseconds: Double

        init(_ count: Int, in seconds: Double, processorSeconds: Double) {
            rate = Double(count) / seconds
            processorMicroseconds = processorSeconds / Double(count) * 1e6
        }
    }

    private static func measure(settings: Settings, on loop: EventLoop) async throws -> Figures {
        let logger = Logger.make(level: .warning)
        let database = try await Database.open(settings, on: loop, logger: logger)
        guard let cluster = database.cluster else { throw CommandFailure("the benchmark requires its own PostgreSQL") }
        let stores = database.stores(on: loop, logger: logger)
        let app = try await stores.apps.create(
            AppSettings(
                name: "Bench", bundleID: try BundleID("com.example.bench"),
                newInstallationsPerMinute: AppSettings.maximumNewInstallationsPerMinute)
        ).id
        let key = try await stores.apiKeys.create(
            app: app, kind: .publishable, name: "bench", scopes: [])
        let port = try freePort()
        let server = try BelfrySubprocess(
            ["serve", "--state", settings.stateDirectory, "--port", "\(port)", "--drain-seconds", "0"]
                + ["--log-level", "warning", "--rate-limit-key", "0", "--rate-limit-address", "0"],
            environment: ["DATABASE_URL": cluster.url], on: loop)
        defer { server.terminate() }
        guard let address = SocketAddress(ip: "127.0.0.1", port: port) else {
            throw CommandFailure("127.0.0.1:\(port) is not an address")
        }
        try await waitUntilUp(address, on: loop)

        var costs = try ProcessCosts(of: server)
        let get = try H2Load.gets(gets, "http://127.0.0.1:\(port)/healthz", connections: getConnections)
        let getRow = try get.map { Row(gets, in: $0.seconds, processorSeconds: try costs.next()) }
        var load = DeviceLoad(address: address, app: app, key: key.text)
        let registered = try await load.register(registrations, on: loop)
        let registrationRow = Row(
            registrations, in: registered.duration.seconds, processorSeconds: try costs.next())
        let events = try await PushEvents(app: app, stores: stores)
        load.connections = acknowledgers
        _ = try costs.next()
        let acknowledged = try await load.acknowledge(acknowledgements, on: loop) { events.event($0) }
        let acknowledgementRow = Row(
            acknowledgements, in: acknowledged.duration.seconds, processorSeconds: try costs.next())
        let reported = try await load.report(customEvents, devices: registrations, on: loop)
        let customEventRow = Row(customEvents, in: reported.duration.seconds, processorSeconds: try costs.next())
        server.terminate()
        let copyRate = try await EventCopy(pool: stores.pool, url: cluster.url, folder: settings.stateDirectory).rate()
        await stores.pool.close()
        await database.close()
        return Figures(
            get: getRow, registration: registrationRow, acknowledgement: acknowledgementRow,
            customEvent: customEventRow, copyRate: copyRate)
    }

    /// The processor time of a process between two calls of `next`.
    struct ProcessCosts {
        let process: BelfrySubprocess
        var soFar = 0.0

        init(of process: BelfrySubprocess) throws {
            self.process = process
            soFar = try process.usage().processorSeconds
        }

        mutating func next() throws -> Double {
            let now = try process.usage().processorSeconds
            defer { soFar = now }
            return now - soFar
        }
    }

    /// A port for a process that the bench starts. It stays reserved until this process ends.
    static func freePort() throws -> UInt16 {
        guard let any = SocketAddress(ip: "127.0.0.1", port: 0) else { return 0 }
        return try Socket.reserve(any).localAddress().port ?? 0
    }

    static func waitUntilUp(_ address: SocketAddress, on loop: EventLoop) async throws {
        let deadline = MonotonicTime.now() + .seconds(30)
        while true {
            do throws(SystemError) {
                try await Socket.connect(to: address, on: loop, timeout: .seconds(1)).close()
                return
            } catch {
                guard MonotonicTime.now() < deadline else { throw error }
            }
            try await loop.sleep(for: .milliseconds(50))
        }
    }
}

/// Events of campaigns to all registered devices, in the order of their devices: each delivers each push, and one in
/// four opens it, 50,000 events later.
private struct PushEvents: Sendable {
    private static let runs = 8
    /// Of ten events, eight are deliveries and two are openings.
    private static let deliveries = 8
    /// In tens of events.
    private static let delay = 5_000

    private let key: HMACKey
    private let messageNumbers: [Int64]

    init(app: App.ID, stores: Stores) async throws {
        let keys = try await stores.messageKeys.messageKeys(app: app)
        guard let key = keys[1] else { throw CommandFailure("the app has no key for message IDs") }
        self.key = key
        let campaign = try await stores.campaigns.create(
            app: app, CampaignContent(name: "Bench", payload: #"{"aps":{"alert":"Hello"}}"#))
        let data = BenchData(pool: stores.pool)
        messageNumbers = try await data.addSentRuns(Self.runs, app: app, campaign: campaign.id)
        try await data.checkpoint()
    }

    func event(_ number: Int) -> (id: MessageID, kind: EventKind) {
        let (group, index) = number.quotientAndRemainder(dividingBy: 10)
        if index < Self.deliveries { return (id(group * Self.deliveries + index), .delivered) }
        let opened = (index - Self.deliveries) * 4
        // Nothing is delivered yet that could be opened.
        guard group >= Self.delay else { return (id(group * Self.deliveries + opened), .presented) }
        return (id((group - Self.delay) * Self.deliveries + opened), .opened)
    }

    /// The message ID of the n-th delivery.
    private func id(_ delivery: Int) -> MessageID {
        let (run, device) = delivery.quotientAndRemainder(dividingBy: WebBench.registrations)
        return MessageID(
            messageNumber: messageNumbers[run % Self.runs], device: Int64(device + 1), key: key)
    }
}
