import Campaigns
public import EventLoop
public import Logging
public import Metrics
import Postgres
public import ServiceLifecycle
public import Store

/// Sends messages to webhooks, on a loop and connections of its own, so that a receiver that is away delays no push.
/// Every process with a worker runs it; each delivery is claimed in the database.
public actor WebhookService: Service, CustomStringConvertible {
    /// The time between two looks at the queue: the delay of a message, in which events share messages.
    private static let interval = Duration.seconds(1)
    /// Attempts of this process at the same time, and those to one webhook.
    private static let maximumAttempts = 64
    private static let maximumAttemptsOfWebhook = 4

    private nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    public nonisolated var description: String { "webhooks" }

    private let queue: WebhookQueueStore
    private let client: WebhookClient
    private let signal: WakeUpSignal
    private let metrics: WebhookMetrics
    private let logger: Logger
    private let isStopping = Lock(false)
    private var busy: [Webhook.ID: Int] = [:]
    private var finished: [WebhookQueueStore.Attempt] = []
    private var nextGathering = MonotonicTime.now()
    private var outage = Outage()

    /// The queue's pool is pinned to `loop`.
    public init(
        queue: WebhookQueueStore, network: WebhookNetwork, loop: EventLoop, logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.queue = queue
        self.loop = loop
        self.logger = logger
        client = WebhookClient(loop: loop, network: network)
        signal = WakeUpSignal(loop: loop)
        self.metrics = WebhookMetrics(metrics)
    }

    /// Runs until graceful shutdown. Then claims nothing more, and records the answers to what is being sent.
    public nonisolated func run() async throws {
        await withTaskExecutorPreference(loop) {
            await withGracefulShutdownHandler {
                await send()
            } onGracefulShutdown: {
                self.stop()
            }
        }
    }

    private nonisolated func stop() {
        isStopping.withLock { $0 = true }
        signal.end()
    }

    private func send() async {
        await withDiscardingTaskGroup { group in
            while !isStopping.withLock({ $0 }) {
                do {
                    for claim in try await round() { group.addTask { await self.attempt(claim) } }
                    outage.succeeded("webhooks go on", in: logger)
                } catch {
                    outage.failed("webhooks waiting for the database", because: error, in: logger)
                }
                await signal.sleep(upTo: max(.zero, nextGathering - .now()))
            }
        }
        do {
            try await record()
        } catch {
            // They are sent again when the leases have ended.
            outage.failed("answers to webhooks not stored", because: error, in: logger)
        }
    }

    /// One look at the queue: returns what is to be sent now.
    private func round() async throws -> [WebhookQueueStore.Claim] {
        if nextGathering <= .now() {
            nextGathering = .now() + Self.interval * Double.random(in: 0.9...1.1)
            if try await gather() { nextGathering = .now() }
        }
        try await record()
        let claims = try await queue.claim(
            busy: busy, room: Self.maximumAttempts - busy.values.reduce(0, +),
            roomOfWebhook: Self.maximumAttemptsOfWebhook)
        for claim in claims { busy[claim.webhook, default: 0] += 1 }
        return claims
    }

    /// Whether more events are left.
    private func gather() async throws -> Bool {
        let events = try await queue.gather()
        if events > 0 { log(try await queue.disableFull()) }
        return events == WebhookQueueStore.gatherStep
    }

    private func attempt(_ claim: WebhookQueueStore.Claim) async {
        let began = MonotonicTime.now()
        let answer = await client.send(claim, at: Int(Timestamp.now.secondsSince1970))
        let next = WebhookRetry.next(
            after: answer, attempt: claim.attempt, isTest: claim.kind == Webhook.testKind, random: .random(in: 0...1))
        metrics.attempted(next, in: .now() - began)
        let status: Int? = if case .status(let code, _) = answer { code } else { nil }
        finished.append(.init(claim, status: status, error: WebhookRetry.error(answer), next: next))
        let count = busy[claim.webhook, default: 1] - 1
        busy[claim.webhook] = count > 0 ? count : nil
        signal.call()
    }

    /// Until it succeeds nothing more is claimed, so few answers wait.
    private func record() async throws {
        let attempts = finished
        guard !attempts.isEmpty else { return }
        let disabled = try await queue.record(attempts)
        finished.removeFirst(attempts.count)
        log(disabled)
    }

    private func log(_ disabled: [WebhookQueueStore.Disabled]) {
        for each in disabled {
            logger.warning(
                "webhook disabled",
                metadata: ["app": "\(each.app)", "webhook": "\(each.webhook)", "reason": "\(each.reason)"])
        }
    }
}
