import Campaigns
import Postgres

/// A query that evaluates devices: whether each is targeted, when it is due, and the reason if it is suppressed. The
/// planner makes batches of the result; forecasts count it.
///
/// Example: the audience is the tag "vip", the campaign has a topic, and the app has a frequency cap. $16 is the kind
/// of the devices, $17 the tag, $20 the key of the opt-out from all campaigns, $22 the topic; $19, $21, $23 and $24 are
/// the outcome codes of the reasons.
///
///     capped AS MATERIALIZED (
///         SELECT u.id FROM batches b
///         -- Uncompressed once, not for each recipient.
///         CROSS JOIN LATERAL (SELECT b.outcomes || '\x'::bytea AS outcomes OFFSET 0) AS flat
///         CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS u (id, position)
///         WHERE b.app_id = $1 AND b.run_id IN (
///                 SELECT id FROM runs
///                 WHERE app_id = $2 AND id IS DISTINCT FROM $3 AND finished_at IS NULL
///                 UNION ALL
///                 SELECT id FROM runs
///                 WHERE app_id = $4 AND finished_at > now() - make_interval(secs => $5) AND recipients_deleted_at IS NULL)
///             AND b.last_id > $6 AND b.first_id <= $7
///             AND b.due_at > greatest(now(), to_timestamp($8)) - make_interval(secs => $9)
///             AND b.due_at < greatest(now(), to_timestamp($10)) + make_interval(secs => $11)
///             AND u.id > $12 AND u.id <= $13
///             AND outcome_code(get_byte(flat.outcomes, u.position::integer - 1)) = ANY (ARRAY(
///                 SELECT code FROM outcome_codes WHERE kind IN ('accepted', 'unknown', 'pending')
///                     -- Otherwise the others would reach the cap sooner than the control groups.
///                     OR code = ANY ($14)))
///         GROUP BY u.id HAVING count(*) >= $15
///     ),
///     scanned AS (
///         SELECT d.id, d.environment,
///             d.retired_at IS NULL AND d.kind = $16 AND ($17 = ANY (d.tags)) AS is_targeted,
///             0 AS timing_index, 0 AS place, false AS is_personal, 0::smallint AS variant, false AS is_rest,
///             CASE
///                 WHEN d.authorization_status = $18 THEN $19
///                 WHEN ($20 = ANY (d.opt_outs)) THEN $21
///                 WHEN $22 = ANY (d.opt_outs) THEN $23
///                 WHEN c.id IS NOT NULL THEN $24
///                 WHEN true THEN 0
///             END AS code
///         FROM devices d LEFT JOIN capped c ON c.id = d.id
///         WHERE d.app_id = $25 AND d.id > $26 AND d.id <= $27
///     )
///
/// Docs/decisions/planning.md explains why it sorts once and what it does not trust.
struct PlanQuery {
    private let rules: PlanRules
    private let ids: IDRange
    private let run: Run.ID?
    private let timing: TimingSQL?
    private let audience: AudienceSQL

    /// `run` is the run whose own batches do not count towards the frequency cap. `hours` are those of the devices with
    /// ids, if the run is at the best time of each.
    init(rules: PlanRules, ids: IDRange, run: Run.ID?, hours: BestHours = .none) {
        self.rules = rules
        self.ids = ids
        self.run = run
        timing = rules.table.map { TimingSQL($0, rules.bestTime.map { (best: $0, draws: rules.draws, hours: hours) }) }
        audience = AudienceSQL(
            rules.audience, app: rules.app, ids: ids, recentSince: rules.recentEventsSince, days: rules.days)
    }

    /// CTEs, the last of which is `scanned`: id, environment, is_targeted, timing_index (into the arrays of timings), place
    /// (in the hours of a run at the best time of each), is_personal (whether that is the device's own), variant, is_rest and code (pending, or the reason why the device is suppressed).
    var parts: PostgresQuery {
        let isMatch = audience.stepRestriction?.remainder ?? audience.condition
        return """
            \(capped)scanned AS (
                SELECT d.id, d.environment,
                    d.retired_at IS NULL AND d.kind = \(DeviceKind.alert) AND \(isMatch) AS is_targeted,
                    \(timingIndex) AS timing_index, \(timing?.place ?? "0") AS place,
                    \(timing?.isPersonal ?? "false") AS is_personal,
                    \(rules.draws?.variant ?? "0::smallint") AS variant,
                    \(rules.draws?.isRest ?? "false") AS is_rest,
                    CASE
                        \(rules.consent.clauses)
                        \(timingClause)
                        \(frequencyCapClause)
                        \(rules.draws?.controlClauses ?? "")
                        WHEN true THEN 0
                    END AS code
                FROM devices d \(audience.join) \(timingJoin) \(capJoin)
                WHERE d.app_id = \(rules.app) AND \(ids.contains("d.id"))\(restrictionClause)
            )
            """
    }

