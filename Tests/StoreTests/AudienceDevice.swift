import Campaigns
import JSON
import Notifications
import Postgres

@testable import Store

/// A test device, in memory as in the database.
struct AudienceDevice {
    struct Event {
        /// An index into `AudienceFixture.campaigns`; nil for a transactional push.
        let campaign: Int?
        let kind: EventKind
        let action: String
        let happenedAt: Instant
    }

    let installation: String
    var userID: String?
    var locale: String?
    var timeZone: String?
    var osVersion: String?
    var appVersion: String?
    var model: String?
    var environment = PushEnvironment.production
    var authorization = AuthorizationStatus.authorized
    var isTest = false
    var createdAt: Instant
    var lastSeenAt: Instant?
    var attributes: [JSON.Member] = []
    var tags: [String] = []
    var optOuts: [String] = []
    var events: [Event] = []
}

/// The reference that the SQL is compared with: a simple, slow evaluation of each condition.
struct AudienceJudge {
    let now: Instant
    let today: CivilDay
    let campaigns: [Campaign.ID]

    func holds(_ condition: AudienceCondition, _ device: AudienceDevice) -> Bool {
        switch condition {
        case .all(let conditions): conditions.allSatisfy { holds($0, device) }
        case .any(let conditions): conditions.contains { holds($0, device) }
        case .not(let condition): !holds(condition, device)
        case .tag(let tag): device.tags.contains { Self.same($0, tag) }
        case .optedOut(let optOut): device.optOuts.contains("*") || device.optOuts.contains(optOut.text)
        case .userIDs(let ids): Self.text(device.userID, .in(ids))
        // AudienceCustomEventTests and AudienceOutcomeTests have their own references.
        case .segment, .customEvent, .outcome: false
        case .attribute(let path, .day(let test)):
            day(Self.value(path.names, .object(device.attributes)), test)
        case .attribute(let path, let test): Self.json(Self.value(path.names, .object(device.attributes)), test)
        case .field(let field, let test): self.field(field, test, device)
        case .event(let event): device.events.contains { happened($0, event) }
        }
    }

    private func happened(_ found: AudienceDevice.Event, _ event: AudienceEvent) -> Bool {
        let kinds: [EventKind] = event.kind == .delivered ? EventKind.reported : [event.kind]
        guard let place = found.campaign, kinds.contains(found.kind) else { return false }
        return (event.campaign == nil || event.campaign == campaigns[place])
            && (event.action == nil || event.action == found.action)
            && event.withinDays.map { found.happenedAt > daysAgo($0) } ?? true
    }

    private func field(_ field: AudienceField, _ test: AudienceTest, _ device: AudienceDevice) -> Bool {
        switch field {
        case .userID: Self.text(device.userID, test)
        case .installation: Self.text(device.installation, test)
        case .locale: Self.locale(device.locale, test)
        case .language: Self.text(device.locale.map(Self.language), test)
        case .timeZone:
            switch test {
            case .text(.startsWith), .text(.contains): Self.text(device.timeZone?.lowercased(), test)
            default: Self.text(device.timeZone, test)
            }
        case .country: Self.text(device.country, test)
        case .model: Self.text(device.model, test)
        case .environment: Self.text(device.environment.name, test)
        case .authorizationStatus: Self.text(device.authorization.name, test)
        case .osVersion: Self.version(device.osVersion, test)
        case .appVersion: Self.version(device.appVersion, test)
        case .isTest: test == .flag(device.isTest)
        case .createdAt: time(device.createdAt, test)
        case .lastSeenAt: time(device.lastSeenAt, test)
        }
    }

    private func daysAgo(_ days: Int) -> Instant {
        Instant(microseconds: now.microseconds - Int64(days) * 86_400_000_000)
    }

    private func time(_ value: Instant?, _ test: AudienceTest) -> Bool {
        guard let value else { return false }
        switch test {
        case .exists: return true
        case .time(.before(let time)): return value < time
        case .time(.after(let time)): return value > time
        case .time(.withinDays(let days)): return value > daysAgo(days)
        case .time(.olderThanDays(let days)): return value <= daysAgo(days)
        default: return false
        }
    }

