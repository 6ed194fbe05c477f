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

    private struct Waiting: Sendable {
        let request: Request
        let continuation: UnsafeContinuation<Result<Answer, GroupCommitError>, Never>
    }

    private let perform: Perform
    private let workers: Int
    private let spacing: Duration
    private var queue: GroupQueue<Waiting>
    private var idleWorkers = WaitingTasks()
    private var isStopping = false

    public init(limits: GroupLimits, on loop: EventLoop, perform: @escaping Perform) {
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

    private func take(_ request: Request, _ weight: Int) async throws(GroupCommitError) -> Answer {
        guard !isStopping else { throw .stopping }
        let outcome = await withUnsafeContinuation { continuation in
            guard queue.add(Waiting(request: request, continuation: continuation), weight: weight) else {
                return continuation.resume(returning: .failure(.full))
            }
            idleWorkers.resumeLast()
        }
        return try outcome.get()
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
        for waiting in queue.removeAll() { waiting.continuation.resume(returning: .failure(.stopping)) }
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

    private func store(_ group: [GroupQueue<Waiting>.Entry]) async {
        do {
            let answers = try await perform(group.map(\.request.request))
            precondition(answers.count == group.count, "the number of answers differs from the number of requests")
            queue.stored()
            for (entry, answer) in zip(group, answers) {
                entry.request.continuation.resume(returning: .success(answer))
            }
        } catch let error as PostgresError where error.isDatabaseUnavailable {
            for waiting in queue.unavailable(group) {
                waiting.continuation.resume(returning: .failure(.unavailable(error)))
            }
        } catch {
            if let failing = queue.refused(group) {
                failing.continuation.resume(returning: .failure(.refused(error)))
            }
            // The group was split in two: another worker may take the second half.
            idleWorkers.resumeLast()
        }
    }
}
