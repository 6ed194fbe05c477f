public import Campaigns
import Postgres

/// One recipient of a run.
public struct Delivery: Hashable, Sendable {
    /// Where the recipient stands in the run.
    public let position: DeliveryPosition
    public let device: Device.ID
    /// Nil once the device's row is gone.
    public let installation: String?
    public let userID: String?
    public let outcome: OutcomeReason
    /// Was unknown once and sent again.
    public let isResent: Bool
}

public struct DeliveryPage: Hashable, Sendable {
    public let deliveries: [Delivery]
    /// Where to go on; nil at the end. A page may be short, or even empty, and still not the last: a rare reason is
    /// looked for in a bounded number of batches at a time.
    public let next: DeliveryPosition?
}

extension RunStore {
    /// Batches that are looked through for a page at most, and at once.
    static let batchesPerPage = 64
    static let batchesPerStep = 4

    /// Who is behind a term, in the order of planning. Without a kind, all but `moved`: who was moved stands in the
    /// batch that he was moved to.
    public func deliveries(
        _ run: Run.ID, app: App.ID, kind: OutcomeKind?, reason: String?, from: DeliveryPosition?, limit: Int
    ) async throws -> DeliveryPage {
        let codes = try await codes().filter { _, outcome in
            (kind == nil ? outcome.kind != .moved : outcome.kind == kind) && (reason == nil || outcome.reason == reason)
        }
        guard !codes.isEmpty else { return DeliveryPage(deliveries: [], next: nil) }
        var scan = DeliveryScan(codes: Set(codes.keys), from: from, limit: limit)
        while !scan.isOver, scan.batches < Self.batchesPerPage {
            let rows = try await pool.query(
                """
                SELECT id, outcomes FROM batches
                WHERE run_id = \(run) AND id >= \(scan.position.batch) AND \(Self.holds(kind))
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

    /// A counter's name is its kind's.
    private static func holds(_ kind: OutcomeKind?) -> PostgresQuery {
        guard let kind else { return "true" }
        return "\(unescaped: kind.rawValue) > 0"
    }

    private func describe(
        _ found: [DeliveryScan.Match], app: App.ID, _ codes: [UInt8: OutcomeReason]
    ) async throws -> [Delivery] {
        guard !found.isEmpty else { return [] }
        let rows = try await pool.query(
            """
            SELECT r.device_id, d.installation, d.user_id
            FROM unnest(\(found.map(\.position.batch)), \(found.map(\.position.index)))
                WITH ORDINALITY AS f (batch_id, place, number)
            LEFT JOIN LATERAL (
                SELECT recipients[f.place + 1] AS device_id FROM batches WHERE id = f.batch_id
            ) AS r ON true
            LEFT JOIN devices d ON d.app_id = \(app) AND d.id = r.device_id
            ORDER BY f.number
            """)
        return try zip(found, rows).compactMap { match, row in
            // No device: the run was deleted between the two statements.
            guard let outcome = codes[match.outcome.code], let device: Device.ID = try row[0] else { return nil }
            return Delivery(
                position: match.position, device: device, installation: try row[1], userID: try row[2],
                outcome: outcome, isResent: match.outcome.isResent)
        }
    }
}
