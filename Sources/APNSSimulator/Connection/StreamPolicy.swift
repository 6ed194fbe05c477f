/// How many concurrent streams a connection is allowed, as Apple changes it. Each function gives
/// the number to announce in SETTINGS, or nil when nothing changes.
struct StreamPolicy {
    private var limits: StreamLimits
    private var hasToken = false
    private var isFallen = false
    private(set) var announced: Int

    init(_ limits: StreamLimits) {
        self.limits = limits
        announced = limits.beforeToken
    }

    /// A request with a valid provider token came.
    mutating func tokenSeen() -> Int? {
        hasToken = true
        return change()
    }

    mutating func accepted() -> Int? {
        isFallen = false
        return change()
    }

    mutating func refused(status: Int) -> Int? {
        // 410 does not count as an error at Apple.
        if limits.fallsAfterRejection && status != 410 { isFallen = true }
        return change()
    }

    /// Somebody turned the switch.
    mutating func limitChanged(to limit: Int) -> Int? {
        limits.beforeToken = min(limits.beforeToken, limit)
        limits.afterToken = limit
        return change()
    }

    private mutating func change() -> Int? {
        let limit = !hasToken ? limits.beforeToken : isFallen ? 1 : limits.afterToken
        guard limit != announced else { return nil }
        announced = limit
        return limit
    }
}
