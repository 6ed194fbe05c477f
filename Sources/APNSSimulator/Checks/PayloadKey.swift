/// A payload key from Apple's tables, with the kinds of value that the device understands.
struct PayloadKey {
    enum Owner { case anyPush, liveActivity, widget }

    let name: StaticString
    let kinds: [PayloadScan.Kind]
    let owner: Owner
    /// The valid numbers.
    let range: ClosedRange<Double>?

    private init(
        _ name: StaticString, _ kinds: [PayloadScan.Kind], _ owner: Owner = .anyPush,
        in range: ClosedRange<Double>? = nil
    ) {
        self.name = name
        self.kinds = kinds
        self.owner = owner
        self.range = range
    }

    /// Seconds since 1970, up to the year 5138. Larger numbers are probably milliseconds.
    private static let seconds = 0...99_999_999_999.0
    private static let unit = 0...1.0

    static let aps: [PayloadKey] = [
        .init("alert", [.string, .dictionary]),
        .init("badge", [.number], in: 0...Double.greatestFiniteMagnitude),
        .init("sound", [.string, .dictionary]),
        .init("thread-id", [.string]),
        .init("category", [.string]),
        .init("content-available", [.number], in: unit),
        .init("mutable-content", [.number], in: unit),
        .init("target-content-id", [.string]),
        .init("interruption-level", [.string]),
        .init("relevance-score", [.number]),  // its range depends on the push type
        .init("filter-criteria", [.string]),
        .init("timestamp", [.number], .liveActivity, in: seconds),
        .init("event", [.string], .liveActivity),
        .init("content-state", [.dictionary], .liveActivity),
        .init("stale-date", [.number], .liveActivity, in: seconds),
        .init("dismissal-date", [.number], .liveActivity, in: seconds),
        .init("attributes-type", [.string], .liveActivity),
        .init("attributes", [.dictionary], .liveActivity),
        .init("input-push-token", [.number], .liveActivity, in: unit),
        .init("input-push-channel", [.string], .liveActivity),
        .init("content-changed", [.boolean], .widget),
        .init("url-args", [.array]),
    ]

    static let alert: [PayloadKey] = [
        .init("title", [.string, .dictionary]),
        .init("subtitle", [.string]),
        .init("body", [.string, .dictionary]),
        .init("launch-image", [.string]),
        .init("title-loc-key", [.string]),
        .init("title-loc-args", [.array]),
        .init("subtitle-loc-key", [.string]),
        .init("subtitle-loc-args", [.array]),
        .init("loc-key", [.string]),
        .init("loc-args", [.array]),
        .init("action", [.string]),
        .init("action-loc-key", [.string, .null]),
        .init("summary-arg", [.string]),
        .init("summary-arg-count", [.number]),
        .init("sound", [.string], .liveActivity),
    ]

    static let sound: [PayloadKey] = [
        .init("critical", [.number], in: unit),
        .init("name", [.string]),
        .init("volume", [.number], in: unit),
    ]

    /// A text in a Live Activity's alert.
    static let text: [PayloadKey] = [
        .init("loc-key", [.string]),
        .init("loc-args", [.array]),
    ]
}
