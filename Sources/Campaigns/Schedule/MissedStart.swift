public import JSON
import Notifications

/// The rule for a run that could not start in time, because no worker was running or the last run has not ended.
public struct MissedStart: Hashable, Sendable {
    public enum Policy: String, CaseIterable, Hashable, Sendable {
        /// Skip it; a recurring schedule continues.
        case skip
        /// Start it, regardless of the delay.
        case send
        /// Wait for a person's answer.
        case ask
    }

    /// In seconds: within this delay the run starts anyway.
    public var grace: Int
    public var policy: Policy

    /// Seconds, up to a week.
    public static let graceRange = 0...604_800
    /// Seconds of delay that are always allowed: people need time for a form, and workers poll.
    public static let tolerance = 60
    public static let standard = MissedStart(grace: 1_800, policy: .ask)

    public init(grace: Int, policy: Policy) {
        self.grace = grace
        self.policy = policy
    }
}

public enum StartDecision: Hashable, Sendable {
    /// Wait for the last run to end, and decide again later.
    case wait
    case start
    /// With the reason for people.
    case skip(Message)
    /// With the question for people.
    case ask(Message)
}

extension MissedStart {
    /// Whether to start what is due.
    ///
    /// `openRun` is the occurrence of a run that has not ended; the next waits for it. But local times recur
    /// before the last zone in the world is done: while such a run is in time, the next may start alongside it.
    ///
    /// A local time is late when the last clock in the world has shown it; before, its own policy is for the zones
    /// where it is past. `zone` is the app's time zone, for messages.
    public func decision(
        on due: DueOccurrence, of schedule: Schedule, now: Int, openRun: Occurrence? = nil, zone: String
    ) -> StartDecision {
        let isBlocked = openRun.map { blocks($0, now: now) } ?? false
        let late = now - due.occurrence.last
        guard isMissed(due.occurrence, now: now) else { return isBlocked ? .wait : .start }
        switch policy {
        case .send: return isBlocked ? .wait : .start
        case .skip:
            return .skip(
                "\(reason(due, schedule, late, isBlocked, zone)). It was skipped.\(rest(due, schedule, zone))")
        case .ask:
            return .ask("\(reason(due, schedule, late, isBlocked, zone)). Start it now, or skip it?")
        }
    }

    /// Whether the delay exceeds the grace.
    public func isMissed(_ occurrence: Occurrence, now: Int) -> Bool {
        now - occurrence.last > max(grace, Self.tolerance)
    }

    private func blocks(_ run: Occurrence, now: Int) -> Bool {
        switch run {
        case .at: true
        case .local: isMissed(run, now: now)
        }
    }

    private func reason(
        _ due: DueOccurrence, _ schedule: Schedule, _ late: Int, _ isBlocked: Bool, _ zone: String
    ) -> Message {
        let earlier: Message =
            switch due.missedBefore {
            case 0: ""
            case 1: ", and one before it was missed"
            default: ", and \(due.missedBefore) before it were missed"
            }
        let cause: Message = isBlocked ? "the run before it had not ended yet" : "it had not started"
        let allowed: Message = grace == 0 ? "no delay is" : "at most \(DurationText(grace).text) are"
        return "This was due \(schedule.summary(of: due.occurrence, zone: zone))\(earlier). "
            + "\(DurationText(late).text) later \(cause), and \(allowed) allowed"
    }

    private func rest(_ due: DueOccurrence, _ schedule: Schedule, _ zone: String) -> Message {
        due.next.map { " The next is \(schedule.summary(of: $0, zone: zone))." } ?? ""
    }
}

extension MissedStart {
    private enum Key: String, MemberName {
        case policy
        case grace = "grace_seconds"
    }

    /// Reads `{"grace_seconds":1800,"policy":"ask"}`; omitted members are as in `standard`.
    public init(json: JSON) throws(Problems) {
        self = try ObjectReader.document(json, named: "the rule for missed starts") { MissedStart(&$0) }
    }

    private init(_ reader: inout ObjectReader) {
        grace = reader.whole(Key.grace, in: Self.graceRange) ?? Self.standard.grace
        policy = reader.choice(Key.policy) ?? Self.standard.policy
    }

    public var json: JSON {
        [Key.grace.rawValue: .number(JSON.Number(grace)), Key.policy.rawValue: .string(policy.rawValue)]
    }
}
