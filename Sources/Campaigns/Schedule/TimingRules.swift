public import Notifications

/// When the recipients of one time zone get an occurrence.
public struct ZoneTiming: Hashable, Sendable {
    /// Seconds since 1970; for who is suppressed, when it would have been.
    public var dueAt: Int
    /// From then on it would be quiet, or too late for a local time: who comes later is judged anew. Always after
    /// `dueAt`.
    public var notAfter: Int?
    public var verdict: Verdict

    public init(dueAt: Int, notAfter: Int? = nil, verdict: Verdict) {
        self.dueAt = dueAt
        self.notAfter = notAfter
        self.verdict = verdict
    }

    public enum Verdict: Hashable, Sendable {
        case send
        /// Sent, but later than the schedule says.
        case held(HoldReason)
        case suppressed(TimingSuppression)
    }
}

/// Why somebody gets it later than the schedule says.
public enum HoldReason: String, CaseIterable, Hashable, Sendable {
    case quietHours = "quiet_hours"
    /// His clock was past the time when the run was planned.
    case nextDay = "next_day"
}

/// Why the time keeps somebody from getting it.
public enum TimingSuppression: String, CaseIterable, Hashable, Sendable {
    case quietHours = "quiet_hours"
    case localTimePast = "local_time_past"
}

/// What decides when recipients get an occurrence, zone by zone: first the time and, where it is past, the policy for
/// local times; then the quiet hours at what came of that.
public struct TimingRules: Hashable, Sendable {
    public var occurrence: Occurrence
    public var quiet: QuietHours?
    /// Seconds since 1970: who was due before is due then.
    public private(set) var plannedAt: Int
    /// So many seconds later a local time counts as past.
    private var pastAfter = 1

    /// How long after its local time a push may still go where the policy is not to send it at once: long enough for
    /// what pacing and retries take, in seconds.
    public static let localPatience = 3_600

    public init(_ occurrence: Occurrence, quiet: QuietHours?, plannedAt: Int) {
        self.occurrence = occurrence
        self.quiet = quiet
        self.plannedAt = plannedAt
    }

    /// The same for a batch that is late: a local time is past only when the patience is over.
    public func again(now: Int) -> TimingRules {
        var rules = self
        rules.plannedAt = now
        rules.pastAfter = Self.localPatience
        return rules
    }

    /// Nil for a zone that is not known here.
    public func timing(in zone: String) -> ZoneTiming? {
        ZoneClock(named: zone).map { timing(on: $0) }
    }

    public func timing(on clock: ZoneClock) -> ZoneTiming {
        switch occurrence {
        case .at(let moment): quieted(ZoneTiming(dueAt: max(moment, plannedAt), verdict: .send), clock)
        case .local(let time, let ifPast): local(time, ifPast, clock)
        }
    }

    private func local(_ time: CivilTime, _ ifPast: LocalTimePolicy, _ clock: ZoneClock) -> ZoneTiming {
        let moment = clock.moment(showing: time.seconds)
        guard isPast(moment) else { return quieted(inTime(moment, ifPast, .send), clock) }
        switch ifPast {
        case .skip: return ZoneTiming(dueAt: moment, verdict: .suppressed(.localTimePast))
        case .send: return quieted(ZoneTiming(dueAt: plannedAt, verdict: .send), clock)
        case .nextDay: return quieted(inTime(nextMoment(time, clock), ifPast, .held(.nextDay)), clock)
        }
    }

    private func isPast(_ moment: Int) -> Bool { plannedAt - moment >= pastAfter }

    private func inTime(_ moment: Int, _ ifPast: LocalTimePolicy, _ verdict: ZoneTiming.Verdict) -> ZoneTiming {
        ZoneTiming(
            dueAt: max(moment, plannedAt), notAfter: ifPast == .send ? nil : moment + Self.localPatience,
            verdict: verdict)
    }

    /// The first that is not past.
    private func nextMoment(_ time: CivilTime, _ clock: ZoneClock) -> Int {
        // Not sooner than it can be: with patience the time of the day before may not be past yet.
        let today = CivilDay.floorDivide(clock.local(plannedAt), CivilTime.secondsPerDay)
        var local = max(time.date.number, today - 2) * CivilTime.secondsPerDay + time.secondOfDay
        var moment = clock.moment(showing: local)
        while isPast(moment) {
            local += CivilTime.secondsPerDay
            moment = clock.moment(showing: local)
        }
        return moment
    }

    private func quieted(_ timing: ZoneTiming, _ clock: ZoneClock) -> ZoneTiming {
        guard let quiet, quiet.policy != .send else { return timing }
        let window = quiet.window(containingOrAfter: timing.dueAt, on: clock)
        guard window.contains(timing.dueAt) else {
            var timing = timing
            timing.notAfter = min(timing.notAfter ?? window.lowerBound, window.lowerBound)
            return timing
        }
        guard quiet.policy == .hold else {
            return ZoneTiming(dueAt: timing.dueAt, verdict: .suppressed(.quietHours))
        }
        let next = quiet.window(containingOrAfter: window.upperBound, on: clock)
        return ZoneTiming(dueAt: window.upperBound, notAfter: next.lowerBound, verdict: .held(.quietHours))
    }
}
