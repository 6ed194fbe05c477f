/// The last pushes to each device, for tests of apps that ask what arrived.
public struct PushLog: Sendable {
    /// A push and its place in the order of all.
    public struct Entry: Sendable {
        /// From 1; each push has the next one.
        public let number: Int
        public let push: ObservedPush
    }

    /// Pushes that are kept for a device. Older ones give way.
    public static let limitPerDevice = 50
    /// Devices with pushes. The one with the oldest push gives way.
    public static let deviceLimit = 10_000

    /// The number of the newest push; 0: none yet.
    public private(set) var newest = 0
    private var entries: [UInt64: [Entry]] = [:]

    public init() {}

    /// A push without a token is not kept: no device could ask for it.
    public mutating func add(_ push: ObservedPush) {
        guard let device = push.tokenHash else { return }
        newest += 1
        if entries[device] == nil, entries.count >= Self.deviceLimit {
            // Rare: a test has few devices.
            let oldest = entries.min { ($0.value.last?.number ?? 0) < ($1.value.last?.number ?? 0) }
            if let oldest { entries[oldest.key] = nil }
        }
        entries[device, default: []].append(Entry(number: newest, push: push))
        if let count = entries[device]?.count, count > Self.limitPerDevice { entries[device]?.removeFirst() }
    }

    /// The pushes to a device whose number is higher, oldest first; of all devices without a token.
    public func entries(toToken token: [UInt8]?, after number: Int = 0) -> [Entry] {
        let found: [Entry]
        if let token {
            found = entries[ObservedPush.hash(ofToken: token)] ?? []
        } else {
            found = entries.values.flatMap { $0 }.sorted { $0.number < $1.number }
        }
        return found.filter { $0.number > number }
    }

    /// Numbers go on.
    public mutating func removeAll() { entries = [:] }
}
