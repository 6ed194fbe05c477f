import Campaigns
import Notifications
import Postgres

/// Compiles conditions to SQL that is true or false and never NULL.
///
/// Example: the tag "vip" and German, but not those who opened campaign 7. Values are parameters.
///
///     (NOT (d.id IN (SELECT DISTINCT e.device_id
///             FROM (SELECT m.message_number FROM runs r
///              JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
///              WHERE r.app_id = $1 AND r.campaign_id = $2) AS r
///             CROSS JOIN LATERAL (
///                 SELECT e.device_id FROM events e
///                 WHERE e.app_id = $3 AND e.message_number = r.message_number AND e.kind = $4
///                     AND e.device_id > $5 AND e.device_id <= $6
///                 OFFSET 0
///             ) AS e))
///         AND (($7 = ANY (d.tags)) AND (split_part(d.locale, '-', 1) = $8) IS TRUE))
struct AudienceCompiler {
    /// The way in which events are looked up.
    enum Events {
        /// One lookup for a range of devices: cheap for many devices. Recent events have at least this message number,
        /// if it is known. PostgreSQL then plans for the partitions from there on, not for all.
        case perRange(IDRange, recentSince: Int64? = nil)
        /// One lookup per device: cheap for few devices.
        case perDevice
    }

    let app: App.ID
    let events: Events
    let today: DaySQL

    /// Without `days`, today is the date in the app's default time zone. `DaySQL.join` of the same days must be joined.
    init(app: App.ID, events: Events, days: AudienceDays? = nil) {
        self.app = app
        self.events = events
        today = DaySQL(days, app: app)
    }

    /// Longer lists are passed as a table: PostgreSQL hashes a list only in plans for specific values, and otherwise
    /// compares with one value after the other.
    private static let longestArray = 8

    func boolean(_ condition: AudienceCondition) -> PostgresQuery {
        switch condition {
        case .all(let conditions): group(conditions, " AND ")
        case .any(let conditions): group(conditions, " OR ")
        case .not(let condition): "NOT \(boolean(condition))"
        case .field(let field, let test): boolean(field, test)
        case .attribute(let path, let test): AttributeSQL(path, today: today).boolean(test)
        case .tag(let tag): "(\(tag) = ANY (d.tags))"
        case .optedOut(.all): Consent.hasOptedOutOfAll
        case .optedOut(.topic(let topic)): "(\(topic.text) = ANY (d.opt_outs) OR \(Consent.hasOptedOutOfAll))"
        case .userIDs(let ids): Self.text("d.user_id", .in(ids))
        case .event(let event): boolean(event)
        case .outcome(let outcome): boolean(outcome)
        case .customEvent(let event): boolean(event)
        // A resolved audience contains no segments.
        case .segment: "false"
        }
    }

    /// Cheap conditions come first, so that expensive ones are evaluated for fewer devices.
    private func group(_ conditions: [AudienceCondition], _ word: PostgresQuery) -> PostgresQuery {
        let sorted = conditions.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
        return "(\(sorted.map { boolean($0.element) }.joined(separator: word)))"
    }

    // MARK: Fields

    private func boolean(_ field: AudienceField, _ test: AudienceTest) -> PostgresQuery {
        switch (field, test) {
        case (.environment, .text(let test)):
            Self.words("d.environment", test) { PushEnvironment(name: $0)?.rawValue }
        case (.authorizationStatus, .text(let test)):
            Self.words("d.authorization_status", test) { AuthorizationStatus(name: $0)?.rawValue }
        case (.isTest, .flag(let isTest)): isTest ? "d.is_test" : "(NOT d.is_test)"
        case (_, .exists): "(\(field.column) IS NOT NULL)"
        case (.locale, .text(let test)): Self.locale(test)
        case (.timeZone, .text(let test)): Self.zone(test)
        case (.country, .text(let test)): Self.country(test)
        case (_, .text(let test)) where field.isText: Self.text(field.column, test)
        case (.osVersion, .version(let order, let version)), (.appVersion, .version(let order, let version)):
            Self.version(field.column, order, version)
        case (.createdAt, .time(let test)), (.lastSeenAt, .time(let test)): Self.time(field.column, test)
        // The JSON reader rejects other combinations.
        default: "false"
        }
    }

    static func text(_ column: PostgresQuery, _ test: AudienceTest.TextTest) -> PostgresQuery {
        switch test {
        case .is(let text): "(\(column) = \(text)) IS TRUE"
        case .isNot(let text): "(\(column) = \(text)) IS NOT TRUE"
        case .in(let texts): "(\(column) \(oneOf(texts))) IS TRUE"
        case .notIn(let texts): "(\(column) \(oneOf(texts))) IS NOT TRUE"
        case .startsWith(let text): "starts_with(\(column), \(text)) IS TRUE"
        case .contains(let text): "(strpos(\(column), \(text)) > 0) IS TRUE"
        }
    }

    /// Parts of a locale are compared as a whole: `zh-Hans-CN` begins with `zh` and `zh-Hans` and not with `zh-H`.
    private static func locale(_ test: AudienceTest.TextTest) -> PostgresQuery {
        switch test {
        case .is, .isNot, .in, .notIn: text("d.locale", test)
        case .startsWith(let range): "(d.locale = \(range) OR starts_with(d.locale, \(range + "-"))) IS TRUE"
        case .contains(let parts): "(strpos('-' || lower(d.locale) || '-', \("-\(parts)-")) > 0) IS TRUE"
        }
    }

