import Experiments
import Postgres

/// Who belongs to an app's global control group in a period.
public struct GlobalHoldout: Sendable {
    let salt: Int64
    let period: HoldoutPeriod

    init(salt: Int64, period: HoldoutPeriod) {
        self.salt = salt
        self.period = period
    }

    /// Whether the person who has a device `d` belongs to it, as `HoldoutPeriod.contains` has it.
    var contains: PostgresQuery {
        let base = Int64(VariantMap.bucketCount)
        let digit: PostgresQuery = "\(RecipientDraws.point(salt: salt)) % \(base)"
        return "(\(digit) + \(base - Int64(period.from))) % \(base) < \(Int64(period.share))"
    }
}
