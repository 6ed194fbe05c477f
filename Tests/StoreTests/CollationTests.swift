import Campaigns
import Logging
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// A database whose text is sorted by ICU, where "a" < "B" and accents count last.
@Suite struct CollationTests {
    /// Whether the server of the tests was built with ICU, as Debian's is. Others know a few of its collations by name only.
    private static func hasICU() async throws -> Bool {
        var count = 0
        try await StoreFixture.run { fixture in
            count = try await fixture.pool.query("SELECT count(*) FROM pg_collation WHERE collprovider = 'i'")[0][0]
        }
        return count > 9
    }

    @Test(.enabled { try await CollationTests.hasICU() })
    func pagesOfNamesHoldEachOnceInTheOrderOfTheDatabase() async throws {
        try await StoreFixture.run { fixture in
            let name = "icu_\(fixture.configuration.database ?? "")"
            try await fixture.pool.execute(
                "CREATE DATABASE \(unescaped: name) LOCALE_PROVIDER icu ICU_LOCALE 'und' TEMPLATE template0")
            var configuration = fixture.configuration
            configuration.database = name
            try await TestDatabase.migrate(configuration)
            let pool = PostgresPool(configuration, on: fixture.loop, logger: Logger(label: "test"))
            let stores = Stores(pool: pool, sealingKeys: fixture.sealingKeys)
            let app = try await stores.apps.create(AppSettings(name: "Shop", bundleID: BundleID("com.example.Shop"))).id
            for name in ["b", "B", "a b", "a-b", "ab", "Z", "é", "e", "É", "z", "中", "1", "_", "ab"] {
                _ = try await stores.segments.create(app: app, name: name, audience: Audience(include: .tag("x")))
            }

            var filter = ListFilter()
            filter.order = .name
            var (pages, after): ([SegmentRecord], ListPosition?) = ([], nil)
            while true {
                let page = try await stores.segments.list(app: app, filter, after: after, limit: 3)
                guard let last = page.last else { break }
                pages += page
                after = filter.position(id: last.id.rawValue, name: last.name, updatedAt: last.updatedAt)
            }

            #expect(pages.map(\.name) == ["_", "1", "a b", "a-b", "ab", "ab", "b", "B", "e", "é", "É", "Z", "z", "中"])
            filter.search = "É"
            #expect(try await stores.segments.list(app: app, filter, limit: 9).map(\.name) == ["é", "É"])
            await pool.close()
            try await fixture.pool.execute("DROP DATABASE \(unescaped: name) WITH (FORCE)")
        }
    }
}
