public import Campaigns
public import JSON
public import Postgres

/// One run of a campaign, with its ledger so far.
public struct RunRecord: Equatable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        case sending, paused, cancelled, finished
    }

    public let id: Run.ID
    public let app: App.ID
    public var key: Run.Key { Run.Key(app: app, id: id) }
    public let campaign: Campaign.ID
    public let version: Int
    public let state: State
    /// Why it is paused, as text for a person.
    public let reason: Message?
    public let startedAt: Timestamp
    /// When planning ended: no recipient is added after it.
    public let plannedAt: Timestamp?
    public let finishedAt: Timestamp?
    /// When the recount of the outcome bytes agreed with the counters (the green tick).
    public let verifiedAt: Timestamp?
    public let expiresAt: Timestamp
    /// The estimated number of recipients when it began.
    public let estimated: Int
    /// The number of planned recipients, counted independently of their outcomes.
    public let targeted: Int
    public let ledger: Ledger
    /// Nil until planning begins.
    public let destination: Run.Destination?
    /// The occurrence that it is for; nil: the time when it began.
    public let occurrence: Occurrence?
    /// Whether its variants are groups that get the same content at other times.
    public let testsTimes: Bool
    /// The run's own limit; the app's limit applies as well.
    public let pushesPerSecond: Int?
    /// Values that the API call which triggered it gave for its content.
    public let values: JSON?
    /// True if `targeted` equals the sum of the terms and, for a verified run that was read alone, what its batches say
    /// now.
    public let isBalanced: Bool

    /// When the next recipient is due; nil unless the run only waits for that.
    public let nextAt: Timestamp?

    /// Whether all that is left waits for the decision of an A/B test.
    public let awaitsDecision: Bool

    /// The state for people: a run whose next recipients are due later waits.
    public var stateName: String { nextAt == nil && !awaitsDecision ? state.rawValue : Self.waiting }

    public static let waiting = "waiting"

    /// Apple's last answer for which recipients wait; nil: none waits because of one.
    public let lastAnswer: LastAnswer?

    /// When the lists of its recipients were deleted, as the app's retention says; nil: they are there.
    public let recipientsDeletedAt: Timestamp?
    /// Devices that showed the push; each event proves that.
    public let delivered: Int
    public let opened: Int
    /// Devices that opened, acted or replied.
    public let engaged: Int

    /// The share of the recipients who have an outcome, from 0 to 1. Cancelled ones were not sent to.
    public var progress: Double {
        let isPlanned = plannedAt != nil || finishedAt != nil && state != .cancelled
        let all = isPlanned ? targeted : max(estimated, targeted)
        guard all > 0 else { return isOver ? 1 : 0 }
        let done = targeted - ledger[.pending] - ledger[.cancelled]
        return (Double(done) / Double(all) * 10_000).rounded(.down) / 10_000
    }

    /// Pushes that were sent so far.
    public var sent: Int { ledger[.accepted] + ledger[.rejected] + ledger[.unknown] }

    /// True if no outcome can change any more.
    public var isOver: Bool { finishedAt != nil || state == .cancelled && ledger.isFinal }
}

extension RunRecord {
    /// The terms of a finished run: no recipient is pending.
    private static let recounted: [OutcomeKind] = [
        .accepted, .rejected, .suppressed, .expired, .cancelled, .unknown, .deferred,
    ]

