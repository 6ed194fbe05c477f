public import EventLoop
public import Postgres
public import Store

/// Whether requests can be served, asked by any number of monitors: one check serves all that ask within a second.
public actor ReadinessCheck {
    public enum Result: Sendable {
        case ready
        /// The process is about to end, and serves until then.
        case stopping
        /// The program does not work with the database's schema.
        case otherSchema(found: Int, required: Int)
    }

    private static let validity = Duration.seconds(1)
    /// Callers that wait for the same check.
    private static let maximumWaiting = 10_000

    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let instance: InstanceStore
    private let program: ProgramSchema
    private let isStopping: Lock<Bool>
    private let checks: RequestCoalescer<Void, Void>
    private var succeededAt: MonotonicTime?

    public init(_ stores: Stores, program: ProgramSchema, isStopping: Lock<Bool>, on loop: EventLoop) {
        self.loop = loop
        self.isStopping = isStopping
        self.program = program
        instance = stores.instance
        let store = stores.readiness
        checks = RequestCoalescer(maximumConcurrentGroups: 1, groupSize: Self.maximumWaiting, on: loop) { group in
            try await store.check()
            return group.map { _ in }
        }
    }

    /// Throws the error of the database.
    public func run() async throws -> Result {
        if isStopping.withLock(\.self) { return .stopping }
        let found = try await instance.schema()
        guard program.works(with: found) else {
            return .otherSchema(found: Int(found.number), required: Int(program.needed))
        }
        if let succeededAt, .now() - succeededAt < Self.validity { return .ready }
        try await checks.submit(())
        succeededAt = .now()
        return .ready
    }
}
