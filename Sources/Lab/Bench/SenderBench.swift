import APNS
import APNSSimulator
import Belfry
import Campaigns
import Crypto
import EventLoop
import Foundation
import Logging
import Notifications
import TLS

/// Measures the sender alone: distinct tokens and ids over one TLS connection to a simulator that accepts all pushes,
/// alternating with h2load with distinct paths.
struct SenderBench {
    static let pushes = 400_000
    static let rounds = 3
    /// The number of concurrent windows, so that one is filled while others are in flight.
    static let concurrentWindows = 4

    func run(into report: inout BenchReport) async throws {
        let apple = try BenchmarkAPNS()
        var rates: [Double] = []
        var costs: [Double] = []
        var peerRates: [Double] = []
        var peerCosts: [Double] = []
        var appleShare = 0.0
        for _ in 0..<Self.rounds {
            let (seconds, processor, appleProcessor) = try await send(to: apple)
            rates.append(Double(Self.pushes) / seconds)
            costs.append(processor / Double(Self.pushes) * 1e6)
            appleShare = appleProcessor / seconds
            if let peer = try H2Load.pushes(Self.pushes, to: apple) {
                peerRates.append(Double(Self.pushes) / peer.seconds)
                peerCosts.append(peer.processorSeconds / Double(Self.pushes) * 1e6)
            }
        }
        await apple.stop()
        let peer = peerRates.isEmpty ? nil : "h2load, distinct paths"
        report.add("sender.rate", rates.median, "/s", peer: peer, peerValue: peerRates.median)
        report.add("sender.cpu_us_per_push", costs.median, "µs", peer: peer, peerValue: peerCosts.median)
        report.note(
            "one connection, TLS 1.3, medians of \(Self.rounds); simulator: \(Int(appleShare * 100)) % of a core"
        )
    }

    /// Returns elapsed seconds, and seconds of processor time of the sender's thread and of the simulator's.
    private func send(to apple: BenchmarkAPNS) async throws -> (Double, Double, Double) {
        let loop = try EventLoop(name: "sender")
        defer { loop.stop() }
        let client = try apple.makeClient(on: loop)
        return try await withTaskExecutorPreference(loop) {
            try await Self.sendAll(client, on: loop, apple: apple)
        }
    }

    private static func sendAll(
        _ client: APNSClient, on loop: EventLoop, apple: BenchmarkAPNS
    ) async throws -> (Double, Double, Double) {
        let headers = PushHeaders(
            bundleID: try BundleID(BenchmarkAPNS.bundleID), pushType: .alert, priority: .immediate,
            expiration: 1_900_000_000, collapseID: try CollapseID("bench"))
        // Opens and authenticates the connection before the measurement.
        try await sendShare(client, headers: headers, numbers: 0..<1)
        let began = MonotonicTime.now()
        let processor = loop.processorTime()
        let appleProcessor = apple.simulator.processorTime()
        let share = Self.pushes / Self.concurrentWindows
        try await withThrowingTaskGroup { group in
            for part in 0..<Self.concurrentWindows {
                group.addTask(executorPreference: loop) {
                    try await Self.sendShare(client, headers: headers, numbers: part * share..<(part + 1) * share)
                }
            }
            try await group.waitForAll()
        }
        let seconds = (MonotonicTime.now() - began).seconds
        let used = (loop.processorTime() - processor).seconds
        let appleUsed = (apple.simulator.processorTime() - appleProcessor).seconds
        await client.shutDown()
        return (seconds, used, appleUsed)
    }

    private static func sendShare(_ client: APNSClient, headers: PushHeaders, numbers: Range<Int>) async throws {
        let window = PushWindow()
        let payload = Array(H2Load.payload.utf8)
        var next = numbers.lowerBound
        while next < numbers.upperBound {
            window.reset(headers: headers)
            window.allow(until: .now() + .seconds(60))
            let end = min(next + PushWindow.maximumCount, numbers.upperBound)
            for number in next..<end { add(number, payload, to: window) }
            next = end
            if case .unavailable(let error) = await client.send(window) { throw error }
            for index in 0..<window.count where !window.results[index].isAccepted {
                throw CommandFailure("a push was not accepted: \(window.results[index])")
            }
        }
    }

    /// Adds a push with a distinct token of 32 bytes and a distinct id.
    private static func add(_ number: Int, _ payload: [UInt8], to window: PushWindow) {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { token in
            for word in 0..<4 {
                token.storeBytes(
                    of: UInt64(truncatingIfNeeded: number &* 0x9E37_79B9 &+ word &* 0x7F4A_7C15 &+ 1).byteSwapped,
                    toByteOffset: word * 8, as: UInt64.self)
            }
            let (id, body) = window.beginPush(token: UnsafeRawBufferPointer(token))
            MessageID(messageNumber: 1, device: Int64(number), tag: UInt64(truncatingIfNeeded: number) << 32).write(
                into: id)
            body.copyBytes(from: payload)
            window.endPush(payloadLength: payload.count)
        }
    }
}

/// The simulated APNs of benchmarks, on its own thread. It accepts all pushes or, with latency, validates them.
struct BenchmarkAPNS {
    static let bundleID = "com.example.bench"
    /// The bundle ID of an app with this many devices.
    static func bundleID(devices: Int) -> String { "\(bundleID).\(devices)" }

    let simulator: SimulatorServer
    let key: SigningKey
    let port: UInt16
    private let loops: EventLoopGroup
    private let task: Task<Void, any Error>

    /// The delay of answers with `addsLatency`.
    static let latency = Duration.milliseconds(40)
    static let latencyStreams = 100

    init(addsLatency: Bool = false) throws {
        key = try SigningKey.generate()
        loops = try EventLoopGroup(count: 1, name: "apple")
        var configuration = SimulatorConfiguration()
        configuration.mode = addsLatency ? .validating : .acceptAll
        if addsLatency {
            configuration.streams.afterToken = Self.latencyStreams
            configuration.keys = [
                ProviderKey(
                    keyID: "BENCHKEY01", teamID: "BENCHTEAM1", publicKey: key.publicKey,
                    bundleIDs: [Self.bundleID(devices: CampaignBench.latencySize)])
            ]
        }
        let simulator = try SimulatorServer(
            configuration: configuration, loops: loops, logger: .make(level: .error))
        if addsLatency { simulator.faults = Faults([.init(.delay(by: Self.latency))]) }
        try simulator.start()
        self.simulator = simulator
        port = try simulator.port ?? 0
        // `stop` cancels this task.
        task = Task { try await simulator.run() }
    }

    func makeClient(on loop: EventLoop) throws -> APNSClient {
        var options = APNSOptions()
        options.maximumConnections = 1
        return try APNSClient(
            endpoint: APNSEndpoint(host: "localhost", port: port, trust: .pem(simulator.certificatePEM)),
            tokens: LocalTokenSource(key: key, keyID: try KeyID("BENCHKEY01"), teamID: try TeamID("BENCHTEAM1")),
            reasons: ReasonTable(), options: options, loop: loop, logger: .make(level: .error))
    }

    func stop() async {
        task.cancel()
        // The result is ignored, as the task was cancelled.
        _ = await task.result
        loops.stop()
    }
}

extension [Double] {
    var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}
