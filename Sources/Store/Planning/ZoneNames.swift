import EventLoop
import Postgres

/// The names of time zones that PostgreSQL knows, read once: phones' zones are among them.
final class ZoneNames: Sendable {
    private let devices: DeviceStore
    private let known = Lock<[String]?>(nil)

    init(pool: PostgresPool) {
        devices = DeviceStore(pool: pool)
    }

    func names() async throws -> [String] {
        if let names = known.withLock({ $0 }) { return names }
        let names = try await devices.timeZoneNames().sorted()
        known.withLock { $0 = names }
        return names
    }
}
