import EventLoop

/// Decides when pushes may be sent after an answer that concerns all devices: 429 TooManyProviderTokenUpdates, or
/// refused streams alone. Nothing is sent during a pause, then one push is a probe. A value type: the client reports what
/// happened.
///
/// Docs/decisions/apple.md explains why all pushes wait.
struct CredentialSlowdown: Equatable {
    enum Permission: Equatable {
        case free
        /// One push shows whether Apple still refuses.
        case probe
        case wait(SlowdownAnswer)
    }

    private struct Pause: Equatable {
        let answer: SlowdownAnswer
        let until: MonotonicTime
    }

    private var backoff: Backoff
    /// Nil unless there was such an answer, and nothing was accepted since.
    private var pause: Pause?
    private var isProbing = false

    init(options: APNSOptions) {
        backoff = Backoff(first: options.shortestSlowdown, longest: options.longestSlowdown)
    }

    var isOngoing: Bool { pause != nil }

    /// After `probe`, the others wait until the probe ends.
    mutating func permission(at now: MonotonicTime) -> Permission {
        guard let pause else { return .free }
        guard now >= pause.until, !isProbing else { return .wait(pause.answer) }
        isProbing = true
        return .probe
    }

    /// Windows that were on their way together are one refusal. Returns the answer for which pushes wait.
    mutating func refused(_ reason: SlowdownAnswer.Reason, at now: MonotonicTime) -> SlowdownAnswer {
        isProbing = false
        if let pause, now < pause.until { return pause.answer }
        let answer = SlowdownAnswer(reason: reason, at: now)
        pause = Pause(answer: answer, until: now + backoff.failed())
        return answer
    }

    /// The probe ended: with an accepted push, or for another reason.
    mutating func probed(isAccepted: Bool) {
        isProbing = false
        guard isAccepted else { return }
        pause = nil
        backoff.succeeded()
    }
}
