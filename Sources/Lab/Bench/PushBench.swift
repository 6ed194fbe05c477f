import APNSSimulator
import Administration
import Belfry
import Campaigns
import EventLoop
import Foundation
import Logging
import Notifications
import Postgres
import PrivatePostgres
import Store

/// Measures transactional pushes: a separate `belfry serve` process, requests of one device each, from the request to
/// the outcome in the ledger. The simulator accepts all pushes.
struct PushBench {
    static let pushes = 60_000
    static let devices = 20_000
    /// Each has one request in flight.
    static let connections = 64
    /// The number of single requests to an idle process, for latencies.
    static let probes = 500
    static let warmUp = 2_000

    func run(into report: inout BenchReport) async throws {
        let apple = try BenchmarkAPNS()
        let figures = try await BenchScratch.run("pushes") { settings, loop in
            try await Self.measure(settings: settings, apple: apple, on: loop)
        }
        await apple.stop()
        report.add("transactional.rate", figures.rate, "/s")
        report.add("transactional.cpu_us", figures.processorMicroseconds, "µs")
        report.add("transactional.p99_ms", figures.waits.sorted()[figures.waits.count * 99 / 100], "ms")
        report.note(
            """
            requests of one device each over \(Self.connections) connections, template and value, to the stored \
            outcome; \(Int(figures.pushesPerBatch.rounded())) pushes per batch
            """)
        report.note(
            """
            p99 from the request to the simulator, \(Self.probes) requests in sequence; median \
            \(String(format: "%.1f", figures.waits.median)) ms
            """)
    }

    private struct Figures: Sendable {
        let rate: Double
        let processorMicroseconds: Double
        let pushesPerBatch: Double
        /// Milliseconds from a request to the simulator.
        let waits: [Double]
    }

    private static func measure(settings: Settings, apple: BenchmarkAPNS, on loop: EventLoop) async throws -> Figures {
        let logger = Logger.make(level: .warning)
        let database = try await Database.open(settings, on: loop, logger: logger)
        guard let cluster = database.cluster else { throw CommandFailure("the benchmark requires its own PostgreSQL") }
        let stores = database.stores(on: loop, logger: logger)
        let app = try await CampaignBench.prepare(
            devices: devices, stores: stores, apple: apple)
        let content = #"{"payload":{"aps":{"alert":"{{ first_name }}, your code is {{ code }}."}}}"#
        let template = try await stores.templates.create(app: app, name: "Code", content: content).id
        let key = try await stores.apiKeys.create(
            app: app, kind: .secret, name: "bench", scopes: [.pushesSend])
        let authority = "\(settings.stateDirectory)/ca.pem"
        try TextFile.write(apple.simulator.certificatePEM, to: authority)
        let port = try WebBench.freePort()
        let server = try BelfrySubprocess(
            [
                "serve", "--state", settings.stateDirectory, "--port", "\(port)",
                "--drain-seconds", "0", "--apns-host", "localhost", "--apns-port", "\(apple.port)", "--apns-ca-file",
                authority, "--apns-connections", "2", "--log-level", "warning", "--rate-limit-key", "0",
                "--rate-limit-address", "0",
            ],
            environment: ["DATABASE_URL": cluster.url], on: loop)
        defer { server.terminate() }
        guard let address = SocketAddress(ip: "127.0.0.1", port: port) else {
            throw CommandFailure("127.0.0.1:\(port) is not an address")
        }
        try await WebBench.waitUntilUp(address, on: loop)
        var load = DeviceLoad(address: address, app: app, key: key.text)

        load.connections = 1
        let waits = try await load.latenciesToWire(probes, devices: devices, template: template, apple, on: loop)
        load.connections = connections
        _ = try await load.push(warmUp, devices: devices, template: template, on: loop)
        let data = BenchData(pool: stores.pool)
        let before = try await waitForOutcomes(data, probes + warmUp, on: loop)
        var costs = try WebBench.ProcessCosts(of: server)
        let began = MonotonicTime.now()
        _ = try await load.push(pushes, devices: devices, template: template, on: loop)
        let batches = try await waitForOutcomes(data, probes + warmUp + pushes, on: loop) - before
        let seconds = (MonotonicTime.now() - began).seconds
        let processorSeconds = try costs.next()
        server.terminate()
        await stores.pool.close()
        await database.close()
        return Figures(
            rate: Double(pushes) / seconds, processorMicroseconds: processorSeconds / Double(pushes) * 1e6,
            pushesPerBatch: Double(pushes) / Double(batches), waits: waits)
    }

    /// Waits until `count` pushes have their outcome, all of them accepted. Returns the number of batches.
    private static func waitForOutcomes(_ data: BenchData, _ count: Int, on loop: EventLoop) async throws -> Int {
        let deadline = MonotonicTime.now() + .seconds(30)
        while MonotonicTime.now() < deadline {
            if let ended = try await data.endedPushes(), ended.count == count {
                guard ended.accepted == count else {
                    throw CommandFailure("only \(ended.accepted) of \(count) pushes were accepted")
                }
                return try await data.pushBatches()
            }
            try await loop.sleep(for: .milliseconds(20))
        }
        throw CommandFailure("the pushes were not sent within 30 seconds")
    }
}

extension DeviceLoad {
    /// The interval at which the arrival of a push is checked: the maximum error of a latency.
    private static let pollInterval = Duration.microseconds(200)

    /// Returns the milliseconds from each request to the arrival of its push at the simulator, on an idle server.
    fileprivate func latenciesToWire(
        _ count: Int, devices: Int, template: Template.ID, _ apple: BenchmarkAPNS, on loop: EventLoop
    ) async throws -> [Double] {
        var waits: [Double] = []
        for _ in 0..<count {
            let arrived = apple.simulator.acceptAllPushes
            let began = MonotonicTime.now()
            async let answered = push(1, devices: devices, template: template, on: loop)
            while apple.simulator.acceptAllPushes == arrived, .now() - began < .seconds(10) {
                try await loop.sleep(for: Self.pollInterval)
            }
            waits.append((MonotonicTime.now() - began).seconds * 1_000)
            _ = try await answered
            try await loop.sleep(for: .milliseconds(10))
        }
        return waits
    }
}
