import EventLoop

/// Pushes that may have been stored: PostgreSQL's answer was lost, and who asked was told so.
struct PushDoubt: Sendable {
    let draft: PushGroupDraft
    /// How long they are looked for: by then the INSERT has failed, or their lease is over.
    let until: MonotonicTime
}
