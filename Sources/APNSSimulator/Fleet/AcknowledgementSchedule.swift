import EventLoop

/// Acknowledgements that phones will send, in buckets of a tenth of a second. A value without a
/// clock.
struct AcknowledgementSchedule {
    struct Event: Equatable {
        enum Kind: String { case delivered, opened }

        let id: PushID
        let kind: Kind
        /// Milliseconds since 1970.
        let at: Int64
        var attempts: UInt8 = 0
    }

    static let tick = Duration.milliseconds(100)
    /// Events held at a time; what comes beyond is refused, as a phone that is full would.
    static let largest = 4_000_000

    private var buckets: [Int64: [Event]] = [:]
    private(set) var count = 0

    /// False when there is no room.
    mutating func add(_ event: Event, due: MonotonicTime) -> Bool {
        guard count < Self.largest else { return false }
        buckets[Self.bucket(of: due), default: []].append(event)
        count += 1
        return true
    }

    /// Takes what is due, earliest buckets first.
    mutating func takeDue(at now: MonotonicTime) -> [Event] {
        let last = Self.bucket(of: now)
        return take { $0 <= last }
    }

    mutating func takeAll() -> [Event] { take { _ in true } }

    private mutating func take(_ isWanted: (Int64) -> Bool) -> [Event] {
        let numbers = buckets.keys.filter(isWanted).sorted()
        var events: [Event] = []
        for number in numbers { events.append(contentsOf: buckets.removeValue(forKey: number) ?? []) }
        count -= events.count
        return events
    }

    private static func bucket(of time: MonotonicTime) -> Int64 { time.nanoseconds / tick.nanoseconds }
}
