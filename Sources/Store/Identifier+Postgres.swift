import Campaigns
public import Postgres

extension Identifier: PostgresEncodable, PostgresDecodable {}

extension Optional {
    /// For pages that go from the newest to the oldest: below it is the next page; nil is the first page.
    var keysetBound: Int64 where Wrapped: RawRepresentable<Int64> { self?.rawValue ?? .max }
}
