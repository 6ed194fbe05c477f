import APNS
import APNSSimulator
import Campaigns
import Dispatcher
import EventLoop
import Notifications
import Postgres
import Store
import TLS
import Testing

/// The events of a sender of transactional pushes, to be waited for.
final class PushLog: Sendable {
    private struct Waiter {
        let isMet: @Sendable ([PushEvent]) -> Bool
        let continuation: UnsafeContinuation<Void, Never>
    }

    private let state = Lock<(events: [PushEvent], waiters: [Waiter])>(([], []))

    func add(_ event: PushEvent) {
        let met = state.withLock { state in
            state.events.append(event)
            let met = state.waiters.filter { $0.isMet(state.events) }
            if !met.isEmpty { state.waiters.removeAll { $0.isMet(state.events) } }
            return met
        }
        for waiter in met { waiter.continuation.resume() }
    }

    /// Until so many batches have ended.
    func waitForEnds(_ count: Int) async {
        await wait { $0.count { if case .ended = $0 { true } else { false } } >= count }
    }

    func waitForAbandoned() async {
        await wait { $0.contains { if case .abandonedEnded = $0 { true } else { false } } }
    }

    /// Of the batches that were taken.
    var sizes: [Int] {
        state.withLock { $0.events.compactMap { if case .accepted(_, let size) = $0 { size } else { nil } } }
    }

    private func wait(until isMet: @escaping @Sendable ([PushEvent]) -> Bool) async {
        await withUnsafeContinuation { continuation in
            let isMetAlready = state.withLock { state in
                if isMet(state.events) { return true }
                state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
                return false
            }
            if isMetAlready { continuation.resume() }
        }
    }
}

extension DispatcherFixture {
    /// A sender of transactional pushes while the body runs; then it is told to end, and has ended on return.
    func withPushSender(
        _ options: DispatcherOptions = Self.options, owner: ProcessID = ProcessID(), log: PushLog = PushLog(),
        _ body: (PushSender, PushLog) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "pushes")
        defer { loop.stop() }
        let pool = PostgresPool(configuration, limits: .init(connections: 4), on: loop, logger: logger)
        func endpoint(_ server: SimulatorServer) throws -> APNSEndpoint {
            APNSEndpoint(host: "localhost", port: try server.port ?? 0, trust: .pem(server.certificatePEM))
        }
        let sender = try PushSender(
            stores: Stores(pool: pool, sealingKeys: sealingKeys),
            endpoints: APNSEndpoints(production: try endpoint(production), development: try endpoint(sandbox)),
            options: options, owner: owner, loop: loop, logger: logger, onEvent: { log.add($0) })
        async let running: Void = sender.run()
        do {
            try await body(sender, log)
        } catch {
            sender.stop()
            await running
            throw error
        }
        sender.stop()
        await running
        await withTaskExecutorPreference(loop) { await pool.close() }
    }

    /// One push to each of these devices, by their numbers. `token` is the number of another device's token.
    func pushRequest(
        _ numbers: [Int], token: Int? = nil, key: String? = nil, body: [UInt8] = [1], suppressed: [Int: UInt8] = [:],
        expiration: Int = Int(Timestamp.now.secondsSince1970) + 3_600, collapseID: String? = nil
    ) async throws -> PushRequest {
        let rows = try await pool.query(
            """
            SELECT d.id, d.environment, d.installation::bigint FROM devices d
            WHERE d.app_id = \(app) AND d.installation = ANY (\(numbers.map(String.init))) ORDER BY d.id
            """)
        let payload = #"{"aps":{"alert":"Code"},"i":""# + PushPayload.placeholderID.text + "\"}"
        return PushRequest(
            app: app,
            options: PushOptions(
                bundleID: try BundleID(Self.bundleID), pushType: .alert, priority: .immediate, expiration: expiration,
                collapseID: try collapseID.map { try CollapseID($0) }),
            recipients: try rows.enumerated().map { place, row in
                let number: Int = try row[2]
                let content: PushRequest.Content =
                    if let code = suppressed[number] {
                        .suppressed(code)
                    } else {
                        .push(
                            try DeviceToken(bytes: Self.token(token ?? number)),
                            try #require(PushPayload(Array(payload.utf8))))
                    }
                return PushRequest.Recipient(
                    target: place, device: try row[0], environment: try row[1], content: content)
            },
            key: key.flatMap { IdempotencyKey($0, of: .apiKey(1), bodyHash: [UInt8](repeating: body[0], count: 32)) })
    }

    /// The outcomes of a request's devices in the ledger, by the numbers of the devices.
    func outcomes(of receipt: PushReceipt) async throws -> [Int: OutcomeReason] {
        let pushes = try await SentPushStore(pool: pool).pushes(of: receipt.id, app: app)
        return Dictionary(uniqueKeysWithValues: pushes.map { (Int($0.installation ?? "") ?? 0, $0.outcome) })
    }

    /// Batches of pushes: how many there are, and how many of them are being sent.
    func pushBatches() async throws -> (count: Int, open: Int) {
        let rows = try await pool.query(
            "SELECT count(*), count(*) FILTER (WHERE state = 'leased') FROM batches WHERE run_id IS NULL")
        return (try rows[0][0], try rows[0][1])
    }
}

extension PushSubmission {
    var receipt: PushReceipt? {
        switch self {
        case .accepted(let receipt), .alreadyAccepted(let receipt): receipt
        case .keyInUse, .noSuchApp: nil
        }
    }
}
