/// The limit on concurrent streams of a connection, and how Apple changes it. Each function returns the limit to
/// announce in SETTINGS, or nil if it does not change.
struct StreamPolicy {
    private var limits: StreamLimits
    private var hasToken = false
    private var isReduced = false
    private(set) var announced: Int

    init(_ limits: StreamLimits) {
        self.limits = limits
        announced = limits.beforeToken
    }

    /// A request with a valid provider token was received.
    mutating func tokenSeen() -> Int? {
        hasToken = true
        return change()
    }

    mutating func accepted() -> Int? {
        isReduced = false
        return change()
    }

    mutating func refused(status: Int) -> Int? {
        // 410 does not count as an error at Apple.
        if limits.reducesAfterRejection && status != 410 { isReduced = true }
        return change()
    }

    /// The limit was changed by a fault.
    mutating func limitChanged(to limit: Int) -> Int? {
        limits.beforeToken = min(limits.beforeToken, limit)
        limits.afterToken = limit
        return change()
    }

    private mutating func change() -> Int? {
        let limit = !hasToken ? limits.beforeToken : isReduced ? 1 : limits.afterToken
        guard limit != announced else { return nil }
        announced = limit
        return limit
    }
}
