import Campaigns
import JSON
import Notifications
import Postgres
import TestSupport

@testable import Store

/// An app with unusual devices, two campaigns and their events, and the values that random audiences use.
struct AudienceFixture {
    let app: App.ID
    let now: Instant
    let campaigns: [Campaign.ID]
    let devices: [AudienceDevice]
    /// In the order of the devices.
    let ids: [Int64]

    /// The last day of a February without a leap day.
    static let today = CivilDay(year: 2027, month: 2, day: 28)

    var judge: AudienceJudge { judge(on: Self.today) }

    func judge(on today: CivilDay) -> AudienceJudge { AudienceJudge(now: now, today: today, campaigns: campaigns) }

    // MARK: Values

    static let texts = [
        "", "a", "ab", "b", "%", "a_b", "Ä", "A\u{308}", "é", "e\u{301}", "日本", "it's", "\\", "\"", "0", "x\n", "😀",
        "user-1",
        "user-2",
    ]
    /// Around `today`, and texts that are no dates.
    static let dates = [
        "2027-02-28", "1990-02-28", "2000-02-29", "2024-02-29T23:59:59Z", "2027-03-01", "1990-03-01",
        "2027-02-27 10:00",
        "2027-01-29", "2027-03-30", "2026-02-28", "0001-01-01", "9999-12-31", "2027-2-28", "2027-13-01", "2027-02-2",
        "2027-02-280", "28.02.2027", "x2027-02-28", "２０２７-02-28",
    ]
    static let locales = ["en", "en-US", "en-GB", "zh-Hant-HK", "zh-Hant", "de", "fil"]
    static let languages = ["en", "zh", "de", "fr", "fil"]
    static let versions = [
        "4.2", "4.2.0", "4.2.0.0", "4.10", "4", "4.2-beta", "4.2 (12)", "4.2.0-b.3", "", "abc", "v4.2", ".5", "4..2",
        "4.", "99999999999999999999999", "4.1234567890123456789", "4.999999999999999999", "0", "0.0", "007.02", "４.２",
        "4.2\n", "1.2.3.4.5.6.7.8.9.10", "10.0.1.0",
        Array(repeating: "1", count: 32).joined(separator: "."),
        Array(repeating: "1", count: 33).joined(separator: "."),
    ]
    static let askedVersions = versions.compactMap { try? AudienceVersion($0) }
    /// From the lowest to the highest; the texts of one list are equal numbers.
    private static let numbers: [[JSON.Number]] = [
        ["-5"], ["-0.0", "0", "0.00"], ["0.1", "1e-1"], ["1", "1.0"], ["2"], ["100", "1e2", "1E+2"],
        ["11153971268435968"], ["11153971268435969"], ["123456789012345678901234567890"], ["1e300"],
    ].map { $0.compactMap { if case .number(let number)? = try? JSON(parsing: $0) { number } else { nil } } }
    static let attributeNames: [[String]] = [
        ["plan"], ["score"], ["address"], ["address", "city"], ["list"], ["list", "0"], ["a.b"], ["address", "日本"],
        ["0"], ["born"],
    ]
    static let tags = ["vip", "a", "Ä", "A\u{308}", "it's"]
    static let optOuts = [OptOut.allKey, "news", "offers"]
    static let actions = ["join", "Ä"]
    static let days = [1, 5, 30, 90, 365]

    static func rank(_ number: JSON.Number) -> Int { numbers.firstIndex { $0.contains(number) } ?? -1 }
    static var allNumbers: [JSON.Number] { numbers.flatMap { $0 } }

    // MARK: Rows

    static func make(
        _ pool: PostgresPool, app: App.ID, devices count: Int, using generator: inout SeededGenerator
    ) async throws -> AudienceFixture {
        let rows = try await pool.query("SELECT date_trunc('milliseconds', now())")
        let now = Instant(microseconds: try rows[0][0, as: Timestamp.self].microseconds)
        var campaigns: [Campaign.ID] = []
        var messages: [[Int64]] = []
        for _ in 0..<2 {
            let made = try await pool.query(
                "INSERT INTO campaigns (app_id, name, payload) VALUES (\(app), 'x', '{}') RETURNING id")
            campaigns.append(try made[0][0])
            messages.append([])
            for _ in 0..<2 { messages[campaigns.count - 1].append(try await run(pool, app, campaigns.last!)) }
        }
        var devices: [AudienceDevice] = []
        var ids: [Int64] = []
        for number in 0..<count {
            let device = AudienceDevice.random(number, now, using: &generator)
            devices.append(device)
            ids.append(try await insert(device, pool, app, messages, using: &generator))
        }
        return AudienceFixture(app: app, now: now, campaigns: campaigns, devices: devices, ids: ids)
    }

    private static func run(_ pool: PostgresPool, _ app: App.ID, _ campaign: Campaign.ID) async throws -> Int64 {
        let rows = try await pool.query(
            """
            WITH run AS (
            INSERT INTO runs (app_id, campaign_id, expires_at, device_ceiling, estimated, expiration_seconds,
                message_key_version, priority, push_type, unknown_policy, audience,
                message_id_key, default_locale, default_time_zone, attachment_url_key)
            VALUES (\(app), \(campaign), now(), 1, 1, 1, 1, 10, 'alert', 'leave', '{}',
                'i', 'en', 'UTC', 'attachment-url')
            RETURNING app_id, id
            )
            INSERT INTO run_variants (app_id, run_id, variant, name, payload) SELECT app_id, id, 0, 'A', '{}' FROM run
            RETURNING message_number
            """)
        return try rows[0][0]
    }

