import EventLoop

/// The names of time zones that PostgreSQL knows, read once: phones' local times are told by it.
public final class DeviceTimeZones: Sendable {
    private let store: DeviceStore
    private let known = Lock<Set<String>?>(nil)

    public init(store: DeviceStore) {
        self.store = store
    }

    public func names() async throws -> Set<String> {
        if let names = known.withLock({ $0 }) { return names }
        let names = try await store.timeZoneNames()
        known.withLock { $0 = names }
        return names
    }
}
