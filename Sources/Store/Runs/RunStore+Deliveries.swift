public import Campaigns
import Postgres

/// One recipient of a run.
public struct Delivery: Hashable, Sendable {
    /// The recipient's position in the run.
    public let position: DeliveryPosition
    public let device: Device.ID
    /// Nil once the device's row is gone.
    public let installation: String?
    public let userID: String?
    public let outcome: OutcomeReason
    /// The outcome was unknown once, and the push was sent again.
    public let isResent: Bool
    /// The recipient was moved to a later batch before this outcome.
    public let wasDeferred: Bool
}

public struct DeliveryPage: Hashable, Sendable {
    public let deliveries: [Delivery]
    /// The start of the next page; nil at the end. A page can be short or empty without being the last, since a page
    /// searches a bounded number of batches.
    public let next: DeliveryPosition?
}

extension RunStore {
    /// Batches searched for one page at most, and read by one statement.
    static let batchesPerPage = 64
    static let batchesPerStep = 4

    /// The recipients of a ledger term, each once, in the order of planning. Deferred ones are listed where their last
    /// outcome is. Without a kind, all; `deferred` selects those who were deferred, or were not.
    public func deliveries(
        _ run: Run.ID, app: App.ID, kind: OutcomeKind?, reason: String?, deferred: Bool? = nil, from: DeliveryPosition?,
        limit: Int
    ) async throws -> DeliveryPage {
        let codes = try await codes().filter { _, outcome in
            outcome.kind != .deferred && (kind == nil || outcome.kind == kind)
                && (reason == nil || outcome.reason == reason)
        }
        guard !codes.isEmpty else { return DeliveryPage(deliveries: [], next: nil) }
        var scan = DeliveryScan(codes: Set(codes.keys), from: from, limit: limit)
        while !scan.isOver, scan.batches < Self.batchesPerPage {
            let rows = try await pool.query(
                """
                SELECT id, outcomes FROM batches
                WHERE run_id = \(run) AND id >= \(scan.position.batch) AND \(Self.contains(kind))
                    AND (\(deferred)::boolean IS NULL OR (deferred_from IS NOT NULL) = \(deferred))
                ORDER BY id LIMIT \(Self.batchesPerStep)
                """)
            for row in 0..<rows.count where !scan.isOver {
                let batch: Int64 = try rows[row][0]
                rows.withBytes(row: row, column: 1) { outcomes in
                    scan.read(batch, outcomes ?? UnsafeRawBufferPointer(start: nil, count: 0))
                }
            }
            if rows.count < Self.batchesPerStep { scan.reachEnd() }
        }
        return DeliveryPage(
            deliveries: try await describe(scan.found, app: app, codes), next: scan.next)
    }

    /// The condition that a batch has recipients of this kind. Its counter column has the kind's name.
    private static func contains(_ kind: OutcomeKind?) -> PostgresQuery {
        guard let kind else { return "true" }
        return "\(unescaped: kind.rawValue) > 0"
    }

    private func describe(
        _ found: [DeliveryScan.Match], app: App.ID, _ codes: [UInt8: OutcomeReason]
    ) async throws -> [Delivery] {
        guard !found.isEmpty else { return [] }
        let rows = try await pool.query(
            """
            SELECT r.device_id, d.installation, d.user_id, r.was_deferred
            FROM unnest(\(found.map(\.position.batch)), \(found.map(\.position.index)))
                WITH ORDINALITY AS f (batch_id, index, number)
            LEFT JOIN LATERAL (
                SELECT recipients[f.index + 1] AS device_id, deferred_from IS NOT NULL AS was_deferred
                FROM batches WHERE id = f.batch_id
            ) AS r ON true
            LEFT JOIN devices d ON d.app_id = \(app) AND d.id = r.device_id
            ORDER BY f.number
            """)
        return try zip(found, rows).compactMap { match, row in
            // No device: the run was deleted between the two statements.
            guard let outcome = codes[match.outcome.code], let device: Device.ID = try row[0] else { return nil }
            return Delivery(
                position: match.position, device: device, installation: try row[1], userID: try row[2],
                outcome: outcome, isResent: match.outcome.isResent, wasDeferred: try row[3])
        }
    }
}
