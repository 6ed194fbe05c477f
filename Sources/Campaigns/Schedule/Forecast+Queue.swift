extension Forecast {
    /// The timing of the recipients at an index of `PlanTimings` who were not served until a moment.
    public typealias Reevaluate = (_ index: Int, _ moment: Int) -> ZoneTiming

    /// `reevaluate` is called for groups that have a `notAfter`.
    public init(
        groups: [Group], rates: ForecastRates, held: [Reason] = [], suppressed: [Reason] = [],
        nextOccurrences: [Occurrence] = [], reevaluate: Reevaluate = { ZoneTiming(dueAt: $1, verdict: .send) }
    ) {
        rate = rates.slowest
        self.nextOccurrences = Array(nextOccurrences.prefix(Self.maximumNextOccurrences))
        var held = held
        var suppressed = suppressed
        var waiting = groups.sorted { $0.dueAt < $1.dueAt }
        var queue = Queue(rate: rate, origin: waiting.first?.dueAt ?? 0)
        while !waiting.isEmpty {
            let group = waiting.removeFirst()
            guard var rest = queue.serve(group), let notAfter = group.notAfter else { continue }
            let timing = reevaluate(group.index, max(notAfter, group.dueAt))
            switch timing.verdict {
            case .suppressed(let reason):
                suppressed.add(reason.summary, rest.count)
                continue
            case .held(let reason) where !rest.isHeld:
                held.add(reason.rawValue, rest.count)
                rest.isHeld = true
            case .held, .send: break
            }
            // Always later than before, so that the loop ends.
            rest.dueAt = max(timing.dueAt, notAfter, group.dueAt + 1)
            rest.notAfter = timing.notAfter
            waiting.insert(rest, at: waiting.firstIndex { $0.dueAt > rest.dueAt } ?? waiting.endIndex)
        }
        timeline = queue.steps
        expired = queue.expired
        sent = timeline.reduce(0) { $0 + $1.count }
        self.held = held.filter { $0.count > 0 }
        self.suppressed = suppressed.filter { $0.count > 0 }
    }
}

extension [Forecast.Reason] {
    fileprivate mutating func add(_ reason: String, _ count: Int) {
        if let index = firstIndex(where: { $0.reason == reason }) {
            self[index].count += count
        } else {
            append(Forecast.Reason(reason, count))
        }
    }
}

extension TimingSuppression {
    /// The ledger's reason.
    fileprivate var summary: String {
        switch self {
        case .quietHours: "quiet hours"
        case .localTimePast: "local time past"
        }
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

    /// More than there are people, and small enough to be multiplied without overflow.
    private static let maximumCount = 1_000_000_000_000

    init(rate: Int, origin: Int) {
        self.rate = rate
        self.origin = origin
    }

    /// Returns the recipients to re-evaluate.
    mutating func serve(_ group: Forecast.Group) -> Forecast.Group? {
        let count = min(max(group.count, 0), Self.maximumCount)
        let start = max(free, slot(group.dueAt))
        let isLast = group.expiresAt.map { $0 <= group.notAfter ?? .max } ?? false
        let end = isLast ? group.expiresAt : group.notAfter
        let served = min(count, end.map { max(0, slot($0) - start) } ?? count)
        if served > 0 {
            free = start + served
            if let last = busy.last, last.upperBound == start {
                busy[busy.count - 1] = last.lowerBound..<free
            } else {
                busy.append(start..<free)
            }
        }
        guard served < count else { return nil }
        guard !isLast else {
            expired += count - served
            return nil
        }
        var rest = group
        rest.count = count - served
        return rest
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
