public import Campaigns
public import Postgres

extension Identifier: PostgresEncodable, PostgresDecodable {}
extension EventKind: PostgresEncodable, PostgresDecodable {}
extension AuthorizationStatus: PostgresEncodable, PostgresDecodable {}

/// Where a page begins, for lists from the newest to the oldest: below the last id of the page before.
func keysetBound<Of>(_ before: Identifier<Of>?) -> Int64 {
    before?.rawValue ?? .max
}
