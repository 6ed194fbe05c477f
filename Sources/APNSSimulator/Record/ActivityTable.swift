/// What each Live Activity was told, by the token of its updates. Apple answers 200 to what the phone then ignores.
struct ActivityTable {
    private struct Activity {
        var latest = -Double.infinity
        var hasEnded = false
    }

    private var activities: [UInt64: Activity] = [:]

    /// Takes an accepted push, and gives what the phone minds about it.
    mutating func note(_ push: ActivityPush, tokenHash: UInt64) -> Flags {
        if push.event == .start { activities[tokenHash] = Activity() }
        let activity = activities[tokenHash, default: Activity()]
        var flags: Flags = []
        if activity.hasEnded, push.event == .update { flags.insert(.updateAfterEnd) }
        // One that is sent again has the same time.
        if let timestamp = push.timestamp, timestamp < activity.latest { flags.insert(.olderTimestamp) }
        activities[tokenHash] = Activity(
            latest: max(activity.latest, push.timestamp ?? activity.latest),
            hasEnded: activity.hasEnded || push.event == .end)
        return flags
    }
}
