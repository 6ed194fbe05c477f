import EventLoop
import Logging
import Synchronization

/// The state that the connections of one listener share.
final class ListenerState: Sendable {
    let configuration: SimulatorConfiguration
    let record: Record
    let devices: DeviceTable
    let logger: Logger
    let deliver: (@Sendable (DeliveredPush) -> Void)?
    let observe: (@Sendable (ObservedPush) -> Void)?
    /// Pushes accepted in accept-all mode.
    let acceptAllPushes = Atomic(0)
    /// The answers of accept-all mode, for connections that begin later.
    let quickAnswers = Lock(QuickAnswers())
    /// Hashes of the pushes that were put off once.
    private let deferred = Lock<Set<UInt64>>([])
    let connections = Lock<[ObjectIdentifier: SimulatedConnection]>([:])
    private let plan: Lock<FaultPlan>
    private let generator: Lock<SeededGenerator>

    init(
        configuration: SimulatorConfiguration, devices: DeviceTable, record: Record, logger: Logger,
        deliver: (@Sendable (DeliveredPush) -> Void)?, observe: (@Sendable (ObservedPush) -> Void)?
    ) {
        self.configuration = configuration
        self.devices = devices
        self.record = record
        self.logger = logger
        self.deliver = deliver
        self.observe = observe
        plan = Lock(FaultPlan(seed: configuration.seed))
        generator = Lock(SeededGenerator(seed: ~configuration.seed))
    }

    var faults: Faults {
        get { plan.withLock(\.faults) }
        set { plan.withLock { $0.exchange(newValue) } }
    }

    func connectionBegan() -> Fault? { plan.withLock { $0.connectionBegan() } }

    func requestCame(tokenHash: UInt64?) -> FaultPlan.Decision {
        plan.withLock { $0.requestCame(tokenHash: tokenHash) }
    }

    /// True for the first attempt of a push.
    func isFirstAttempt(_ hash: UInt64) -> Bool { deferred.withLock { $0.insert(hash).inserted } }

    /// A random UUID (RFC 9562 §5.4).
    func makeID() -> PushID {
        generator.withLock { generator in
            let high = generator.next() & ~0xf000 | 0x4000
            let low = generator.next() & ~(0xc << 60) | (0x8 << 60)
            return PushID(high: high, low: low)
        }
    }
}
