public import APNS
public import Campaigns
public import EventLoop
import JSON
public import Logging
public import Metrics
import Notifications
import Postgres
public import Store

/// Sends test pushes, over its own connections: campaigns don't delay them, and they don't delay campaigns.
public struct TestPushSender: Sendable {
    /// For connecting and sending; an answer may take the request deadline in addition. A person waits for the result.
    static let timeout = Duration.seconds(15)

    private let loop: EventLoop
    private let clients: APNSClientCache
    private let endpoints: APNSEndpoints
    private let reasons = ReasonTable()

    /// The stores' pool is pinned to `loop`, on which all of this runs.
    public init(
        stores: Stores, endpoints: APNSEndpoints, options: APNSOptions = APNSOptions(),
        loop: EventLoop, logger: Logger, metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        var options = options
        options.maximumConnections = 1
        self.endpoints = endpoints
        self.loop = loop
        clients = APNSClientCache(
            endpoints: endpoints, stores: stores, reasons: reasons, options: options, loop: loop, logger: logger,
            metrics: metrics)
    }

    /// Returns a result for each push, in their order. At most one window of pushes.
    public func send(
        _ pushes: [TestPush], of app: App.ID, _ options: PushOptions
    ) async throws -> [TestPushResult] {
        try await loop.preferred { try await sendOnLoop(pushes, of: app, options) }
    }

    private func sendOnLoop(
        _ pushes: [TestPush], of app: App.ID, _ options: PushOptions
    ) async throws -> [TestPushResult] {
        var answers = [TestPushResult?](repeating: nil, count: pushes.count)
        for environment in PushEnvironment.allCases {
            let indices = pushes.indices.filter { pushes[$0].environment == environment }
            guard !indices.isEmpty else { continue }
            let own: [TestPushResult]
            do {
                own = try await send(indices.map { pushes[$0] }, of: app, to: environment, options)
            } catch let unusable as ClientUnavailable {
                let answer = TestPushResult(.notSent, meaning: unusable.meaning, remedy: unusable.remedy)
                own = indices.map { _ in answer }
            }
            for (index, answer) in zip(indices, own) { answers[index] = answer }
        }
        return answers.compactMap { $0 }
    }

    /// Closes the connections.
    public func shutDown() async {
        await clients.shutDown()
    }

    private func send(
        _ pushes: [TestPush], of app: App.ID, to environment: PushEnvironment, _ options: PushOptions
    ) async throws -> [TestPushResult] {
        guard let client = try await clients.client(for: app, environment) else {
            let answer = TestPushResult(
                .notSent, meaning: "The app has no APNs key (.p8) for the \(environment.name) environment.",
                remedy: "Add one to its credentials.")
            return pushes.map { _ in answer }
        }
        let window = PushWindow()
        window.reset(
            headers: PushHeaders(
                bundleID: options.bundleID, pushType: options.pushType, priority: options.priority,
                expiration: options.expiration, collapseID: options.collapseID),
            recordsUniqueIDs: true)
        window.allow(until: .now() + Self.timeout)
        for push in pushes { window.append(push) }
        let ending = await client.send(window)
        let host = endpoints[environment].host
        return pushes.indices.map { index in
            if case .unavailable(let error) = ending, window.results[index].state == .unsent {
                return TestPushResult(
                    .notSent, host: host, meaning: "Connecting to \(host) failed: \(error)",
                    remedy: "Check that this server can reach that host.")
            }
            return TestPushResult(
                window.results[index], reasons: reasons, uniqueID: window.uniqueID(index), host: host)
        }
    }
}

extension TestPushResult {
    /// Apple's answer, with the reason's text from `reasons`.
    public init(_ result: PushResult, reasons: ReasonTable, uniqueID: String?, host: String) {
        let isAnswered = result.state == .answered
        let state: State =
            result.isAccepted ? .accepted : isAnswered ? .rejected : result.isUnknown ? .unknown : .notSent
        self.init(
            state, host: host, status: isAnswered ? Int(result.status) : nil,
            reason: state == .rejected ? reasons.text(result.reason) : nil,
            invalidSince: result.timestamp > 0 ? result.timestamp : nil, uniqueID: uniqueID,
            meaning: result.advice.meaning, remedy: result.advice.remedy)
    }
}

extension PushWindow {
    fileprivate func append(_ push: TestPush) {
        push.token.bytes.withUnsafeBytes { token in
            let (id, payload) = beginPush(token: token)
            push.id.write(into: id)
            payload.copyBytes(from: push.payload)
            endPush(payloadLength: push.payload.count)
        }
    }
}
