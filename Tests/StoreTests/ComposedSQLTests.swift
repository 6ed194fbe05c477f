import Campaigns
import Foundation
import Notifications
import Postgres
import Testing

@testable import Store

/// The examples in the comments of composed statements are what the code makes. `$n` are parameters.
@Suite struct ComposedSQLTests {
    private static let app = App.ID(rawValue: 1)
    private static let ids = IDRange(after: 0, through: 50_000)
    private static let audience = Audience(
        include: .all([.tag("vip"), .field(.language, .text(.is("de")))]),
        exclude: .event(AudienceEvent(.opened, campaign: Campaign.ID(rawValue: 7))))

    /// The indented lines of the comments in a file of Store.
    private static func example(in path: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Store/\(path)")
        let lines = try String(contentsOf: file.standardized, encoding: .utf8).split(separator: "\n")
        return lines.filter { $0.hasPrefix("///     ") }.map { $0.dropFirst(3) }.joined(separator: "\n")
    }

    private static func words(_ sql: String) -> [Substring] { sql.split(whereSeparator: \.isWhitespace) }

    @Test func audienceIsOneCondition() throws {
        let sql = AudienceSQL(try ResolvedAudience(Self.audience, segments: [:]), app: Self.app, ids: Self.ids)
        #expect(try Self.words(sql.condition.sql) == Self.words(Self.example(in: "Audience/AudienceCompiler.swift")))
    }

    @Test func planScansDevicesOnce() throws {
        let rules = PlanRules(
            app: Self.app, consent: Consent(topic: "offers", pushType: .alert),
            audience: try ResolvedAudience(Audience(include: .tag("vip")), segments: [:]),
            cap: FrequencyCap(count: 2, days: 7), table: nil, dueAt: 1_800_000_000,
            days: AudienceDays(CivilDay(number: 20_000)))
        let sql = PlanQuery(rules: rules, ids: Self.ids, run: Run.ID(rawValue: 3)).parts.sql
        #expect(try Self.words(sql) == Self.words(Self.example(in: "Planning/PlanQuery.swift")))
    }
}
