import BelfryCore

/// Work that is done one after another, from the start of the kit on. What comes before waits.
final class SerialWork: Sendable {
    typealias Work = @Sendable (Client) async -> Void

    /// Work that waits; of more, the oldest is dropped.
    static let maximumWaiting = 1_000

    private let waiting: AsyncStream<Work>
    private let enqueued: AsyncStream<Work>.Continuation
    private let worker = Guarded<Task<Void, Never>?>(nil)

    init() { (waiting, enqueued) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.maximumWaiting)) }

    deinit { worker.withLock { $0?.cancel() } }

    /// Call it once. `client` returns nil when the app's object is gone.
    func start(_ client: @escaping @Sendable () -> Client?) {
        let task = Task { [waiting] in
            for await work in waiting {
                guard let client = client() else { return }
                await work(client)
            }
        }
        worker.withLock { $0 = task }
    }

    func add(_ work: @escaping Work) { enqueued.yield(work) }

    /// Returns when everything before it has been done. Only after `start`.
    func settle() async {
        await withCheckedContinuation { continuation in add { _ in continuation.resume() } }
    }
}
