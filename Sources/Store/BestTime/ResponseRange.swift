import Campaigns
import Experiments
import Notifications
import Postgres

/// A range of devices whose next days are counted.
struct ResponseRange: Sendable {
    let app: App.ID
    let firstID, lastID: Int64
    /// The days that are counted.
    let since, until: Timestamp
    /// Whether the devices after it have no range yet.
    let isLast: Bool
    let response: HourlyResponse
    let evidence: CautionEvidence
    private let defaultZone: String

    init(_ row: PostgresRow) throws {
        app = try row["app_id"]
        firstID = try row["first_id"]
        lastID = try row["last_id"]
        since = try row["counted_until"]
        until = try row["until"]
        isLast = try row["is_last"]
        response = try HourlyResponse(bytes: try row["response"])
        evidence = CautionEvidence(try row["evidence"])
        defaultZone = try row["default_time_zone"]
    }

    var days: Double { Double(until.microseconds - since.microseconds) / 86_400_000_000 }

    func people(on connection: PostgresConnection) async throws -> ResponsesOfPeople {
        let rows = try await connection.query(
            "SELECT people FROM response_hours WHERE app_id = \(app) AND first_id = \(firstID)")
        return try ResponsesOfPeople(bytes: try rows[0][0, as: [UInt8].self], firstID: firstID)
    }

    /// Pushes by device, the hour at which they were due, and the hour at which they were opened within a day: null if
    /// they were not. Of the devices that have opened none, now or before, together: their device is null.
    ///
    /// The clock of a zone is that of the middle of the days: in the week in which it is set, an hour may be wrong.
    func seen(of known: [Int64]) -> PostgresQuery {
        let middle = Int((since.microseconds + until.microseconds) / 2 / 1_000_000)
        func shift(_ zone: String) -> Int64 { Int64(ZoneClock(named: zone)?.offset(middle) ?? 0) }
        func hour(_ time: PostgresQuery) -> PostgresQuery {
            "(extract(epoch FROM \(time))::bigint + s.shift) / 3600 % 24"
        }
        return """
            WITH sent AS MATERIALIZED (
                SELECT u.id, m.message_number, b.due_at, coalesce(z.shift, \(shift(defaultZone))) AS shift
                FROM (
                    SELECT id FROM runs WHERE app_id = \(app) AND finished_at IS NULL AND started_at < \(until)
                    UNION ALL
                    SELECT id FROM runs WHERE app_id = \(app) AND finished_at > \(since) AND recipients_deleted_at IS NULL
                ) AS r
                JOIN batches b ON b.run_id = r.id AND b.app_id = \(app)
                    AND b.last_id >= \(firstID) AND b.first_id <= \(lastID) AND b.due_at >= \(since) AND b.due_at < \(until)
                JOIN run_variants m ON m.app_id = \(app) AND m.run_id = b.run_id AND m.variant = b.variant
                -- Uncompressed once, not for each recipient.
                CROSS JOIN LATERAL (SELECT b.outcomes || '\\x'::bytea AS outcomes OFFSET 0) AS flat
                CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS u (id, position)
                JOIN devices d ON d.app_id = \(app) AND d.id = u.id AND d.id BETWEEN \(firstID) AND \(lastID)
                LEFT JOIN unnest(\(ZoneName.all), \(ZoneName.all.map(shift))) AS z (zone, shift) ON z.zone = d.time_zone
                WHERE u.id BETWEEN \(firstID) AND \(lastID)
                    AND outcome_code(get_byte(flat.outcomes, u.position::integer - 1)) = ANY (ARRAY(
                        SELECT code FROM outcome_codes WHERE kind = 'accepted'))
            ), responses AS (
                SELECT s.id, \(hour("s.due_at")) AS due,
                    CASE WHEN e.happened_at < s.due_at + interval '1 day' THEN \(hour("greatest(e.happened_at, s.due_at)")) END
                        AS opened
                FROM sent s LEFT JOIN (
                    SELECT message_number, device_id, min(happened_at) AS happened_at FROM events
                    WHERE app_id = \(app) AND device_id BETWEEN \(firstID) AND \(lastID)
                        AND message_number = ANY (ARRAY(SELECT DISTINCT message_number FROM sent))
                        AND kind = \(EventKind.engaged.rawValue)
                    GROUP BY 1, 2
                ) AS e ON e.message_number = s.message_number AND e.device_id = s.id
            ), own AS (
                SELECT unnest(\(known)) AS id UNION SELECT id FROM responses WHERE opened IS NOT NULL
            )
            SELECT own.id, due::integer, opened::integer, count(*)
            FROM responses LEFT JOIN own ON own.id = responses.id
            GROUP BY 1, 2, 3
            """
    }

