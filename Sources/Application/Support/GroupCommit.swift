public import EventLoop
import Postgres
import Store

/// Stores the requests of several callers in one transaction. Each caller waits until that transaction has committed,
/// so an answer always means that the request is stored.
///
/// `run()` does the work; call it from a service.
public actor GroupCommit<Request: Sendable, Answer: Sendable> {
    /// Stores a group in one transaction and returns an answer for each of its requests, in their order.
    public typealias Perform = @Sendable ([Request]) async throws -> [Answer]

    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let perform: Perform
    private let onGroup: (@Sendable (StoredGroup) -> Void)?
    private let workers: Int
    private let spacing: Duration
    private let concernsAll: @Sendable (any Error) -> Bool
    private var queue: GroupQueue<WaitingRequests<Request, Answer>>
    private var idleWorkers = WaitingTasks()
    private var isStopping = false

    /// `concernsAll` tells which errors of a list concern all of its requests, so that looking for the guilty one is
    /// useless. `onGroup` is called for each group that was stored.
    public init(
        limits: GroupLimits, on loop: EventLoop,
        concernsAll: @escaping @Sendable (any Error) -> Bool = { _ in false },
        onGroup: (@Sendable (StoredGroup) -> Void)? = nil, perform: @escaping Perform
    ) {
        self.onGroup = onGroup
        self.concernsAll = concernsAll
        self.loop = loop
        self.perform = perform
        workers = limits.maximumConcurrentGroups
        spacing = limits.spacing
        queue = GroupQueue(limits: limits)
    }

    /// Returns when the request is stored. `weight` counts against the limits.
    public nonisolated func submit(_ request: Request, weight: Int = 1) async throws(GroupCommitError) -> Answer {
        try await loop.preferred { () async throws(GroupCommitError) in try await take(request, weight) }
    }

    /// Returns when all are stored, in their order, except those that the database refuses one by one. A request of a
    /// list weighs 1.
    public nonisolated func submit(
        all requests: [Request]
    ) async throws(GroupCommitError) -> [Result<Answer, RefusedRequest>] {
        guard !requests.isEmpty else { return [] }
        return try await loop.preferred { () async throws(GroupCommitError) in try await take(all: requests) }
    }

    private func take(_ request: Request, _ weight: Int) async throws(GroupCommitError) -> Answer {
        guard !isStopping else { throw .stopping }
        let outcome = await withUnsafeContinuation { continuation in
            add(.one(request, continuation), weight: weight)
        }
        return try outcome.get()
    }

    private func take(
        all requests: [Request]
    ) async throws(GroupCommitError) -> [Result<Answer, RefusedRequest>] {
        guard !isStopping else { throw .stopping }
        let outcome = await withUnsafeContinuation { continuation in
            let answers = ListAnswers<Answer>(count: requests.count, continuation)
            add(.list(requests[...], answers), weight: requests.count)
        }
        return try outcome.get()
    }

    private func add(_ waiting: WaitingRequests<Request, Answer>, weight: Int) {
        guard queue.add(waiting, weight: weight, at: .now()) else { return waiting.fail(.full) }
        idleWorkers.resumeLast()
    }

    /// Stores requests until `stop()`, and then the waiting ones. When its task is cancelled, waiting requests are
    /// refused.
    public nonisolated func run() async {
        await withTaskExecutorPreference(loop) {
            await withTaskCancellationHandler {
                await withDiscardingTaskGroup { group in
                    for _ in 0..<workers { group.addTask { await self.work() } }
                }
            } onCancel: {
                stop()
            }
            await refuseAll()
        }
    }

    /// Stops accepting requests. May be called from anywhere, more than once.
    public nonisolated func stop() {
        loop.perform { self.assumeIsolated { $0.beginStopping() } }
    }

    private func beginStopping() {
        isStopping = true
        idleWorkers.resumeAll()
    }

    private func refuseAll() {
        isStopping = true
        for waiting in queue.removeAll() { waiting.fail(.stopping) }
    }

    // MARK: Workers

    private func work() async {
        while !Task.isCancelled {
            guard let group = queue.next() else {
                if isStopping { return }
                await withUnsafeContinuation { idleWorkers.add($0) }
                continue
            }
            let began = MonotonicTime.now()
            await store(group)
            await rest(until: began + spacing)
        }
    }

    private func rest(until moment: MonotonicTime) async {
        guard spacing > .zero, !isStopping else { return }
        let pause = moment - .now()
        guard pause > .zero else { return }
        do {
            try await loop.sleep(for: pause)
        } catch {
            // Cancelled: the worker ends.
        }
    }

    private func store(_ group: [GroupQueue<WaitingRequests<Request, Answer>>.Entry]) async {
        do {
            var requests: [Request] = []
            for entry in group { entry.request.append(to: &requests) }
            let began = MonotonicTime.now()
            let answers = try await perform(requests)
            precondition(answers.count == requests.count, "the number of answers differs from the number of requests")
            queue.stored()
            if let onGroup, let first = group.first {
                onGroup(
                    StoredGroup(requests: requests.count, waited: began - first.arrived, stored: .now() - began))
            }
            var rest = answers[...]
            for entry in group { entry.request.succeed(takingFrom: &rest) }
        } catch let error as PostgresError where error.isDatabaseUnavailable {
            for waiting in queue.unavailable(group) { waiting.fail(.unavailable(error)) }
        } catch {
            let concernsAll = concernsAll(error)
            let failing = queue.refused(group) { concernsAll ? nil : $0.halves }
            failing?.refuse(error, all: concernsAll)
            // The group was split in two: another worker may take the second half.
            idleWorkers.resumeLast()
        }
    }
}
