public import APNS
public import Campaigns
public import EventLoop
public import Logging
public import Metrics
import Notifications
import Postgres
public import Store

/// Sends test pushes, over connections of its own: they wait for no campaign and slow none down.
public struct TestPushSender: Sendable {
    /// For connecting and sending; an answer may take the request's deadline more. Somebody waits at a screen.
    static let patience = Duration.seconds(15)

    private let clients: Clients
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
        clients = Clients(
            endpoints: endpoints, stores: stores, reasons: reasons, options: options, loop: loop, logger: logger,
            metrics: metrics)
    }

    /// An answer for each push, in their order. There are as many pushes as a window holds at most.
    public func send(
        _ pushes: [TestPush], of app: App.ID, _ options: PushOptions
    ) async throws -> [TestPushAnswer] {
        var answers = [TestPushAnswer?](repeating: nil, count: pushes.count)
        for environment in PushEnvironment.allCases {
            let places = pushes.indices.filter { pushes[$0].environment == environment }
            guard !places.isEmpty else { continue }
            let own: [TestPushAnswer]
            do {
                own = try await send(places.map { pushes[$0] }, of: app, to: environment, options)
            } catch let unusable as UnusableClient {
                let answer = TestPushAnswer(.unsent, meaning: unusable.meaning, remedy: unusable.remedy)
                own = places.map { _ in answer }
            }
            for (place, answer) in zip(places, own) { answers[place] = answer }
        }
        return answers.compactMap { $0 }
    }

    /// Closes the connections.
    public func shutDown() async {
        await clients.shutDown()
    }

    private func send(
        _ pushes: [TestPush], of app: App.ID, to environment: PushEnvironment, _ options: PushOptions
    ) async throws -> [TestPushAnswer] {
        guard let client = try await clients.client(for: app, environment) else {
            let answer = TestPushAnswer(
                .unsent, meaning: "The app has no APNs key (.p8) for the \(environment.name) environment.",
                remedy: "Add one under its credentials.")
            return pushes.map { _ in answer }
        }
        let window = PushWindow()
        window.reset(
            headers: PushHeaders(
                bundleID: options.bundleID, pushType: options.pushType, priority: options.priority,
                expiration: options.expiration, collapseID: options.collapseID),
            keepsUniqueIDs: true)
        window.allow(until: .now() + Self.patience)
        for push in pushes { window.append(push) }
        let ending = await client.send(window)
        let host = endpoints[environment].host
        return pushes.indices.map { place in
            if case .unavailable(let error) = ending, window.results[place].state == .unsent {
                return TestPushAnswer(
                    .unsent, host: host, meaning: "There is no connection to \(host): \(error)",
                    remedy: "Check that this server reaches that host.")
            }
            return TestPushAnswer(
                window.results[place], reasons: reasons, uniqueID: window.uniqueID(place), host: host)
        }
    }
}

extension TestPushAnswer {
    /// What Apple said, in the words of `reasons`.
    public init(_ result: PushResult, reasons: ReasonTable, uniqueID: String?, host: String) {
        let isAnswered = result.state == .answered
        let state: State =
            result.isAccepted ? .accepted : isAnswered ? .rejected : result.isUnknown ? .unknown : .unsent
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
