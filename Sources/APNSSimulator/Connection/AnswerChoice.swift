/// Chooses the answer to a push by the bytes of its id.
struct AnswerChoice {
    private let slowBelow: UInt32
    private let deferredBelow: UInt32

    init(_ answers: QuickAnswers) {
        slowBelow = Self.bound(answers.slowShare)
        deferredBelow = Self.bound(answers.deferredShare)
    }

    /// `id` has the length of a `PushID` as text.
    func choose(_ id: UnsafeRawBufferPointer) -> (isSlow: Bool, isDeferred: Bool, hash: UInt64) {
        var hash: UInt64 = 0
        for offset in stride(from: 0, through: PushID.textLength - 8, by: 7) {
            hash = (hash ^ id.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return (
            UInt32(truncatingIfNeeded: hash >> 32) < slowBelow, UInt32(truncatingIfNeeded: hash) < deferredBelow, hash
        )
    }

    private static func bound(_ share: Double) -> UInt32 { UInt32(min(max(share, 0), 1) * Double(UInt32.max)) }
}
