import APNSSimulator
import HTTP2

/// What goes wrong, and when: made from the seed alone. Moments are shares of the audience and numbers of pushes, never
/// times, so that a fast machine and a slow one go through the same.
struct ChaosSchedule: Equatable, Sendable {
    static let workers = 3

    /// Done to processes and connections by this command. A worker is named by its place; one that holds nothing gives
    /// way to the next that does.
    enum Deed: Equatable, Sendable {
        case kill(worker: Int)
        /// Stopped for longer than its lease, and continued: a zombie.
        case pause(worker: Int)
        case stopDatabase
        case cutSessions(worker: Int)
        /// GOAWAY on every connection; pushes that are still on their way stand above its last stream.
        case sayGoodbye
        case cutConnections
    }

    struct Event: Equatable, Sendable {
        /// Thousandths of the audience that have an outcome by then.
        let share: Int
        let deed: Deed
    }

    /// Done by the simulator to single pushes, or to connections as they begin.
    struct Trouble: Equatable, Sendable {
        enum Moment: Equatable, Sendable {
            case always
            /// To so many pushes in a million, by a draw for each.
            case often(inAMillion: Int)
            /// Once, at the push whose number is this many thousandths of the audience.
            case at(share: Int)
            /// To every push from there on, for so many thousandths of the audience.
            case spell(share: Int, length: Int)
            /// At the nth connection.
            case connection(Int)
        }

        let fault: Fault
        let moment: Moment
    }

    let seed: UInt64
    let events: [Event]
    let troubles: [Trouble]

    /// The simulator's draws begin with it.
    var simulatorSeed: UInt64 { ~seed }

    init(seed: UInt64) {
        self.seed = seed
        var generator = SeededGenerator(seed: seed)
        events = Self.events(&generator)
        troubles = Self.troubles(&generator)
    }

    /// Thousandths within which everything happens: the campaign is under way, and not yet at its end.
    private static let eventful = 60..<860

    /// Every kind at least once, in an order of its own, one after another.
    private static func events(_ generator: inout SeededGenerator) -> [Event] {
        func anyone() -> Int { Int.random(in: 0..<workers, using: &generator) }
        var deeds: [Deed] = [
            .kill(worker: anyone()), .kill(worker: anyone()), .pause(worker: anyone()), .stopDatabase,
            .cutSessions(worker: anyone()), .cutSessions(worker: anyone()), .sayGoodbye, .cutConnections,
        ]
        deeds.shuffle(using: &generator)
        let slot = eventful.count / deeds.count
        return deeds.enumerated().map { place, deed in
            let start = eventful.lowerBound + place * slot
            return Event(share: Int.random(in: start..<start + slot, using: &generator), deed: deed)
        }
    }

    private static func troubles(_ generator: inout SeededGenerator) -> [Trouble] {
        func about(_ usual: Int) -> Trouble.Moment {
            .often(inAMillion: Int.random(in: usual / 2...usual * 3 / 2, using: &generator))
        }
        func once() -> Trouble.Moment { .at(share: Int.random(in: 20..<950, using: &generator)) }
        func spell() -> Trouble.Moment {
            .spell(
                share: Int.random(in: 20..<900, using: &generator), length: Int.random(in: 2...6, using: &generator))
        }
        let refused = Int.random(in: 3...5, using: &generator)
        return [
            // Answers take their time, or the campaign would be over before anything could happen to it.
            Trouble(fault: .delay(by: .milliseconds(50), jitter: .milliseconds(100)), moment: .always),
            Trouble(fault: .delay(by: .milliseconds(700), jitter: .milliseconds(600)), moment: about(300)),
            Trouble(fault: .refuseConnection, moment: .connection(refused)),
            Trouble(fault: .goAwayBeforeSettings(reason: "Shutdown"), moment: .connection(refused + 2)),
            Trouble(fault: .goAway(.init(lastStream: .thisStream)), moment: once()),
            Trouble(fault: .goAway(.init(lastStream: .previousStream)), moment: once()),
            Trouble(fault: .goAway(.init(lastStream: .previousStream, isDouble: true)), moment: once()),
            Trouble(fault: .goAway(.init(lastStream: .all, reason: "IdleTimeout")), moment: once()),
            Trouble(fault: .disconnect(accepted: true), moment: once()),
            Trouble(fault: .disconnect(accepted: false), moment: once()),
            Trouble(fault: .streamLimit(Int.random(in: 50...200, using: &generator)), moment: once()),
            Trouble(fault: .serviceUnavailable, moment: spell()),
            Trouble(fault: .shutdown, moment: spell()),
            Trouble(fault: .tooManyRequests, moment: about(8_000)),
            Trouble(fault: .serviceUnavailable, moment: about(3_000)),
            Trouble(fault: .internalServerError, moment: about(1_000)),
            Trouble(fault: .reset(.refusedStream, accepted: false), moment: about(1_000)),
            Trouble(fault: .reset(.internalError, accepted: true), moment: about(200)),
            Trouble(fault: .reset(.cancel, accepted: false), moment: about(200)),
            Trouble(fault: .noAnswer(accepted: true), moment: about(150)),
            Trouble(fault: .noAnswer(accepted: false), moment: about(150)),
        ]
    }

    /// The troubles as the simulator's rules, for an audience of this size.
    func faults(devices: Int) -> Faults {
        Faults(troubles.map { Faults.Rule($0.fault, $0.moment.occasion(devices: devices)) })
    }
}

extension ChaosSchedule.Event {
    /// How many outcomes it waits for.
    func threshold(devices: Int) -> Int { max(1, devices * share / 1_000) }
}

extension ChaosSchedule.Trouble.Moment {
    fileprivate func occasion(devices: Int) -> Faults.Occasion {
        func number(_ share: Int) -> Int { max(1, devices * share / 1_000) }
        return switch self {
        case .always: .always
        case .often(let count): .rate(Double(count) / 1_000_000)
        case .at(let share): .only(number(share))
        case .spell(let share, let length): .within(number(share)...number(share + length))
        case .connection(let count): .only(count)
        }
    }
}
