import APNSSimulator
import HTTP2

/// The faults of a chaos run and when they occur, derived from the seed alone. Their timing is in shares of the
/// audience and numbers of pushes, never in seconds, so that it is the same on fast and slow machines.
struct ChaosSchedule: Equatable, Sendable {
    static let workers = 3

    /// A fault of a process or of connections. A worker is identified by its slot; if it holds no batch, the next one
    /// that does is used.
    enum ProcessFault: Equatable, Sendable {
        case kill(worker: Int)
        /// Paused for longer than its lease, then resumed.
        case pause(worker: Int)
        case killDatabase
        /// PostgreSQL is killed for good, and the standby takes over.
        case failOver
        case cutSessions(worker: Int)
        /// GOAWAY on every connection; the streams of pushes in transit are above its last stream.
        case sayGoodbye
        case cutConnections
        /// The next version migrates the database, and all workers are replaced by its workers, one after the other.
        case upgrade
        /// Between the two phases of an A/B test: workers and PostgreSQL are killed, the test is decided, and they are
        /// killed again.
        case decide
    }

    struct Event: Equatable, Sendable {
        /// The thousandths of the audience that have an outcome when the fault occurs.
        let share: Int
        let fault: ProcessFault
    }

    /// A fault that the simulator injects into single pushes or into new connections.
    struct ScheduledFault: Equatable, Sendable {
        enum Timing: Equatable, Sendable {
            case always
            /// At this many of a million pushes, chosen randomly.
            case often(inAMillion: Int)
            /// Once, at the push whose number is this many thousandths of the audience.
            case at(share: Int)
            /// At every push from `share` on, for `length` thousandths of the audience.
            case spell(share: Int, length: Int)
            /// At the nth connection.
            case connection(Int)
        }

        let fault: Fault
        let moment: Timing
    }

    let seed: UInt64
    let hasStandby: Bool
    let isUpgraded: Bool
    let isTest: Bool
    let events: [Event]
    let scheduledFaults: [ScheduledFault]

    /// The seed of the simulator's random choices.
    var simulatorSeed: UInt64 { ~seed }

    /// The part of the audience that an A/B test tests first, in thousandths.
    static let testedShare = 400
    /// The decision is waited for from then on: later faults come after it.
    private static let decisionShare = 340

    init(seed: UInt64, hasStandby: Bool = false, isUpgraded: Bool = false, isTest: Bool = false) {
        self.seed = seed
        self.hasStandby = hasStandby
        self.isUpgraded = isUpgraded
        self.isTest = isTest
        var generator = SeededGenerator(seed: seed)
        let usual = Self.events(&generator, hasStandby: hasStandby, isUpgraded: isUpgraded)
        let decision = Event(share: Self.decisionShare, fault: .decide)
        events = isTest ? (usual + [decision]).sorted { $0.share < $1.share } : usual
        scheduledFaults = Self.scheduledFaults(&generator)
    }

    /// The range of shares in which process faults occur: after the campaign's start and before its end.
    private static let eventful = 60..<860

    /// Returns process faults of every kind, in random order, at distinct shares.
    private static func events(
        _ generator: inout SeededGenerator, hasStandby: Bool, isUpgraded: Bool
    ) -> [Event] {
        func randomWorker() -> Int { Int.random(in: 0..<workers, using: &generator) }
        var faults: [ProcessFault] = [
            .kill(worker: randomWorker()), .kill(worker: randomWorker()), .pause(worker: randomWorker()),
            hasStandby ? .failOver : .killDatabase,
            .cutSessions(worker: randomWorker()), .cutSessions(worker: randomWorker()), .sayGoodbye, .cutConnections,
        ]
        if isUpgraded { faults.append(.upgrade) }
        faults.shuffle(using: &generator)
        let slot = eventful.count / faults.count
        return faults.enumerated().map { index, fault in
            let start = eventful.lowerBound + index * slot
            return Event(share: Int.random(in: start..<start + slot, using: &generator), fault: fault)
        }
    }

    private static func scheduledFaults(_ generator: inout SeededGenerator) -> [ScheduledFault] {
        func about(_ usual: Int) -> ScheduledFault.Timing {
            .often(inAMillion: Int.random(in: usual / 2...usual * 3 / 2, using: &generator))
        }
        func once() -> ScheduledFault.Timing { .at(share: Int.random(in: 20..<950, using: &generator)) }
        func spell() -> ScheduledFault.Timing {
            .spell(
                share: Int.random(in: 20..<900, using: &generator), length: Int.random(in: 2...6, using: &generator))
        }
        let refused = Int.random(in: 3...5, using: &generator)
        return [
            // Delayed answers keep the campaign from ending before the faults occur.
            ScheduledFault(fault: .delay(by: .milliseconds(50), jitter: .milliseconds(100)), moment: .always),
            // A tail of slow and lost answers, long enough that batches leave their place and wait for them.
            ScheduledFault(fault: .delay(by: .milliseconds(700), jitter: .milliseconds(600)), moment: about(2_000)),
            ScheduledFault(fault: .refuseConnection, moment: .connection(refused)),
            ScheduledFault(fault: .goAwayBeforeSettings(reason: "Shutdown"), moment: .connection(refused + 2)),
            ScheduledFault(fault: .goAway(.init(lastStream: .thisStream)), moment: once()),
            ScheduledFault(fault: .goAway(.init(lastStream: .previousStream)), moment: once()),
            ScheduledFault(fault: .goAway(.init(lastStream: .previousStream, isDouble: true)), moment: once()),
            ScheduledFault(fault: .goAway(.init(lastStream: .all, reason: "IdleTimeout")), moment: once()),
            ScheduledFault(fault: .disconnect(accepted: true), moment: once()),
            ScheduledFault(fault: .disconnect(accepted: false), moment: once()),
            ScheduledFault(fault: .streamLimit(Int.random(in: 50...200, using: &generator)), moment: once()),
            ScheduledFault(fault: .serviceUnavailable, moment: spell()),
            ScheduledFault(fault: .shutdown, moment: spell()),
            ScheduledFault(fault: .tooManyRequests, moment: about(8_000)),
            ScheduledFault(fault: .serviceUnavailable, moment: about(3_000)),
            ScheduledFault(fault: .internalServerError, moment: about(1_000)),
            ScheduledFault(fault: .reset(.refusedStream, accepted: false), moment: about(1_000)),
            ScheduledFault(fault: .reset(.internalError, accepted: true), moment: about(200)),
            ScheduledFault(fault: .reset(.cancel, accepted: false), moment: about(200)),
            ScheduledFault(fault: .noAnswer(accepted: true), moment: about(1_000)),
            ScheduledFault(fault: .noAnswer(accepted: false), moment: about(1_000)),
        ]
    }

    /// The scheduled faults as rules of the simulator, for an audience of this size.
    func faults(devices: Int) -> Faults {
        Faults(scheduledFaults.map { Faults.Rule($0.fault, $0.moment.condition(devices: devices)) })
    }
}

extension ChaosSchedule.Event {
    /// The number of outcomes at which the fault occurs.
    func threshold(devices: Int) -> Int { max(1, devices * share / 1_000) }
}

extension ChaosSchedule.ScheduledFault.Timing {
    fileprivate func condition(devices: Int) -> Faults.Condition {
        func number(_ share: Int) -> Int { max(1, devices * share / 1_000) }
        return switch self {
        case .always: .always
        case .often(let count): .rate(Double(count) / 1_000_000)
        case .at(let share): .nth(number(share))
        case .spell(let share, let length): .range(number(share)...number(share + length))
        case .connection(let count): .nth(count)
        }
    }
}
