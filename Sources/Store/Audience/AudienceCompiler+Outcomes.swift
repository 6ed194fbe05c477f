import Campaigns
import Postgres

/// Conditions about the ledger: the recipients of a campaign, of one of its runs or of a variant, by their outcome.
extension AudienceCompiler {
    func boolean(_ outcome: AudienceOutcome) -> PostgresQuery {
        switch events {
        case .perRange(let ids, _): "(d.id IN (\(Self.devices(with: outcome, app: app, ids))))"
        case .perDevice:
            """
            (\(excluding(outcome))EXISTS (
                SELECT FROM batches b
                CROSS JOIN LATERAL (
                    SELECT \(Self.flat), width_bucket(d.id, b.recipients) AS place OFFSET 0
                ) AS f
                WHERE \(Self.batches(of: outcome, app: app)) AND b.first_id <= d.id AND b.last_id >= d.id
                    AND CASE WHEN b.recipients[f.place] = d.id
                        THEN \(Self.matches(outcome, at: "f.place - 1")) ELSE false END
            ))
            """
        }
    }

    private func excluding(_ outcome: AudienceOutcome) -> PostgresQuery {
        outcome.excluded.map { "NOT \(boolean($0)) AND " } ?? ""
    }

    /// The devices of a range with this outcome. A run's recipients are sorted, so those of the range are a part of
    /// the array that a binary search finds, and only they are unpacked.
    static func devices(with outcome: AudienceOutcome, app: App.ID, _ ids: IDRange) -> PostgresQuery {
        let recipients: PostgresQuery = """
            SELECT r.device_id FROM batches b
            CROSS JOIN LATERAL (
                SELECT \(flat), width_bucket(\(ids.after), b.recipients) AS low,
                    width_bucket(\(ids.through), b.recipients) AS high
                OFFSET 0
            ) AS f
            CROSS JOIN LATERAL unnest(b.recipients[f.low + 1:f.high]) WITH ORDINALITY AS r (device_id, number)
            WHERE \(batches(of: outcome, app: app)) AND b.last_id > \(ids.after) AND b.first_id <= \(ids.through)
                AND \(matches(outcome, at: "f.low + r.number::integer - 1"))
            """
        guard let event = outcome.excluded else { return recipients }
        // A join would compare each recipient with each event: PostgreSQL expects few of both.
        let reported = rows(of: event, app: app, "AND \(ids.contains("e.device_id"))")
        return "SELECT x.device_id FROM (\(recipients) EXCEPT SELECT e.device_id \(reported)) AS x"
    }

    /// Uncompressed once, not for each recipient.
    private static let flat: PostgresQuery = "b.outcomes || ''::bytea AS outcomes"

    private static func matches(_ outcome: AudienceOutcome, at index: PostgresQuery) -> PostgresQuery {
        """
        outcome_code(get_byte(f.outcomes, \(index))) = ANY (ARRAY(
            SELECT code FROM outcome_codes WHERE kind = \(outcome.kind.rawValue)))
        """
    }

    /// Batches `b` that have such a recipient. A counter has the name of its kind. Once the acknowledgements of a run
    /// are deleted, nobody is known to have reported nothing.
    private static func batches(of outcome: AudienceOutcome, app: App.ID) -> PostgresQuery {
        var runs: PostgresQuery = "r.app_id = \(app) AND r.campaign_id = \(outcome.campaign)"
        if let run = outcome.run { runs += " AND r.id = \(run)" }
        if outcome.without != nil { runs += " AND \(KnownRun.hasAcknowledgements)" }
        var batches: PostgresQuery = """
            b.app_id = \(app) AND b.\(unescaped: outcome.kind.rawValue) > 0 AND b.run_id IN (
                SELECT r.id FROM runs r JOIN apps a ON a.id = r.app_id
                WHERE \(runs) AND r.recipients_deleted_at IS NULL)
            """
        if let variant = outcome.variant { batches += " AND b.variant = \(Int16(clamping: variant))" }
        return batches
    }
}
