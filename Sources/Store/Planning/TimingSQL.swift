import Campaigns
import Experiments
import Postgres

/// The timing of each device `d` as SQL: by its time zone and, in a run at each recipient's best time, by its hour.
struct TimingSQL {
    let table: PlanTimings
    private let best: BestTimeRules?
    private let draws: RecipientDraws?
    private let hours: BestHours

    init(_ table: PlanTimings, _ best: (best: BestTimeRules, draws: RecipientDraws?, hours: BestHours)? = nil) {
        self.table = table
        (self.best, draws, hours) = (best?.best, best?.draws, best?.hours ?? .none)
    }

    /// Joins the zone of `d` as `z` and its best hour as `best`.
    var join: PostgresQuery {
        let numbers = table.placeCount == 1 ? Array(table.indexes.dropFirst()) : table.zoneNumbers
        let zones: PostgresQuery =
            "LEFT JOIN unnest(\(table.zones), \(numbers)) AS z (zone, number) ON z.zone = d.time_zone"
        guard best != nil else { return zones }
        return "\(zones) LEFT JOIN unnest(\(hours.devices), \(hours.places)) AS best (id, place) ON best.id = d.id"
    }

    /// The index in the arrays of timings.
    var index: PostgresQuery {
        let zone: PostgresQuery = "coalesce(z.number, 0)"
        guard table.placeCount > 1 else { return zone }
        return "(\(table.indexes))[\(zone) * \(Int32(table.placeCount)) + \(place) + 1]"
    }

    /// Whether the hour of the device is its own and not the usual one.
    var isPersonal: PostgresQuery { best == nil ? "false" : "(best.place IS NOT NULL)" }

    /// The place of the hour in the window. Without rules, for recipients whose hour has passed, the first one that has
    /// not.
    var place: PostgresQuery {
        guard let best else { return "0" }
        let usual = Int32(best.time.usual)
        let own: PostgresQuery = "coalesce(best.place, \(usual))"
        return draws?.place(own: own, usual: usual, count: Int32(table.placeCount)) ?? own
    }
}
