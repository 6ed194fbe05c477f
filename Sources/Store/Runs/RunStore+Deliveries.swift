public import Campaigns
public import Postgres

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
    /// When the device says that the push was opened first; nil if it has not said so.
    public let openedAt: Timestamp?
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
    /// Devices that a search finds at most: a user has fewer.
    static let maximumFoundDevices = 1_000

    /// The recipients who match the filter, each once, in the order of planning. Deferred ones are listed where their
    /// last outcome is.
    public func deliveries(
        _ run: Run.ID, app: App.ID, _ filter: DeliveryFilter, from: DeliveryPosition?, limit: Int
    ) async throws -> DeliveryPage {
        let codes = try await codes().filter { _, outcome in filter.matches(outcome) }
        let devices = try await devices(of: app, filter.search)
        guard !codes.isEmpty, devices?.isEmpty != true else { return DeliveryPage(deliveries: [], next: nil) }
        var scan = DeliveryScan(codes: Set(codes.keys), from: from, limit: limit)
        while !scan.isOver, scan.batches < Self.batchesPerPage {
            let rows = try await pool.query(Self.step(run, filter, devices, from: scan.position.batch))
            for row in 0..<rows.count where !scan.isOver {
                let batch: Int64 = try rows[row][0]
                let indices: [Int64]? = try rows[row][2]
                rows.withBytes(row: row, column: 1) { outcomes in
                    scan.read(
                        batch, outcomes ?? UnsafeRawBufferPointer(start: nil, count: 0),
                        only: filter.looksAtDevices ? indices?.map { Int($0) } ?? [] : nil)
                }
            }
            if rows.count < Self.batchesPerStep { scan.reachEnd() }
        }
        return DeliveryPage(
            deliveries: try await describe(scan.found, run, app: app, codes), next: scan.next)
    }

    /// The next batches, with the indices of the recipients whose devices match. A search reads only batches that have
    /// one of its devices.
    private static func step(
        _ run: Run.ID, _ filter: DeliveryFilter, _ devices: [Int64]?, from batch: Int64
    ) -> PostgresQuery {
        let found: PostgresQuery =
            devices.map { devices -> PostgresQuery in
                """
                EXISTS (
                    SELECT FROM unnest(\(devices)) AS d (id)
                    WHERE d.id BETWEEN b.first_id AND b.last_id AND d.id = ANY (b.recipients))
                """
            } ?? "true"
        return """
            SELECT b.id, b.outcomes, \(filter.indices(of: run, devices)) AS indices
            FROM (
                SELECT b.id, b.outcomes, b.recipients, b.first_id, b.last_id FROM batches b
                WHERE b.run_id = \(run) AND b.id >= \(batch) AND \(filter.batches) AND \(found)
                ORDER BY b.id LIMIT \(batchesPerStep)
            ) AS b
            ORDER BY b.id
            """
    }

    /// The devices with this user id or installation; nil without a search.
    private func devices(of app: App.ID, _ search: String?) async throws -> [Int64]? {
        guard let search else { return nil }
        let rows = try await pool.query(
            """
            SELECT id FROM devices WHERE app_id = \(app) AND user_id = \(search)
            UNION SELECT id FROM devices WHERE app_id = \(app) AND installation = \(search)
            LIMIT \(Self.maximumFoundDevices)
            """)
        return try rows.map { try $0[0] }
    }

    private func describe(
        _ found: [DeliveryScan.Match], _ run: Run.ID, app: App.ID, _ codes: [UInt8: OutcomeReason]
    ) async throws -> [Delivery] {
        guard !found.isEmpty else { return [] }
        let rows = try await pool.query(
            """
            SELECT r.device_id, d.installation, d.user_id, r.was_deferred, (
                SELECT min(e.happened_at)
                FROM runs u JOIN events e ON e.app_id = u.app_id AND e.message_number = u.message_number
                WHERE u.id = \(run) AND e.device_id = r.device_id AND e.kind = \(EventKind.opened))
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
                outcome: outcome, isResent: match.outcome.isResent, wasDeferred: try row[3], openedAt: try row[4])
        }
    }
}
