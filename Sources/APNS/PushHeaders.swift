public import Notifications

/// The headers that pushes of a window share, as bytes at a fixed address.
///
/// `@unchecked Sendable`: written in `init` only.
public final class PushHeaders: @unchecked Sendable {
    let topic: UnsafeRawBufferPointer
    let pushType: UnsafeRawBufferPointer
    let priority: UnsafeRawBufferPointer
    /// Nil: Apple's storage policy (30 days at most).
    let expiration: UnsafeRawBufferPointer?
    let collapseID: UnsafeRawBufferPointer?

    /// `expiration` is in seconds since 1970; 0 means one attempt and no storage.
    public init(
        bundleID: BundleID, pushType: PushType, priority: Priority, expiration: Int?, collapseID: CollapseID?
    ) {
        topic = Self.copy(pushType.topic(bundleID: bundleID))
        self.pushType = Self.copy(pushType.rawValue)
        self.priority = Self.copy(String(priority.rawValue))
        self.expiration = expiration.map { Self.copy(String($0)) }
        self.collapseID = collapseID.map { Self.copy($0.text) }
    }

    deinit {
        for bytes in [topic, pushType, priority, expiration, collapseID] { bytes?.deallocate() }
    }

    private static func copy(_ text: String) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        memory.copyBytes(from: text.utf8)
        return UnsafeRawBufferPointer(memory)
    }
}
