/// Which push a stream carries: the slot of its window on the connection, and its place in the window. The slot's
/// generation tells a late word about an earlier window from one about the present window.
struct PushTag: Equatable {
    /// Slots that the number has room for.
    static let slots = 64

    /// What the stream bears; never negative for a tag of ours.
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
