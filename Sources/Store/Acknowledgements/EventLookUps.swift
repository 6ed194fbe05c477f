import Campaigns
import Postgres

/// The lookups that precede the write of a group of events, in one round trip: the profiles of the devices, the times
/// at which pushes were sent, and the events that exist already.
struct EventLookUps {
    private let group: AcknowledgementGroup
    private let isCareful: Bool
    /// The device of each push.
    private var devices: [(app: Int64, device: Int64)] = []
    /// The index of each event's device.
    private var deviceOfEvent: [Int] = []
    /// Events that may exist already.
    private var checked: [Int] = []
    /// Openings of pushes of runs.
    private var opened: [Int] = []

    /// Unless `isCareful`, events are assumed to be new, except deliveries and engagements that other events imply.
    /// Writing events that do exist fails, and needs another attempt: repeated events are rare. Careful groups of an
    /// app wait for each other, so that groups with the same events do not fail in turns.
    init(_ group: AcknowledgementGroup, isCareful: Bool) {
        self.group = group
        self.isCareful = isCareful
        deviceOfEvent.reserveCapacity(group.events.count)
        for (index, event) in group.events.enumerated() {
            // Events of a push to a device follow each other.
            if devices.last.map({ $0.device != event.device || $0.app != event.app }) ?? true {
                devices.append((event.app, event.device))
            }
            deviceOfEvent.append(devices.count - 1)
            if isCareful || event.isImplied { checked.append(index) }
            if event.kind == .opened, event.message?.run != nil { opened.append(index) }
        }
    }

    // MARK: Statements

    var statements: [PostgresQuery] {
        (isCareful ? [lock] : []) + [profiles] + (checked.isEmpty ? [] : [existing]) + (opened.isEmpty ? [] : [sent])
    }

    private var lock: PostgresQuery {
        RowLock.OfApp.repeatedEvents.wait(for: devices.map(\.app))
    }

    private var profiles: PostgresQuery {
        """
        SELECT now(), a.profile, a.profile_since, a.last_seen_at < date_trunc('day', now(), 'UTC')
        FROM unnest(\(devices.map(\.app)), \(devices.map(\.device))) WITH ORDINALITY AS g (app_id, device_id, position)
        LEFT JOIN LATERAL (
            SELECT profile, profile_since, last_seen_at FROM device_activity
            WHERE app_id = g.app_id AND device_id = g.device_id OFFSET 0
        ) AS a ON true
        ORDER BY g.position
        """
    }

    /// The positions of the checked events that exist. With the first and the last number, PostgreSQL plans only for
    /// the partitions that have them. A plan for a year of partitions takes 3 ms, for each group.
    private var existing: PostgresQuery {
        let events = checked.map { group.events[$0] }
        let numbers = events.map(\.messageNumber)
        return """
            SELECT g.position - 1
            FROM unnest(
                \(events.map(\.app)), \(numbers), \(events.map(\.device)), \(events.map(\.kind.rawValue)),
                \(events.map(\.action))
            ) WITH ORDINALITY AS g (app_id, message_number, device_id, kind, action, position)
            WHERE (
                SELECT true FROM events
                WHERE app_id = g.app_id AND message_number = g.message_number AND device_id = g.device_id
                    AND kind = g.kind AND action = g.action
                    AND message_number BETWEEN \(numbers.min() ?? 0) AND \(numbers.max() ?? 0))
            """
    }

    /// The time at which each push was sent: the end of its batch, or the batch's due time while it is being sent.
    ///
    /// If all recipients were due at the same time, the variant's first batch whose range has the device is used, without a
    /// search of its recipients. Ranges overlap only with batches of the other environment then, and with those of
    /// deferred recipients, who are few: they are skipped, since they were sent later.
    private var sent: PostgresQuery {
        let events = opened.map { group.events[$0] }
        return """
            SELECT (
                SELECT coalesce(b.ended_at, b.due_at) FROM batches b
                WHERE b.app_id = g.app_id AND b.run_id = g.run_id AND b.variant = g.variant
                    AND b.last_id >= g.device_id AND b.first_id <= g.device_id
                    AND CASE WHEN g.has_several_due_times THEN g.device_id = ANY (b.recipients)
                        ELSE b.deferred_from IS NULL END
                ORDER BY b.last_id, b.id DESC LIMIT 1)
            FROM unnest(
                \(events.map(\.app)), \(events.map { $0.message?.run }), \(events.map { $0.message?.variant ?? 0 }),
                \(events.map(\.device)), \(events.map { $0.message?.hasSeveralDueTimes ?? false })
            ) WITH ORDINALITY AS g (app_id, run_id, variant, device_id, has_several_due_times, position)
            ORDER BY g.position
            """
    }

    // MARK: Answers

    /// The events to insert, and the devices that were not seen today. One more query is needed for devices
    /// that changed after they were sent the push.
    func read(
        _ answers: [PostgresRows], on connection: PostgresConnection
    ) async throws -> (events: NewEvents, unseen: [(app: Int64, device: Int64)]) {
        var events = NewEvents(capacity: group.events.count, hasDetails: group.hasDetails)
        var answers = answers.dropFirst(isCareful ? 1 : 0)
        guard let found = answers.popFirst(), !found.isEmpty else { return (events, []) }
        let now: Timestamp = try found[0][0]
        var profiles: [(code: Int32, since: Timestamp)] = []
        profiles.reserveCapacity(found.count)
        var unseen: [(app: Int64, device: Int64)] = []
        for (row, device) in zip(found, devices) {
            let code: Int32? = try row[1]
            profiles.append((code ?? 0, code == nil ? .distantPast : try row[2]))
            if try row[3, as: Bool?.self] == true { unseen.append(device) }
        }
        var exist = [Bool](repeating: false, count: group.events.count)
        if !checked.isEmpty, let rows = answers.popFirst() {
            for row in rows { exist[checked[Int(try row[0, as: Int64.self])]] = true }
        }
        var sentAt: [Int: Timestamp] = [:]
        if !opened.isEmpty, let rows = answers.popFirst() {
            for (row, index) in zip(rows, opened) { sentAt[index] = try row[0] }
        }
        var changed: [(position: Int, event: AcknowledgementGroup.Event)] = []
        for (index, event) in group.events.enumerated() where !exist[index] {
            let profile = profiles[deviceOfEvent[index]]
            let happenedAt = event.moment.happenedAt ?? now
            var delay: Int32?
            if let message = event.message {
                if profile.since > message.start { changed.append((events.count, event)) }
                if event.kind == .opened {
                    delay = DelayStep.seconds(from: sentAt[index] ?? message.start, to: happenedAt)
                }
            }
            events.append(event, index: index, profile: profile.code, happenedAt: happenedAt, delaySeconds: delay)
        }
        try await readPast(of: changed, &events, on: connection)
        return (events, unseen)
    }

    /// Gives these events the profiles that their devices had when the push was sent.
    private func readPast(
        of changed: [(position: Int, event: AcknowledgementGroup.Event)], _ events: inout NewEvents,
        on connection: PostgresConnection
    ) async throws {
        guard !changed.isEmpty else { return }
        let rows = try await connection.query(
            """
            SELECT profile_at(app_id, device_id, moment)
            FROM unnest(
                \(changed.map(\.event.app)), \(changed.map(\.event.device)),
                \(changed.compactMap(\.event.message?.start))
            ) WITH ORDINALITY AS g (app_id, device_id, moment, position)
            ORDER BY position
            """, deadline: AcknowledgementStore.statementDeadline)
        for (row, change) in zip(rows, changed) { events.profiles[change.position] = try row[0] }
    }
}
