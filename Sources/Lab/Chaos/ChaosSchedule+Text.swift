import APNSSimulator
import Belfry
import HTTP2

extension ChaosSchedule {
    /// The schedule as it is printed before the run.
    var text: String {
        let events = events.map { "  \("\($0.share.percent)".leftPadded(to: 7))  \($0.fault.text)" }
        let scheduledFaults = scheduledFaults.map { "  \($0.moment.text.leftPadded(to: 22))  \($0.fault.text)" }
        return """
              Faults by the share of recipients with an outcome (if a worker holds no batch, the next one is used):
            \(events.joined(separator: "\n"))

              Faults of the simulated APNs:
            \(scheduledFaults.joined(separator: "\n"))
            """
    }
}

extension ChaosSchedule.ProcessFault {
    var text: String {
        switch self {
        case .kill(let worker): "kill -9 of worker \(worker + 1), which is restarted"
        case .pause(let worker): "worker \(worker + 1) is paused for longer than its lease, then resumed"
        case .killDatabase: "kill -9 of PostgreSQL, which is started again"
        case .failOver: "kill -9 of PostgreSQL, and its standby takes over"
        case .cutSessions(let worker): "PostgreSQL ends all sessions of worker \(worker + 1)"
        case .sayGoodbye: "GOAWAY on every connection to Apple"
        case .cutConnections: "every connection to Apple is closed"
        case .decide: "workers and PostgreSQL are killed, the A/B test is decided, and they are killed again"
        case .upgrade: "the next version migrates the database and replaces the workers, one after the other"
        }
    }
}

extension ChaosSchedule.ScheduledFault.Timing {
    fileprivate var text: String {
        switch self {
        case .always: "every push"
        case .often(let count): "1 push in \(max(1, 1_000_000 / max(1, count)).grouped)"
        case .at(let share): "at \(share.percent)"
        case .spell(let share, let length): "from \(share.percent) for \(length.percent)"
        case .connection(let number): "connection \(number)"
        }
    }
}

extension Fault {
    fileprivate var text: String {
        switch self {
        case .answer(let refusal): "\(refusal.status) \(refusal.reason)"
        case .answerText(let status, _): "\(status) without a reason"
        case .noAnswer(let accepted): "no answer, \(Self.taken(accepted))"
        case .delay(let by, let jitter): "answered after \(by.milliseconds) to \((by + jitter).milliseconds) ms"
        case .reset(let code, let accepted): "stream reset (\(code.rawValue)), \(Self.taken(accepted))"
        case .disconnect(let accepted): "connection closed, its current push \(Self.taken(accepted))"
        case .goAway(let goAway): goAway.text
        case .expiredTokenFromNowOn: "403 ExpiredProviderToken from then on"
        case .streamLimit(let limit): "stream limit of that connection lowered to \(limit)"
        case .goAwayBeforeSettings: "GOAWAY instead of the first SETTINGS"
        case .refuseConnection: "connection refused"
        }
    }

    private static func taken(_ accepted: Bool) -> String { accepted ? "accepted" : "not accepted" }
}

extension Fault.GoAway {
    fileprivate var text: String {
        let last =
            switch lastStream {
            case .thisStream: "this stream is the last"
            case .previousStream: "the stream before is the last"
            case .all: "all streams are answered"
            case .number(let number): "stream \(number) is the last"
            }
        return "\(isDouble ? "GOAWAY twice" : "GOAWAY"): \(last)"
    }
}

extension Int {
    /// Thousandths as a percentage.
    fileprivate var percent: String { "\(self / 10).\(self % 10) %" }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
