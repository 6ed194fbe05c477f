import Campaigns
import Postgres

/// Counts the new events of a group, for statistics.
struct EventTally {
    /// A run, or the transactional pushes of a day.
    private struct Source: Hashable {
        let app: Int64
        let campaign: Int64
        /// 0 for transactional pushes.
        let messageNumber: Int64
        /// Days since 1970, in UTC.
        let sentOn: Int32

        init(_ event: AcknowledgementGroup.Event, _ message: SentMessage) {
            app = event.app
            campaign = message.campaign
            messageNumber = message.run == nil ? 0 : event.messageNumber
            sentOn = Int32(clamping: message.start.microseconds.dividedDown(by: 86_400_000_000))
        }
    }

    private struct Moment: Hashable {
        let source: Int
        let measure: Measure
        /// Minutes since 1970.
        let minute: Int64
    }

    private struct Properties: Hashable {
        let source: Int
        let measure: Measure
        let profile: Int32
    }

    private struct Detail: Hashable {
        let source: Int
        let measure: Measure
        let dimension: Dimension
        let value: String
    }

    private struct Sum {
        var count: Int64 = 0
        /// Ten of the largest values do not fit in 64 bits.
        private var millionths: Int128 = 0

        /// The sum of values, times a million, as digits.
        var digits: String { millionths.description }

        mutating func add(_ millionths: Int64?) {
            count += 1
            self.millionths += Int128(millionths ?? 0)
        }
    }

    private var sources: [Source] = []
    private var moments: [Moment: Sum] = [:]
    private var properties: [Properties: Sum] = [:]
    private var details: [Detail: Sum] = [:]
    private var refused: [Refused: Int64] = [:]

    private struct Refused: Hashable {
        let app: Int64
        let measure: Measure
    }

    /// Counts refused events only: `refusals` has those of each request.
    init(refusalsOf requests: [AcknowledgementRequest], _ refusals: [[RefusedEvent]]) {
        for (request, refused) in zip(requests, refusals) {
            add(refused: request.forged, of: request.app, .refusedMessage)
            add(refused: refused.count { $0.reason == .beforeStart }, of: request.app, .refusedBeforeStart)
            add(refused: refused.count { $0.reason == .tooLate }, of: request.app, .refusedTooLate)
        }
    }

    var isEmpty: Bool { moments.isEmpty && refused.isEmpty }

    /// Adds events that are stored. Those of test pushes are not counted.
    mutating func add(_ new: NewEvents, of group: AcknowledgementGroup) {
        var last: SentMessage?
        for position in 0..<new.count {
            let event = group.events[new.indexes[position]]
            guard let message = event.message else { continue }
            // Events come in the order of their messages.
            if message != last || event.app != sources.last?.app { addSource(Source(event, message)) }
            last = message
            let index = sources.count - 1
            let measure = Measure(event.kind)
            let millionths = event.details?.valueMillionths
            let minute = new.happenedAt[position].microseconds.dividedDown(by: 60_000_000)
            moments[Moment(source: index, measure: measure, minute: minute), default: Sum()].add(millionths)
            properties[
                Properties(source: index, measure: measure, profile: new.profiles[position]), default: Sum()
            ].add(millionths)
            if let delay = new.delaySeconds[position] {
                addDetail(index, measure, .delay, String(DelayStep.step(of: delay)), nil)
            }
            if !event.action.isEmpty { addDetail(index, measure, .action, event.action, millionths) }
        }
    }

    private mutating func addSource(_ source: Source) {
        if sources.last != source { sources.append(source) }
    }

    private mutating func add(refused count: Int, of app: App.ID, _ measure: Measure) {
        guard count > 0 else { return }
        refused[Refused(app: app.rawValue, measure: measure), default: 0] += Int64(count)
    }

    private mutating func addDetail(
        _ source: Int, _ measure: Measure, _ dimension: Dimension, _ value: String, _ millionths: Int64?
    ) {
        details[
            Detail(source: source, measure: measure, dimension: dimension, value: value), default: Sum()
        ].add(millionths)
    }