    /// Whether an index finds the devices: few of a range that may be long.
    var isRestricted: Bool { audience.stepRestriction != nil }

    /// The last id of a step of `size` devices; no row when fewer are left.
    func end(size: Int) -> PostgresQuery {
        """
        SELECT d.id FROM devices d WHERE d.app_id = \(rules.app) AND \(ids.contains("d.id"))\(restrictionClause)
        ORDER BY d.id OFFSET \(size - 1) LIMIT 1
        """
    }

    /// Restricts the scan to devices found by an index, if the audience allows one.
    private var restrictionClause: PostgresQuery { audience.stepRestriction.map { " AND \($0.condition)" } ?? "" }

    // MARK: Reasons

    private var timingIndex: PostgresQuery { timing?.index ?? "0" }

    private var timingJoin: PostgresQuery { timing?.join ?? "" }

    private var timingClause: PostgresQuery {
        guard let timing else { return "" }
        let code: PostgresQuery = "(\(timing.table.codes))[\(timing.index) + 1]"
        return "WHEN \(code) <> 0 THEN \(code)"
    }

    private var capJoin: PostgresQuery { rules.cap == nil ? "" : "LEFT JOIN capped c ON c.id = d.id" }

    private var frequencyCapClause: PostgresQuery {
        rules.cap == nil ? "" : "WHEN c.id IS NOT NULL THEN \(Int16(OutcomeCode.suppressedCap))"
    }

    /// Devices that have reached the frequency cap: the app's campaigns have sent, may have sent, or are about to send
    /// them the allowed number of pushes within the cap's days of their due time.
    private var capped: PostgresQuery {
        guard let cap = rules.cap else { return "" }
        let window: PostgresQuery = "make_interval(secs => \(Double(cap.window)))"
        let (first, last, own) = dueTimes
        let people: PostgresQuery =
            own == nil
            ? ""
            : """
            JOIN devices d ON d.app_id = \(rules.app) AND d.id = u.id AND \(ids.contains("d.id")) \(timingJoin)
            """
        let near: PostgresQuery =
            own.map { "AND b.due_at > \($0) - \(window) AND b.due_at < \($0) + \(window)" } ?? ""
        return """
            capped AS MATERIALIZED (
                SELECT u.id FROM batches b
                -- Uncompressed once, not for each recipient.
                CROSS JOIN LATERAL (SELECT b.outcomes || '\\x'::bytea AS outcomes OFFSET 0) AS flat
                CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS u (id, position) \(people)
                WHERE b.app_id = \(rules.app) AND b.run_id IN (
                        SELECT id FROM runs
                        WHERE app_id = \(rules.app) AND id IS DISTINCT FROM \(run) AND finished_at IS NULL
                        UNION ALL
                        SELECT id FROM runs
                        WHERE app_id = \(rules.app) AND finished_at > now() - \(window)
                            AND recipients_deleted_at IS NULL)
                    AND b.last_id > \(ids.after) AND b.first_id <= \(ids.through)
                    AND b.due_at > \(first) - \(window) AND b.due_at < \(last) + \(window) \(near)
                    AND u.id > \(ids.after) AND u.id <= \(ids.through)
                    AND outcome_code(get_byte(flat.outcomes, u.position::integer - 1)) = ANY (ARRAY(
                        SELECT code FROM outcome_codes WHERE kind IN ('accepted', 'unknown', 'pending')
                            -- Otherwise the others would reach the cap sooner than the control groups.
                            OR code = ANY (\(OutcomeCode.heldBack.map { Int16($0) }))))
                GROUP BY u.id HAVING count(*) >= \(cap.count)
            ),\n
            """
    }

    /// The first and the last due time, and the expression for each device when they differ.
    private var dueTimes: (first: PostgresQuery, last: PostgresQuery, own: PostgresQuery?) {
        guard let timing, let first = timing.table.dues.min(), let last = timing.table.dues.max() else {
            let moment: PostgresQuery = "greatest(now(), to_timestamp(\(Double(rules.dueAt))))"
            return (moment, moment, nil)
        }
        return (
            "to_timestamp(\(first))", "to_timestamp(\(last))",
            first == last ? nil : "to_timestamp((\(timing.table.dues))[\(timing.index) + 1])"
        )
    }
}
