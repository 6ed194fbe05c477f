import Postgres

/// The steps in which delays from a push to its opening are counted. The same as those of the SQL function
/// `delay_step`.
enum DelayStep {
    /// The lowest seconds of each step, up to two weeks.
    static let lowest: [Int32] = [
        0, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 172_800,
        345_600,
        604_800, 1_209_600,
    ]

    /// The lowest seconds of the delay's step.
    static func step(of seconds: Int32) -> Int32 { lowest.last { $0 <= seconds } ?? 0 }

    /// Not negative: a device's clock can be wrong by a little.
    static func seconds(from sent: Timestamp, to opened: Timestamp) -> Int32 {
        Int32(clamping: max(0, (opened.microseconds - sent.microseconds) / 1_000_000))
    }
}
