/// The state of each Live Activity, by the token of its updates. Apple answers 200 to pushes that the device ignores.
struct ActivityTable {
    private struct Activity {
        var latest = -Double.infinity
        var hasEnded = false
    }

    private var activities: [UInt64: Activity] = [:]

    /// Records an accepted push and returns its mistakes.
    mutating func note(_ push: ActivityPush, tokenHash: UInt64) -> PushWarnings {
        if push.event == .start { activities[tokenHash] = Activity() }
        let activity = activities[tokenHash, default: Activity()]
        var flags: PushWarnings = []
        if activity.hasEnded, push.event == .update { flags.insert(.updateAfterEnd) }
        // A retried push has the same timestamp.
        if let timestamp = push.timestamp, timestamp < activity.latest { flags.insert(.outOfOrderTimestamp) }
        activities[tokenHash] = Activity(
            latest: max(activity.latest, push.timestamp ?? activity.latest),
            hasEnded: activity.hasEnded || push.event == .end)
        return flags
    }
}
