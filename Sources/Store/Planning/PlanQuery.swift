import Campaigns
import Postgres

/// A pass over devices that judges each: is he meant, when is he due, and if he does not get it, why. For the planner, who
/// makes batches of it, and for forecasts, which only count.
struct PlanQuery {
    private let rules: PlanRules
    private let ids: IDRange
    private let run: Run.ID?
    private let audience: AudienceSQL

    /// `run` is the one whose own batches do not count for the cap.
    init(rules: PlanRules, ids: IDRange, run: Run.ID?) {
        self.rules = rules
        self.ids = ids
        self.run = run
        audience = AudienceSQL(rules.audience, app: rules.app, ids: ids)
    }

    /// CTEs, the last of which is `looked`: id, environment, is_targeted, place (in the arrays of timings), code (pending or
    /// why not).
    var parts: PostgresQuery {
        let isMeant = audience.restriction?.remainder ?? audience.condition
        return """
            \(capped)looked AS (
                SELECT d.id, d.environment,
                    d.retired_at IS NULL AND d.kind = \(DeviceKind.alert) AND \(isMeant) AS is_targeted,
                    \(place) AS place,
                    CASE
                        \(rules.consent.clauses)
                        \(untimely)
                        \(tooOften)
                        WHEN true THEN 0
                    END AS code
                FROM devices d \(audience.join) \(timingJoin) \(capJoin)
                WHERE d.app_id = \(rules.app) AND \(ids.holds("d.id"))\(narrowed)
            )
            """
    }

    /// The last id that a step of so many devices looks at; no row when fewer are left.
    func end(size: Int) -> PostgresQuery {
        """
        SELECT d.id FROM devices d WHERE d.app_id = \(rules.app) AND \(ids.holds("d.id"))\(narrowed)
        ORDER BY d.id OFFSET \(size - 1) LIMIT 1
        """
    }

    /// Where an index serves the audience, only whom it finds is looked at.
    private var narrowed: PostgresQuery { audience.restriction.map { " AND \($0.condition)" } ?? "" }

    // MARK: Reasons

    private var place: PostgresQuery { rules.table == nil ? "0" : "coalesce(z.place, 0)" }

    private var timingJoin: PostgresQuery {
        guard let table = rules.table else { return "" }
        return "LEFT JOIN unnest(\(table.zones), \(table.places)) AS z (zone, place) ON z.zone = d.time_zone"
    }

    private var untimely: PostgresQuery {
        guard let table = rules.table else { return "" }
        return "WHEN (\(table.codes))[coalesce(z.place, 0) + 1] <> 0 THEN (\(table.codes))[coalesce(z.place, 0) + 1]"
    }

    private var capJoin: PostgresQuery { rules.cap == nil ? "" : "LEFT JOIN capped c ON c.id = d.id" }

    private var tooOften: PostgresQuery {
        rules.cap == nil ? "" : "WHEN c.id IS NOT NULL THEN \(Int16(OutcomeCode.suppressedCap))"
    }

    /// Who has had, may have had, or is about to get as many as the app allows within so many days of when he is due, by
    /// the batches of its campaigns.
    private var capped: PostgresQuery {
        guard let cap = rules.cap else { return "" }
        let window: PostgresQuery = "make_interval(secs => \(Double(cap.window)))"
        let (first, last, own) = dues
        let people: PostgresQuery =
            own == nil
            ? ""
            : """
            JOIN devices d ON d.app_id = \(rules.app) AND d.id = u.id AND \(ids.holds("d.id")) \(timingJoin)
            """
        let near: PostgresQuery =
            own.map { "AND b.due_at > \($0) - \(window) AND b.due_at < \($0) + \(window)" } ?? ""
        return """
            capped AS MATERIALIZED (
                SELECT u.id FROM batches b
                CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS u (id, place) \(people)
                WHERE b.run_id IN (
                        SELECT id FROM runs
                        WHERE app_id = \(rules.app) AND id IS DISTINCT FROM \(run)
                            AND coalesce(finished_at, now()) > now() - \(window))
                    AND b.last_id > \(ids.after) AND b.first_id <= \(ids.through)
                    AND b.due_at > \(first) - \(window) AND b.due_at < \(last) + \(window) \(near)
                    AND u.id > \(ids.after) AND u.id <= \(ids.through)
                    AND get_byte(b.outcomes, u.place::integer - 1) % 128 IN (
                        SELECT code FROM outcome_codes WHERE kind IN ('accepted', 'unknown', 'pending'))
                GROUP BY u.id HAVING count(*) >= \(cap.count)
            ),
            """
    }

    /// When the first and the last are due, and each where they differ.
    private var dues: (first: PostgresQuery, last: PostgresQuery, own: PostgresQuery?) {
        guard let table = rules.table, let first = table.dues.min(), let last = table.dues.max() else {
            let moment: PostgresQuery = "greatest(now(), to_timestamp(\(Double(rules.dueAt))))"
            return (moment, moment, nil)
        }
        return (
            "to_timestamp(\(first))", "to_timestamp(\(last))",
            first == last ? nil : "to_timestamp((\(table.dues))[coalesce(z.place, 0) + 1])"
        )
    }
}
