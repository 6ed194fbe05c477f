extension Forecast {
    public init(
        groups: [Group], rates: ForecastRates, held: [Reason] = [], suppressed: [Reason] = [], later: [Occurrence] = []
    ) {
        rate = rates.slowest
        self.held = held.filter { $0.count > 0 }
        self.suppressed = suppressed.filter { $0.count > 0 }
        self.later = Array(later.prefix(Self.laterCount))
        var queue = Queue(rate: rate, origin: groups.map(\.dueAt).min() ?? 0)
        for group in groups.sorted(by: { $0.dueAt < $1.dueAt }) { queue.serve(group) }
        timeline = queue.steps
        expired = queue.expired
        sent = timeline.reduce(0) { $0 + $1.count }
    }
}

/// A queue that one server empties at a steady rate. Its time is counted in pushes since the origin, so that nothing is
/// rounded before the end.
private struct Queue {
    let rate: Int
    let origin: Int
    var expired = 0
    /// Without gaps inside.
    private var busy: [Range<Int>] = []
    private var free = 0

    /// More than there are people, and few enough to be multiplied.
    private static let maximumCount = 1_000_000_000_000

    init(rate: Int, origin: Int) {
        self.rate = rate
        self.origin = origin
    }

    mutating func serve(_ group: Forecast.Group) {
        let count = min(max(group.count, 0), Self.maximumCount)
        let start = max(free, slot(group.dueAt))
        let served = min(count, group.expiresAt.map { max(0, slot($0) - start) } ?? count)
        expired += count - served
        guard served > 0 else { return }
        free = start + served
        if let last = busy.last, last.upperBound == start {
            busy[busy.count - 1] = last.lowerBound..<free
        } else {
            busy.append(start..<free)
        }
    }

    private func slot(_ moment: Int) -> Int { (moment - origin) * rate }

    /// In whole seconds, the end rounded up.
    var steps: [Forecast.Step] {
        busy.map { slots in
            Forecast.Step(
                from: origin + slots.lowerBound / rate, to: origin + (slots.upperBound + rate - 1) / rate,
                count: slots.count)
        }
    }
}
