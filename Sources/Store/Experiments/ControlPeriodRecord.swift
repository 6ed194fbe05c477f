public import Campaigns
public import Postgres

/// A period of an app's global control group, with the newest count of its people.
public struct ControlPeriodRecord: Hashable, Sendable {
    public let id: ControlPeriod.ID
    public let startsAt: Timestamp
    public let endsAt: Timestamp
    /// People are counted from their first push after this time.
    public let countsFrom: Timestamp
    /// In thousandths.
    public let share: Int
    /// Nil before the first count.
    public let countedAt: Timestamp?
    public let counts: EffectCounts
}

extension ControlPeriodRecord {
    static let columns: PostgresQuery = """
        id, starts_at, ends_at, \(ControlPeriodStore.countsFrom) AS counts_from, share, event_name, counted_at,
        count_next_at IS NULL AS is_final, treated, treated_converted, control, control_converted
        """

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        startsAt = try row["starts_at"]
        endsAt = try row["ends_at"]
        countsFrom = try row["counts_from"]
        share = try row["share"]
        countedAt = try row["counted_at"]
        counts = EffectCounts(
            goal: .event(try row["event_name"]), countedAt: countedAt ?? startsAt, decidesAt: endsAt,
            isFinal: try row["is_final"], isOpenEnded: false, treated: try row["treated"],
            treatedConverted: try row["treated_converted"], control: try row["control"],
            controlConverted: try row["control_converted"])
    }
}
