import EventLoop

/// The acknowledgements that phones will send, in buckets of a tenth of a second. It has no clock of its own.
struct AcknowledgementSchedule {
    struct Event: Equatable {
        enum Kind: String { case delivered, opened, action, text, dismissed, converted, influenced }

        let id: PushID
        let kind: Kind
        /// Milliseconds since 1970.
        let at: Int64
        /// The identifier of a button, or the name of a conversion; empty for other kinds.
        var action = ""
        /// Of a reply, its index; of a conversion, its value in hundredths.
        var detail: Int32 = 0
        var attempts: UInt8 = 0
    }

    static let tick = Duration.milliseconds(100)
    /// The maximum number of events; further ones are rejected.
    static let largest = 4_000_000

    private var buckets: [Int64: [Event]] = [:]
    private(set) var count = 0

    /// Adds an event. Returns false if the schedule is full.
    mutating func add(_ event: Event, due: MonotonicTime) -> Bool {
        guard count < Self.largest else { return false }
        buckets[Self.bucket(of: due), default: []].append(event)
        count += 1
        return true
    }

    /// Removes and returns the events that are due, earliest buckets first.
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
