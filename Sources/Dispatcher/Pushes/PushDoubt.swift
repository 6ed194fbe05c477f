import EventLoop

/// Pushes that may have been stored: PostgreSQL's answer was lost, and who asked was told so.
struct PushDoubt: Sendable {
    let draft: PushGroupDraft
    /// What is not there by then will not be.
    let until: MonotonicTime

    func isOver(at now: MonotonicTime) -> Bool { now >= until }
}
