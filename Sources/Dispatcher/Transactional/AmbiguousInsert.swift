import EventLoop

/// Pushes that may have been stored: PostgreSQL's answer was lost, and the caller received an error.
/// Docs/decisions/sending.md explains what happens when the answer is lost.
struct AmbiguousInsert: Sendable {
    let draft: PushGroupDraft
    /// When to stop looking for them: by then the INSERT has failed, or their lease is over.
    let until: MonotonicTime
}