    /// A run joined with the sums of its batches and the counts of its events, in one snapshot. The totals of a
    /// verified run are its own. They are compared with its batches only if `comparing`: lists don't read the batches
    /// of a long history.
    static func select(comparing: Bool = false) -> PostgresQuery {
        """
        SELECT r.id, r.app_id, r.campaign_id, r.version, r.state, r.reason, r.reason_localization, r.started_at, r.planned_at, r.finished_at,
            r.verified_at, r.expires_at, r.estimated, b.*,
            r.targeted AS recounted_targeted, r.accepted AS recounted_accepted, r.rejected AS recounted_rejected,
            r.suppressed AS recounted_suppressed, r.expired AS recounted_expired,
            r.cancelled AS recounted_cancelled, r.unknown AS recounted_unknown, r.deferred AS recounted_deferred,
            r.resent AS recounted_resent, r.destination, r.occurrence::text, r.tests_times,
            r.pushes_per_second, r.values, r.recipients_deleted_at, \(comparing) AS is_compared, e.*,
            CASE WHEN r.state = 'sending' AND r.planned_at IS NOT NULL AND NOT b.is_being_sent AND b.next_due_at > now()
                THEN b.next_due_at END AS next_at,
            r.state = 'sending' AND r.planned_at IS NOT NULL AND b.has_undecided AND NOT b.is_being_sent AND b.next_due_at IS NULL
                AS awaits_decision, w.last_answer, w.last_answered_at
        FROM runs r
        CROSS JOIN LATERAL (
            SELECT
                coalesce(sum(size) FILTER (WHERE deferred_from IS NULL), 0)::bigint AS planned,
                coalesce(sum(pending), 0)::bigint AS pending,
                coalesce(sum(accepted), 0)::bigint AS accepted,
                coalesce(sum(rejected), 0)::bigint AS rejected,
                coalesce(sum(suppressed), 0)::bigint AS suppressed,
                coalesce(sum(expired), 0)::bigint AS expired,
                coalesce(sum(cancelled), 0)::bigint AS cancelled,
                coalesce(sum(unknown), 0)::bigint AS unknown,
                coalesce(sum(deferred), 0)::bigint AS deferred,
                coalesce(sum(resent), 0)::bigint AS resent,
                coalesce(bool_or(state = 'leased'), false) AS is_being_sent,
                coalesce(bool_or(state = 'waiting'), false) AS has_undecided,
                min(due_at) FILTER (WHERE state = 'ready') AS next_due_at
            FROM batches
            WHERE app_id = r.app_id AND run_id = r.id AND (r.verified_at IS NULL OR \(comparing))
        ) AS b
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(count) FILTER (WHERE measure = \(Measure.delivered.rawValue)), 0)::bigint AS delivered,
                coalesce(sum(count) FILTER (WHERE measure = \(Measure.opened.rawValue)), 0)::bigint AS opened,
                coalesce(sum(count) FILTER (WHERE measure = \(Measure.engaged.rawValue)), 0)::bigint AS engaged
            FROM message_totals
            WHERE app_id = r.app_id AND dimension = \(Dimension.total.rawValue)
                AND measure = ANY (\([Measure.delivered, .opened, .engaged].map(\.rawValue)))
                AND sent_on = (r.started_at AT TIME ZONE 'UTC')::date AND message_number = ANY (ARRAY(
                    SELECT m.message_number FROM run_variants m WHERE m.app_id = r.app_id AND m.run_id = r.id))
        ) AS e
        LEFT JOIN LATERAL (
            SELECT last_answer, last_answered_at FROM batches
            WHERE app_id = r.app_id AND run_id = r.id AND state <> 'done' AND last_answer IS NOT NULL
            ORDER BY last_answered_at DESC LIMIT 1
        ) AS w ON r.state IN ('sending', 'paused')
        """
    }

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        campaign = try row["campaign_id"]
        version = try row["version"]
        state = try row["state"]
        reason = try row.reason()
        startedAt = try row["started_at"]
        plannedAt = try row["planned_at"]
        finishedAt = try row["finished_at"]
        verifiedAt = try row["verified_at"]
        expiresAt = try row["expires_at"]
        estimated = try row["estimated"]
        var sums = Ledger()
        for kind in OutcomeKind.allCases { sums[kind] = try row[kind.rawValue] }
        sums.resent = try row["resent"]
        let planned: Int = try row["planned"]
        if verifiedAt == nil {
            targeted = planned
            ledger = sums
            isBalanced = targeted == ledger.targeted
        } else {
            // They were recounted, and remain when batches are deleted.
            targeted = try row["recounted_targeted"]
            var recounted = Ledger()
            for kind in Self.recounted { recounted[kind] = try row["recounted_\(kind.rawValue)"] }
            recounted.resent = try row["recounted_resent"]
            ledger = recounted
            let agrees = try !row["is_compared", as: Bool.self] || targeted == planned && recounted == sums
            isBalanced = targeted == recounted.targeted && agrees
        }
        destination = try row["destination"]
        occurrence = try RuleColumns.occurrence(row["occurrence"])
        testsTimes = try row["tests_times"]
        pushesPerSecond = try row["pushes_per_second"]
        values = try row["values", as: JSONText?.self].map { try JSON(parsing: $0.bytes) }
        nextAt = try row["next_at"]
        awaitsDecision = try row["awaits_decision"]
        lastAnswer = try LastAnswer(row)
        recipientsDeletedAt = try row["recipients_deleted_at"]
        delivered = try row["delivered"]
        opened = try row["opened"]
        engaged = try row["engaged"]
    }
}

extension RunRecord.State: PostgresEncodable, PostgresDecodable {}
