import APNSSimulator
import HTTP2

extension ChaosSchedule {
    /// As it is printed before anything happens.
    var text: String {
        let events = events.map { "  \("\($0.share.percent)".leftPadded(to: 7))  \($0.deed.text)" }
        let troubles = troubles.map { "  \($0.moment.text.leftPadded(to: 22))  \($0.fault.text)" }
        return """
              When so many have their outcome (a worker that holds nothing gives way to the next):
            \(events.joined(separator: "\n"))

              And at Apple, all the while:
            \(troubles.joined(separator: "\n"))
            """
    }
}

extension ChaosSchedule.Deed {
    var text: String {
        switch self {
        case .kill(let worker): "kill -9 of worker \(worker + 1), which is started again"
        case .pause(let worker): "worker \(worker + 1) stands still for longer than its lease, and goes on as a zombie"
        case .stopDatabase: "PostgreSQL is stopped in immediate mode, and started again"
        case .cutSessions(let worker): "PostgreSQL ends all sessions of worker \(worker + 1)"
        case .sayGoodbye: "GOAWAY on every connection to Apple"
        case .cutConnections: "every connection to Apple is cut"
        }
    }
}

extension ChaosSchedule.Trouble.Moment {
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
        case .disconnect(let accepted): "connection cut, the push at hand \(Self.taken(accepted))"
        case .goAway(let goAway): goAway.text
        case .wedge: "403 ExpiredProviderToken from there on"
        case .streamLimit(let limit): "that connection allows \(limit) streams only"
        case .goAwayBeforeSettings: "GOAWAY in place of the first SETTINGS"
        case .refuseConnection: "refused"
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
