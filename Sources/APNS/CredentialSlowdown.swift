import EventLoop

/// Decides when pushes may be sent after Apple has answered that the credential sends too much (429
/// TooManyProviderTokenUpdates). Such an answer concerns all devices: nothing is sent during a pause, then one push is
/// a probe. A value type: the client reports what happened.
///
/// Docs/decisions/apple.md explains why all pushes wait.
struct CredentialSlowdown: Equatable {
    enum Permission: Equatable {
        case free
        /// One push shows whether Apple still refuses.
        case probe
        case wait
    }

    private var backoff: Backoff
    /// Nil unless Apple has asked to slow down, and accepted nothing since.
    private var pausedUntil: MonotonicTime?
    private var isProbing = false

    init(options: APNSOptions) {
        backoff = Backoff(first: options.shortestSlowdown, longest: options.longestSlowdown)
    }

    var isOngoing: Bool { pausedUntil != nil }

    /// After `probe`, the others wait until the probe ends.
    mutating func permission(at now: MonotonicTime) -> Permission {
        guard let pausedUntil else { return .free }
        guard now >= pausedUntil, !isProbing else { return .wait }
        isProbing = true
        return .probe
    }

    /// Windows that were on their way together are one refusal.
    mutating func refused(at now: MonotonicTime) {
        isProbing = false
        if let pausedUntil, now < pausedUntil { return }
        pausedUntil = now + backoff.failed()
    }

    /// The probe ended: with an accepted push, or for another reason.
    mutating func probed(isAccepted: Bool) {
        isProbing = false
        guard isAccepted else { return }
        pausedUntil = nil
        backoff.succeeded()
    }
}