    private func day(_ value: JSON?, _ test: AudienceTest.DayTest) -> Bool {
        guard case .string(let text)? = value,
            let match = text.wholeMatch(of: /\s*(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d)?Z?)?\s*/),
            let day = CivilDay(text: String(match.1))
        else { return false }
        let distance = day.number - today.number
        return switch test {
        case .before(let limit): day.number < limit.number
        case .after(let limit): day.number > limit.number
        case .withinDays(let days): -days...0 ~= distance
        case .olderThanDays(let days): distance < -days
        case .withinNextDays(let days): 0...days ~= distance
        case .anniversaryInDays(let days):
            isAnniversary(of: day, on: CivilDay(number: today.number + days))
        }
    }

    private func isAnniversary(of day: CivilDay, on other: CivilDay) -> Bool {
        let isMissing = day.day > CivilDay.longest(month: day.month, year: other.year)
        return CivilDay(year: other.year, month: day.month, day: isMissing ? day.day - 1 : day.day) == other
    }

    private static func same(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

    private static func language(_ locale: String) -> String {
        String(decoding: Array(locale.utf8.prefix { $0 != UInt8(ascii: "-") }), as: UTF8.self)
    }

    /// Parts are compared as a whole.
    private static func locale(_ value: String?, _ test: AudienceTest) -> Bool {
        switch test {
        case .text(.startsWith(let range)): text(value.map { $0 + "-" }, .text(.startsWith(range + "-")))
        case .text(.contains(let parts)): text(value.map { "-\($0.lowercased())-" }, .text(.contains("-\(parts)-")))
        default: text(value, test)
        }
    }

    private static func text(_ value: String?, _ test: AudienceTest) -> Bool {
        switch test {
        case .exists: value != nil
        case .text(let test): text(value, test)
        default: false
        }
    }

    private static func text(_ value: String?, _ test: AudienceTest.TextTest) -> Bool {
        switch test {
        case .is(let text): value.map { same($0, text) } ?? false
        case .isNot(let text): !self.text(value, .is(text))
        case .in(let texts): texts.contains { text(value, .is($0)) }
        case .notIn(let texts): !text(value, .in(texts))
        case .startsWith(let text): value.map { $0.utf8.starts(with: text.utf8) } ?? false
        case .contains(let text):
            value.map { value in
                (0...value.utf8.count).contains { value.utf8.dropFirst($0).starts(with: text.utf8) }
            } ?? false
        }
    }

    // MARK: Versions

    /// Parsed by hand, independently of the database's pattern.
    static func parts(_ text: String) -> [Int64]? {
        let bytes = Array(text.utf8)
        var parts: [Int64] = []
        var place = 0
        func isDigit(_ place: Int) -> Bool { place < bytes.count && 48...57 ~= bytes[place] }
        while isDigit(place) {
            let start = place
            while isDigit(place) { place += 1 }
            guard place - start <= 18, parts.count < 32 else { return nil }
            parts.append(Int64(String(decoding: bytes[start..<place], as: UTF8.self))!)
            guard place < bytes.count, bytes[place] == UInt8(ascii: "."), isDigit(place + 1) else { break }
            place += 1
        }
        return parts.isEmpty ? nil : parts
    }

    private static func version(_ value: String?, _ test: AudienceTest) -> Bool {
        guard let value else { return false }
        if test == .exists { return true }
        guard case .version(let order, let version) = test, let mine = parts(value), let its = parts(version.text)
        else { return false }
        let count = max(mine.count, its.count)
        let pairs = zip(
            mine + Array(repeating: 0, count: count - mine.count), its + Array(repeating: 0, count: count - its.count))
        let first = pairs.first { $0 != $1 }
        return holds(order, first.map { $0.0 < $0.1 ? -1 : 1 } ?? 0)
    }

    private static func holds(_ order: AudienceTest.Order, _ sign: Int) -> Bool {
        switch order {
        case .is: sign == 0
        case .atLeast: sign >= 0
        case .below: sign < 0
        case .above: sign > 0
        case .atMost: sign <= 0
        }
    }

    // MARK: Attributes

    private static func value(_ names: [String], _ json: JSON) -> JSON? {
        guard let name = names.first else { return json }
        guard case .object(let members) = json else { return nil }
        guard let next = members.first(where: { same($0.key, name) })?.value else { return nil }
        return value(Array(names.dropFirst()), next)
    }

    private static func json(_ value: JSON?, _ test: AudienceTest) -> Bool {
        switch (value, test) {
        case (_, .text(.isNot(let text))): !json(value, .text(.is(text)))
        case (_, .text(.notIn(let texts))): !json(value, .text(.in(texts)))
        case (nil, _), (.null?, _): false
        case (_, .exists): true
        case (.string(let mine)?, .text(let test)): text(mine, test)
        case (.bool(let mine)?, .flag(let flag)): mine == flag
        case (.number(let mine)?, .number(let order, let number)):
            holds(order, AudienceFixture.rank(mine) - AudienceFixture.rank(number))
        default: false
        }
    }
}

extension AudienceDevice {
    /// That of the zone; without one that tells it, the locale's part of two capital letters.
    fileprivate var country: String? {
        let ofZones = ["Europe/Berlin": "DE", "Asia/Tokyo": "JP", "America/New_York": "US", "Asia/Kolkata": "IN"]
        if let country = timeZone.flatMap({ ofZones[$0] }) { return country }
        return locale?.split(separator: "-").dropFirst().first { $0.count == 2 && $0.allSatisfy(\.isUppercase) }
            .map(String.init)
    }
}
