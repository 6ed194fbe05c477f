public import Notifications

/// When the recipients of one time zone get an occurrence.
public struct ZoneTiming: Hashable, Sendable {
    /// Seconds since 1970; for suppressed recipients, the time at which they would have been due.
    public var dueAt: Int
    /// When quiet hours begin or a local time is too late: later recipients are re-evaluated. Always after
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

/// The reason why recipients are due later than the schedule says.
public enum HoldReason: String, CaseIterable, Hashable, Sendable {
    case quietHours = "quiet_hours"
    /// The local time had passed when the run was planned.
    case nextDay = "next_day"

    /// As outcomes name their reasons.
    public var text: String { rawValue.replacing("_", with: " ") }
}

/// The reason why recipients are suppressed because of the time.
public enum TimingSuppression: String, CaseIterable, Hashable, Sendable {
    case quietHours = "quiet_hours"
    case localTimePast = "local_time_past"
}

/// The rules for when recipients get an occurrence, by zone: first the time and, if it has passed, the policy for
/// local times; then quiet hours at the resulting time.
public struct TimingRules: Hashable, Sendable {
    public var occurrence: Occurrence
    public var quiet: QuietHours?
    /// Seconds since 1970: recipients who were due before are due then.
    public private(set) var plannedAt: Int
    /// Of the hours of a window, the place of the one at which recipients are due.
    var place = 0
    /// Seconds after which a local time counts as past.
    private var pastThreshold = 1

    /// The time in seconds after its local time during which a push may still go, unless the policy is to send it
    /// immediately. It is long enough for rate limits and retries.
    public static let localTimeGrace = 3_600

    public init(_ occurrence: Occurrence, quiet: QuietHours?, plannedAt: Int) {
        self.occurrence = occurrence
        self.quiet = quiet
        self.plannedAt = plannedAt
    }

    /// The same rules for an overdue batch: a local time is past only after `localTimeGrace`.
    public func reevaluated(now: Int) -> TimingRules {
        var rules = self
        rules.plannedAt = now
        rules.pastThreshold = Self.localTimeGrace
        return rules
    }

    /// Nil for an unknown zone.
    public func timing(in zone: String) -> ZoneTiming? {
        ZoneClock(named: zone).map { timing(on: $0) }
    }

    public func timing(on clock: ZoneClock) -> ZoneTiming {
        switch occurrence {
        case .at(let moment): applyingQuietHours(ZoneTiming(dueAt: max(moment, plannedAt), verdict: .send), clock)
        case .local(let time, let ifPast, _): local(hour(of: time, clock), ifPast, clock)
        }
    }

    /// The time at its place in a window or, if that is past, at the next hour of the window that is not.
    private func hour(of start: CivilTime, _ clock: ZoneClock) -> CivilTime {
        guard let hours = occurrence.bestHours, hours.indices.contains(place) else { return start }
        let times = hours[place...].compactMap { CivilTime(seconds: start.seconds + ($0 - start.hour) * 3_600) }
        return times.first { !isPast(clock.moment(showing: $0.seconds)) } ?? times.first ?? start
    }

    private func local(_ time: CivilTime, _ ifPast: LocalTimePolicy, _ clock: ZoneClock) -> ZoneTiming {
        let moment = clock.moment(showing: time.seconds)
        guard isPast(moment) else { return applyingQuietHours(inTime(moment, ifPast, .send), clock) }
        switch ifPast {
        case .skip: return ZoneTiming(dueAt: moment, verdict: .suppressed(.localTimePast))
        case .send: return applyingQuietHours(ZoneTiming(dueAt: plannedAt, verdict: .send), clock)
        case .nextDay: return applyingQuietHours(inTime(nextMoment(time, clock), ifPast, .held(.nextDay)), clock)
        }
    }

    private func isPast(_ moment: Int) -> Bool { plannedAt - moment >= pastThreshold }

    private func inTime(_ moment: Int, _ ifPast: LocalTimePolicy, _ verdict: ZoneTiming.Verdict) -> ZoneTiming {
        ZoneTiming(
            dueAt: max(moment, plannedAt), notAfter: ifPast == .send ? nil : moment + Self.localTimeGrace,
            verdict: verdict)
    }

    /// The first that is not past.
    private func nextMoment(_ time: CivilTime, _ clock: ZoneClock) -> Int {
        // With the grace, the local time of the previous day may not count as past yet.
        let today = CivilDay.floorDivide(clock.local(plannedAt), CivilTime.secondsPerDay)
        var local = max(time.date.number, today - 2) * CivilTime.secondsPerDay + time.secondOfDay
        var moment = clock.moment(showing: local)
        while isPast(moment) {
            local += CivilTime.secondsPerDay
            moment = clock.moment(showing: local)
        }
        return moment
    }

    private func applyingQuietHours(_ timing: ZoneTiming, _ clock: ZoneClock) -> ZoneTiming {
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
