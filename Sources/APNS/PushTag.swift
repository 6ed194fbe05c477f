/// Identifies the push of a stream: the slot of its window on the connection, and its index in the window. The slot's
/// generation tells a late event of an earlier window from one of the current window.
struct PushTag: Equatable {
    /// The number of slots that six bits can number.
    static let slots = 64

    /// The tag of the stream; never negative for a push.
    let rawValue: Int

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(generation: Int, slot: Int, index: Int) {
        rawValue = generation << 16 | slot << 10 | index
    }

    var generation: Int { rawValue >> 16 }
    var slot: Int { rawValue >> 10 & 0x3f }
    /// A window holds up to 1,000 pushes, which ten bits can number.
    var index: Int { rawValue & 0x3ff }

    /// Another push of the same window.
    func with(index: Int) -> PushTag { PushTag(rawValue: rawValue & ~0x3ff | index) }
}