    private static func insert(
        _ device: AudienceDevice, _ pool: PostgresPool, _ app: App.ID, _ messages: [[Int64]],
        using generator: inout SeededGenerator
    ) async throws -> Int64 {
        let id = try await pool.insertDevice(
            device.installation, of: app,
            [
                "environment": "\(device.environment)", "user_id": "\(device.userID)", "locale": "\(device.locale)",
                "time_zone": "\(device.timeZone)", "os_version": "\(device.osVersion)",
                "app_version": "\(device.appVersion)", "model": "\(device.model)",
                "authorization_status": "\(device.authorization)", "is_test": "\(device.isTest)",
                "created_at": "\(Timestamp(device.createdAt))",
                "attributes": "\(JSONText(JSON.object(device.attributes).encoded()))", "tags": "\(device.tags)",
                "opt_outs": "\(device.optOuts)",
            ])
        if let seen = device.lastSeenAt {
            try await pool.execute(
                "UPDATE device_activity SET last_seen_at = \(Timestamp(seen)) WHERE app_id = \(app) AND device_id = \(id)"
            )
        } else {
            try await pool.execute("DELETE FROM device_activity WHERE app_id = \(app) AND device_id = \(id)")
        }
        for event in device.events {
            // A transactional push has no run.
            let message = event.campaign.map { messages[$0].randomElement(using: &generator)! } ?? 9_999
            try await pool.execute(
                """
                WITH added AS (
                    INSERT INTO events (app_id, message_number, device_id, happened_at, kind, action)
                    VALUES (\(app), \(message), \(id), \(Timestamp(event.happenedAt)), \(event.kind), \(event.action))
                    RETURNING *
                )
                INSERT INTO run_minutes AS c (app_id, message_number, measure, minute, shard, count)
                SELECT app_id, message_number, kind, date_trunc('minute', happened_at), 0, 1 FROM added
                ON CONFLICT (app_id, message_number, measure, minute, shard) DO UPDATE SET count = c.count + 1
                """)
        }
        return id
    }
}

extension Timestamp {
    fileprivate init(_ instant: Instant) {
        self.init(microseconds: instant.microseconds)
    }
}

extension AudienceDevice {
    fileprivate static func random(
        _ number: Int, _ now: Instant, using generator: inout SeededGenerator
    ) -> AudienceDevice {
        // Offset by half a day, so that the duration of the test has no effect; and one exact time that audiences use.
        func ago(_ days: Double) -> Instant {
            Instant(microseconds: now.microseconds - Int64(days * 86_400_000_000))
        }
        func some<Value>(_ values: [Value]) -> Value? {
            Int.random(in: 0..<4, using: &generator) == 0 ? nil : values.randomElement(using: &generator)
        }
        let ages = [-0.5, 0.5, 3.5, 20.5, 60.5, 400.5, 1_000]
        var device = AudienceDevice(installation: "i-\(number)", createdAt: ago(ages.randomElement(using: &generator)!))
        device.userID = some(AudienceFixture.texts.filter { !$0.isEmpty })
        device.locale = some(AudienceFixture.locales + ["", "-x", "english"])
        device.timeZone = some(["UTC", "Europe/Berlin"])
        device.osVersion = some(AudienceFixture.versions)
        device.appVersion = some(AudienceFixture.versions)
        device.model = some(AudienceFixture.texts)
        device.environment = PushEnvironment.allCases.randomElement(using: &generator)!
        device.authorization = AuthorizationStatus.allCases.randomElement(using: &generator)!
        device.isTest = Int.random(in: 0..<5, using: &generator) == 0
        device.lastSeenAt = some(ages).map(ago)
        device.attributes = ["plan", "score", "address", "list", "a.b", "0", "born"].compactMap { name in
            guard Bool.random(using: &generator) else { return nil }
            return name == "born"
                ? JSON.Member(name, .string(AudienceFixture.dates.randomElement(using: &generator)!))
                : JSON.Member(name, .randomAttribute(depth: 2, using: &generator))
        }
        device.tags = AudienceFixture.tags.filter { _ in Bool.random(using: &generator) }
        device.optOuts = AudienceFixture.optOuts.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
        var seen: Set<String> = []
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let campaign = [0, 1, nil].randomElement(using: &generator)!
            let kind = EventKind.reported.randomElement(using: &generator)!
            let action = kind == .action ? AudienceFixture.actions.randomElement(using: &generator)! : ""
            guard seen.insert("\(campaign ?? -1) \(kind) \(action)").inserted else { continue }
            device.events.append(
                Event(
                    campaign: campaign, kind: kind, action: action,
                    happenedAt: ago([0.5, 3.5, 20.5, 60.5].randomElement(using: &generator)!)))
        }
        return device
    }
}

extension JSON {
    fileprivate static func randomAttribute(depth: Int, using generator: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: .null
        case 1: .bool(.random(using: &generator))
        case 2, 3: .number(AudienceFixture.allNumbers.randomElement(using: &generator)!)
        case 4, 5: .string(AudienceFixture.texts.randomElement(using: &generator)!)
        case 6: .array((0..<2).map { _ in randomAttribute(depth: depth - 1, using: &generator) })
        default:
            .object(
                ["city", "日本", "0"].map { Member($0, randomAttribute(depth: depth - 1, using: &generator)) })
        }
    }
}
