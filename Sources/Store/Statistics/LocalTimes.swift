import Notifications
import Postgres

/// Local times of a zone as SQL. The zone comes as its offsets: PostgreSQL may not know its name, and truncates a time
/// in an hour that comes twice to the second of two beginnings.
struct LocalTimes {
    private let clock: ZoneClock
    /// In seconds since 1970.
    private let changes: [Int64]
    private let offsets: [Int64]

    init(_ clock: ZoneClock, since: Timestamp, until: Timestamp) {
        self.clock = clock
        let periods = clock.offsets(from: since.wholeSeconds, to: until.wholeSeconds)
        changes = periods.map { Int64($0.start) }
        offsets = periods.map { Int64($0.offset) }
    }

    /// A number for the unit of a time: of days since 1970 by the local date, or of seconds since 1970 to its
    /// beginning.
    func unit(_ unit: StatisticsStore.Unit, of time: PostgresQuery) -> PostgresQuery {
        let seconds = Self.seconds(time)
        return switch unit {
        case .minute: "(\(seconds) - \(seconds) % 60)"
        case .hour: "greatest((\(changes))[\(period(time))], \(seconds) - (\(seconds) + \(offset(time))) % 3600)"
        case .day: "((\(seconds) + \(offset(time))) / 86400)"
        }
    }

    /// 0 to 23.
    func hourOfDay(of time: PostgresQuery) -> PostgresQuery {
        "((\(Self.seconds(time)) + \(offset(time))) % 86400 / 3600)"
    }

    /// The beginning of a unit that `unit(_:of:)` selected.
    func start(of number: Int, _ unit: StatisticsStore.Unit) -> Timestamp {
        let seconds = unit == .day ? clock.start(of: CivilDay(number: number)) : number
        return Timestamp(microseconds: Int64(seconds) * 1_000_000)
    }

    private static func seconds(_ time: PostgresQuery) -> PostgresQuery { "extract(epoch FROM \(time))::bigint" }

    private func period(_ time: PostgresQuery) -> PostgresQuery {
        "width_bucket(\(Self.seconds(time)), \(changes))"
    }

    private func offset(_ time: PostgresQuery) -> PostgresQuery { "(\(offsets))[\(period(time))]" }
}

extension Timestamp {
    fileprivate var wholeSeconds: Int { Int(microseconds / 1_000_000) }
}