    /// Devices that were deleted.
    func gone(of known: [Int64]) -> PostgresQuery {
        """
        SELECT k.id FROM unnest(\(known)) AS k (id)
        WHERE NOT EXISTS (SELECT FROM devices d WHERE d.app_id = \(app) AND d.id = k.id)
        """
    }

    /// Adds the devices after this range to it, or once it is full, begins the next one.
    var `extension`: PostgresQuery {
        let full = firstID + ResponseHoursStore.rangeSize - 1
        let newest: PostgresQuery = "(SELECT max(id) FROM devices WHERE app_id = \(app))"
        guard lastID >= full else {
            return """
                UPDATE response_hours SET last_id = greatest(last_id, least(\(full), \(newest)))
                WHERE app_id = \(app) AND first_id = \(firstID)
                """
        }
        return """
            INSERT INTO response_hours (app_id, first_id, last_id, counted_until)
            SELECT \(app), d.first, least(d.first + \(ResponseHoursStore.rangeSize - 1), \(newest)), \(since)
            FROM (SELECT min(id) AS first FROM devices WHERE app_id = \(app) AND id > \(lastID)) AS d
            WHERE d.first IS NOT NULL
            """
    }
}

/// A range after its days were counted.
struct CountedRange {
    let people: ResponsesOfPeople
    private let range: ResponseRange
    private let response: HourlyResponse
    private let evidence: CautionEvidence

    /// `rates` are those of all devices of the app before these days.
    init(
        _ range: ResponseRange, _ before: ResponsesOfPeople, without gone: PostgresRows, seen: PostgresRows,
        rates: [SIMD32<Float>]
    ) throws {
        let factor = HalfLife.factor(ResponseHoursStore.halfLife, days: Float(range.days))
        var (response, evidence) = (range.response.scaled(by: factor), range.evidence)
        var new: [Int64: PersonalResponse] = [:]
        for row in seen {
            let (due, opened, count): (Int, Int?, Int64) = (try row[1], try row[2], try row[3])
            response.add(Float(count), due: due, opened: opened)
            guard let device: Int64 = try row[0] else { continue }
            new[device, default: PersonalResponse()].sent[due] += Float(count)
            if let opened { new[device, default: PersonalResponse()].opened[opened] += Float(count) }
        }
        var people = before
        for row in gone { people.byDevice[try row[0]] = nil }
        var gained = CautionEvidence()
        for (device, person) in people.byDevice {
            if let seen = new[device] { gained.add(seen, before: person, rates: rates) }
            people.byDevice[device] = person.scaled(by: factor)
        }
        for (device, seen) in new {
            people.byDevice[device, default: PersonalResponse()].sent += seen.sent
            people.byDevice[device, default: PersonalResponse()].opened += seen.opened
        }
        evidence = evidence.scaled(
            by: Double(HalfLife.factor(Float(ResponseHoursStore.halfLifeOfEvidence), days: Float(range.days))))
        evidence += gained
        (self.range, self.people, self.response, self.evidence) = (range, people, response, evidence)
    }

    var update: PostgresQuery {
        """
        UPDATE response_hours
        SET counted_until = \(range.until), response = \(response.bytes), evidence = \(evidence.logLikelihoods),
            people = \(people.bytes)
        WHERE app_id = \(range.app) AND first_id = \(range.firstID)
        """
    }
}
