public import Campaigns
import Postgres

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
        let devices = try await devices(of: app, filter.search, at: run)
        guard !codes.isEmpty, devices?.isEmpty != true else { return DeliveryPage(deliveries: [], next: nil) }
        var scan = DeliveryScan(codes: Set(codes.keys), from: from, limit: limit)
        while !scan.isOver, scan.batches < Self.batchesPerPage {
            let rows = try await pool.query(Self.step(run, app, filter, devices, from: scan.position.batch))
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
        _ run: Run.ID, _ app: App.ID, _ filter: DeliveryFilter, _ devices: [Int64]?, from batch: Int64
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
            SELECT b.id, b.outcomes, \(filter.indices(of: run, app: app, devices)) AS indices
            FROM (
                SELECT b.id, b.variant, b.outcomes, b.recipients, b.first_id, b.last_id, b.size, b.profiles || ''::bytea AS profiles
                FROM batches b
                WHERE b.app_id = \(app) AND b.run_id = \(run) AND b.id >= \(batch) AND \(filter.batches) AND \(found)
                ORDER BY b.id LIMIT \(batchesPerStep)
            ) AS b
            ORDER BY b.id
            """
    }

    /// The devices that this user had at the start of the run, and those with this installation; nil without a search.
    private func devices(of app: App.ID, _ search: String?, at run: Run.ID) async throws -> [Int64]? {
        guard let search else { return nil }
        let rows = try await pool.query(
            """
            SELECT o.id FROM (\(PastUser.devices(of: search, app))) AS o
            WHERE user_at(\(app), o.id, \(Self.startedAt(run, app))) = \(search)
            UNION SELECT id FROM devices WHERE app_id = \(app) AND installation = \(search)
            LIMIT \(Self.maximumFoundDevices)
            """)
        return try rows.map { try $0[0] }
    }

    /// `flat` has the lists of each batch once; otherwise PostgreSQL would unpack them again for each recipient.
    private func describe(
        _ found: [DeliveryScan.Match], _ run: Run.ID, app: App.ID, _ codes: [UInt8: OutcomeReason]
    ) async throws -> [Delivery] {
        guard !found.isEmpty else { return [] }
        let rows = try await pool.query(
            """
            SELECT f.number, r.device_id, d.installation, \(PastUser.userID), flat.was_deferred, flat.due_at, flat.ended_at,
                flat.last_answer, flat.last_answered_at, flat.variant, p.locale, p.os_version, p.app_version, e.*
            FROM unnest(\(Array(Set(found.map(\.position.batch))))) AS g (batch_id)
            CROSS JOIN LATERAL (
                SELECT deferred_from IS NOT NULL AS was_deferred, due_at, ended_at, \(LastAnswer.columns(of: "batches")),
                    recipients || '{}'::bigint[] AS recipients, profiles || ''::bytea AS profiles,
                    octet_length(profiles) / size AS width,
                    -- The rest has no variant before the decision.
                    CASE WHEN state <> 'waiting' THEN variant END AS variant
                FROM batches WHERE app_id = \(app) AND id = g.batch_id OFFSET 0
            ) AS flat
            JOIN unnest(\(found.map(\.position.batch)), \(found.map { Int32($0.position.index) }))
                WITH ORDINALITY AS f (batch_id, index, number) ON f.batch_id = g.batch_id
            CROSS JOIN LATERAL (
                SELECT flat.recipients[f.index + 1] AS device_id,
                    coalesce(profile_code(flat.profiles, flat.width, f.index), 0) AS profile
            ) AS r
            LEFT JOIN devices d ON d.app_id = \(app) AND d.id = r.device_id
            \(PastUser.join(app, device: "r.device_id", at: Self.startedAt(run, app)))
            LEFT JOIN profiles p ON p.app_id = \(app) AND p.code = r.profile
            CROSS JOIN LATERAL (\(Self.responses(run, app: app))) AS e
            ORDER BY f.number
            """)
        return try rows.compactMap { row in
            let match = found[Int(try row["number", as: Int64.self]) - 1]
            // No device: the lists were deleted between the two statements.
            guard let outcome = codes[match.outcome.code], let device: Device.ID = try row["device_id"] else {
                return nil
            }
            return Delivery(
                position: match.position, device: device, installation: try row["installation"],
                userID: try row["user_id"], variant: try row["variant"], outcome: outcome,
                isResent: match.outcome.isResent,
                wasDeferred: try row["was_deferred"], dueAt: try row["due_at"], endedAt: try row["ended_at"],
                lastAnswer: outcome.kind == .pending ? try LastAnswer(row) : nil,
                profile: try DeviceProfile(profile: row), responses: try Delivery.Responses(row))
        }
    }

    private static func startedAt(_ run: Run.ID, _ app: App.ID) -> PostgresQuery {
        "(SELECT started_at FROM runs WHERE app_id = \(app) AND id = \(run))"
    }

    /// The events that the device `r.device_id` has reported about the run.
    private static func responses(_ run: Run.ID, app: App.ID) -> PostgresQuery {
        """
        SELECT min(happened_at) FILTER (WHERE kind = \(EventKind.delivered)) AS delivered_at,
            min(happened_at) FILTER (WHERE kind = \(EventKind.presented)) AS presented_at,
            min(happened_at) FILTER (WHERE kind = \(EventKind.opened)) AS opened_at,
            min(happened_at) FILTER (WHERE kind = \(EventKind.influenced)) AS influenced_at,
            min(happened_at) FILTER (WHERE kind = \(EventKind.dismissed)) AS dismissed_at,
            coalesce(array_agg(action ORDER BY happened_at, action) FILTER (WHERE kind = \(EventKind.action)), '{}')
                AS actions,
            min(happened_at) FILTER (WHERE kind = \(EventKind.text)) AS replied_at,
            min(happened_at) FILTER (WHERE kind = \(EventKind.converted)) AS converted_at,
            trim_scale(sum(value) FILTER (WHERE kind = \(EventKind.converted)))::text AS conversion_value
        FROM events
        WHERE app_id = \(app) AND message_number = (
                SELECT message_number FROM run_variants
                WHERE app_id = \(app) AND run_id = \(run) AND variant = flat.variant)
            AND device_id = r.device_id
        """
    }
}

extension Delivery.Responses {
    fileprivate init(_ row: PostgresRow) throws {
        deliveredAt = try row["delivered_at"]
        presentedAt = try row["presented_at"]
        openedAt = try row["opened_at"]
        influencedAt = try row["influenced_at"]
        dismissedAt = try row["dismissed_at"]
        actions = try row["actions"]
        repliedAt = try row["replied_at"]
        convertedAt = try row["converted_at"]
        conversionValue = try row["conversion_value"]
    }
}
