public import EventLoop
public import Store

/// Whether requests can be served, asked by any number of monitors: one check serves all that ask within a second.
public actor ReadinessCheck {
    private static let validity = Duration.seconds(1)
    /// Callers that wait for the same check.
    private static let maximumWaiting = 10_000

    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let checks: RequestCoalescer<Void, Void>
    private var succeededAt: MonotonicTime?

    public init(_ store: ReadinessStore, on loop: EventLoop) {
        self.loop = loop
        checks = RequestCoalescer(maximumConcurrentGroups: 1, groupSize: Self.maximumWaiting, on: loop) { group in
            try await store.check()
            return group.map { _ in }
        }
    }

    /// Throws the error of the database.
    public func run() async throws {
        if let succeededAt, .now() - succeededAt < Self.validity { return }
        try await checks.submit(())
        succeededAt = .now()
    }
}