    /// Parts of names are in lower case. A zone also matches by its other names: `calcutta` is a part of one of
    /// Asia/Kolkata's.
    private static func zone(_ test: AudienceTest.TextTest) -> PostgresQuery {
        switch test {
        case .is, .isNot, .in, .notIn: text("d.time_zone", test)
        case .startsWith(let part): zone(test, ZoneName.names { $0.hasPrefix(part) })
        case .contains(let part): zone(test, ZoneName.names { $0.contains(part) })
        }
    }

    private static func zone(_ test: AudienceTest.TextTest, _ others: [String]) -> PostgresQuery {
        let own = text(#"lower(d.time_zone COLLATE "C")"#, test)
        return others.isEmpty ? own : "(\(own) OR \(text("d.time_zone", .in(others))))"
    }

    private static func country(_ test: AudienceTest.TextTest) -> PostgresQuery {
        switch test {
        case .is(let code): "(\(isIn([code])) IS TRUE)"
        case .isNot(let code): "(\(isIn([code])) IS NOT TRUE)"
        case .in(let codes): "(\(isIn(codes)) IS TRUE)"
        case .notIn(let codes): "(\(isIn(codes)) IS NOT TRUE)"
        case .startsWith, .contains: "false"
        }
    }

    /// The zone says where the phone is; the region of the locale, how its person wants numbers to look. So the region
    /// counts only where the zone tells no country. It is the part of two capital letters.
    private static func isIn(_ countries: [String]) -> PostgresQuery {
        let zones = countries.flatMap { ZoneName.zones(ofCountry: $0) ?? [] }
        let regions = "-(\(countries.joined(separator: "|")))(-|$)"
        return """
            (d.time_zone = ANY (\(zones))
                OR (d.time_zone IS NULL OR d.time_zone <> ALL (\(ZoneName.withCountry))) AND d.locale ~ \(regions))
            """
    }

    static func oneOf(_ texts: [String]) -> PostgresQuery {
        texts.count > longestArray ? "IN (SELECT unnest(\(texts)))" : "= ANY (\(texts))"
    }

    /// Tests of a column that is never NULL.
    private static func words(
        _ column: PostgresQuery, _ test: AudienceTest.TextTest, _ value: (String) -> Int16?
    ) -> PostgresQuery {
        switch test {
        case .is(let word): "(\(column) = ANY (\([word].compactMap(value))))"
        case .isNot(let word): "(\(column) <> ALL (\([word].compactMap(value))))"
        case .in(let words): "(\(column) = ANY (\(words.compactMap(value))))"
        case .notIn(let words): "(\(column) <> ALL (\(words.compactMap(value))))"
        case .startsWith, .contains: "false"
        }
    }

    /// Arrays are compared part by part, and a longer array is greater than its prefix. So 4.2.0 is not below 4.2, and
    /// 4.2 padded with zeros to the maximum length is the upper bound of its equals.
    static func version(
        _ column: PostgresQuery, _ order: AudienceTest.Order, _ version: AudienceVersion
    ) -> PostgresQuery {
        let lowest = version.parts
        let highest = lowest + Array(repeating: 0, count: AudienceVersion.maximumParts - lowest.count)
        return switch order {
        case .is: "(version_parts(\(column)) BETWEEN \(lowest) AND \(highest)) IS TRUE"
        case .atLeast: "(version_parts(\(column)) >= \(lowest)) IS TRUE"
        case .below: "(version_parts(\(column)) < \(lowest)) IS TRUE"
        case .above: "(version_parts(\(column)) > \(highest)) IS TRUE"
        case .atMost: "(version_parts(\(column)) <= \(highest)) IS TRUE"
        }
    }

    /// Days have 24 hours: intervals of days would depend on the session's time zone.
    private static func time(_ column: PostgresQuery, _ test: AudienceTest.TimeTest) -> PostgresQuery {
        switch test {
        case .before(let time): "(\(column) < \(Timestamp(time))) IS TRUE"
        case .after(let time): "(\(column) > \(Timestamp(time))) IS TRUE"
        case .withinDays(let days): "(\(column) > \(daysAgo(days))) IS TRUE"
        case .olderThanDays(let days): "(\(column) <= \(daysAgo(days))) IS TRUE"
        }
    }

    static func daysAgo(_ days: Int) -> PostgresQuery {
        "now() - make_interval(hours => \(Int32(clamping: days * 24)))"
    }
}

extension AudienceField {
    /// The column; fields of other kinds than text need their own comparisons.
    fileprivate var column: PostgresQuery {
        switch self {
        case .userID: "d.user_id"
        case .installation: "d.installation"
        case .locale: "d.locale"
        case .language: "split_part(d.locale, '-', 1)"
        case .timeZone, .country: "d.time_zone"
        case .osVersion: "d.os_version"
        case .appVersion: "d.app_version"
        case .model: "d.model"
        case .environment: "d.environment"
        case .authorizationStatus: "d.authorization_status"
        case .isTest: "d.is_test"
        case .createdAt: "d.created_at"
        case .lastSeenAt: "a.last_seen_at"
        }
    }

    fileprivate var isText: Bool { [.text, .exact, .secret, .language].contains(kind) }
}

extension AudienceCondition {
    /// The cost per device in about 0.1 µs, measured.
    fileprivate var cost: Int {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.reduce(0) { $0 + $1.cost }
        case .not(let condition): condition.cost
        case .customEvent: 60
        case .outcome: 10
        case .field(_, .version), .attribute(_, .day): 8
        case .attribute, .event, .userIDs: 3
        case .field, .tag, .optedOut, .segment: 2
        }
    }
}

extension [PostgresQuery] {
    func joined(separator: PostgresQuery) -> PostgresQuery {
        guard let first else { return "" }
        return dropFirst().reduce(into: first) { $0 += separator + $1 }
    }
}
