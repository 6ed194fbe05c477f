public import EventLoop
public import Store

/// Whether requests can be served, asked by any number of monitors: one check serves all that ask within a second.
public actor ReadinessCheck {
    public enum Result: Sendable {
        case ready
        /// The database has another schema than the program.
        case otherSchema(found: Int, required: Int)
    }

    private static let validity = Duration.seconds(1)
    /// Callers that wait for the same check.
    private static let maximumWaiting = 10_000

    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let instance: InstanceStore
    private let schemaVersion: Int
    private let checks: RequestCoalescer<Void, Void>
    private var succeededAt: MonotonicTime?

    /// `schemaVersion` is the last migration that this program knows.
    public init(_ stores: Stores, schemaVersion: Int, on loop: EventLoop) {
        self.loop = loop
        self.schemaVersion = schemaVersion
        instance = stores.instance
        let store = stores.readiness
        checks = RequestCoalescer(maximumConcurrentGroups: 1, groupSize: Self.maximumWaiting, on: loop) { group in
            try await store.check()
            return group.map { _ in }
        }
    }

    /// Throws the error of the database.
    public func run() async throws -> Result {
        let found = try await instance.schemaVersion()
        guard found == schemaVersion else { return .otherSchema(found: found, required: schemaVersion) }
        if let succeededAt, .now() - succeededAt < Self.validity { return .ready }
        try await checks.submit(())
        succeededAt = .now()
        return .ready
    }
}