    // MARK: Statements

    /// Each adds everything once.
    var statements: [PostgresQuery] {
        var statements: [PostgresQuery] = []
        if !moments.isEmpty {
            statements += [CountSQL.addMinutes(minutes), CountSQL.addTotals(totals)]
        }
        if !isEmpty { statements.append(CountSQL.addQuarters(quarters)) }
        return statements
    }

    private var minutes: PostgresQuery {
        let rows = moments.filter { sources[$0.key.source].messageNumber > 0 }.sorted { $0.key.minute < $1.key.minute }
        return """
            SELECT app_id, message_number, measure, minute, count, millionths::numeric * 0.000001 AS amount
            FROM unnest(
                \(rows.map { sources[$0.key.source].app }), \(rows.map { sources[$0.key.source].messageNumber }),
                \(rows.map(\.key.measure.rawValue)), \(rows.map { Timestamp(microseconds: $0.key.minute * 60_000_000) }),
                \(rows.map(\.value.count)), \(rows.map(\.value.digits))
            ) AS f (app_id, message_number, measure, minute, count, millionths)
            """
    }

    private var quarters: PostgresQuery {
        let rows = Array(moments)
        let refused = Array(refused)
        return """
            SELECT app_id, measure, to_quarter(minute) AS quarter, campaign_id, count, millionths::numeric * 0.000001 AS amount
            FROM unnest(
                \(rows.map { sources[$0.key.source].app }), \(rows.map(\.key.measure.rawValue)),
                \(rows.map { Timestamp(microseconds: $0.key.minute * 60_000_000) }),
                \(rows.map { sources[$0.key.source].campaign }), \(rows.map(\.value.count)),
                \(rows.map(\.value.digits))
            ) AS f (app_id, measure, minute, campaign_id, count, millionths)
            UNION ALL
            SELECT app_id, measure, to_quarter(now()), 0, count, 0
            FROM unnest(\(refused.map(\.key.app)), \(refused.map(\.key.measure.rawValue)), \(refused.map(\.value)))
                AS f (app_id, measure, count)
            """
    }

    private var totals: PostgresQuery {
        let properties = Array(properties)
        let details = Array(details)
        let sums =
            properties.map { ($0.key.source, $0.key.measure.rawValue, $0.value) }
            + details.map { ($0.key.source, $0.key.measure.rawValue, $0.value) }
        return """
            SELECT f.app_id, d.dimension, f.measure, DATE '1970-01-01' + f.sent_on AS sent_on, f.message_number, d.value,
                f.campaign_id, f.count, f.millionths::numeric * 0.000001 AS amount
            FROM unnest(
                \(sums.map { sources[$0.0].app }), \(sums.map { sources[$0.0].campaign }),
                \(sums.map { sources[$0.0].messageNumber }), \(sums.map { sources[$0.0].sentOn }), \(sums.map(\.1)),
                \(sums.map(\.2.count)), \(sums.map(\.2.digits)),
                \(properties.map { Optional($0.key.profile) } + details.map { _ in nil }),
                \(properties.map { _ in Int16?.none } + details.map { Optional($0.key.dimension.rawValue) }),
                \(properties.map { _ in String?.none } + details.map { Optional($0.key.value) })
            ) AS f (app_id, campaign_id, message_number, sent_on, measure, count, millionths, profile, dimension, value)
            CROSS JOIN LATERAL (
                SELECT 0::smallint AS dimension, '' AS value WHERE f.dimension IS NULL
                UNION ALL
                SELECT v.dimension, v.value FROM profile_values v WHERE v.app_id = f.app_id AND v.profile = f.profile
                UNION ALL SELECT f.dimension, f.value WHERE f.dimension IS NOT NULL
            ) AS d
            """
    }
}

extension Int64 {
    /// Rounded towards negative infinity.
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
