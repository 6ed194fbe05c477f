import Glibc

/// A moment in microseconds since 1970-01-01 00:00 UTC: PostgreSQL's `timestamptz`.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var microseconds: Int64

    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    public init(secondsSince1970 seconds: Double) {
        microseconds = Int64((seconds * 1_000_000).rounded())
    }

    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    public var secondsSince1970: Double { Double(microseconds) / 1_000_000 }

    /// These values represent PostgreSQL's `infinity` and `-infinity`.
    public static let distantFuture = Timestamp(microseconds: .max)
    public static let distantPast = Timestamp(microseconds: .min)

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    public static func + (time: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: time.microseconds + duration.wholeMicroseconds)
    }

    public static func - (time: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: time.microseconds - duration.wholeMicroseconds)
    }

    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .microseconds(left.microseconds - right.microseconds)
    }
}

extension Duration {
    fileprivate var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}

extension Timestamp: PostgresEncodable, PostgresDecodable {
    /// PostgreSQL counts from 2000-01-01.
    private static let epoch: Int64 = 946_684_800_000_000

    public static var postgresType: PostgresType { .timestamptz }

    public func encode(into bytes: inout [UInt8]) {
        let isInfinite = self == .distantFuture || self == .distantPast
        bytes.append(integer: isInfinite ? microseconds : microseconds &- Self.epoch)
    }

    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Timestamp {
        let sent = try value.bytes(of: .timestamptz, .timestamp).wholeInteger(Int64.self)
        if sent == .max || sent == .min { return Timestamp(microseconds: sent) }
        let (microseconds, isTooLate) = sent.addingReportingOverflow(epoch)
        guard !isTooLate else { throw .malformed }
        return Timestamp(microseconds: microseconds)
    }
}
