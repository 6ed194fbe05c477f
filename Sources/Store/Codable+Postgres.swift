public import Campaigns
public import Notifications
public import Postgres

// Types of the layers below that PostgreSQL stores as their raw values.

extension Identifier: PostgresEncodable, PostgresDecodable {}
extension EventKind: PostgresEncodable, PostgresDecodable {}
extension AuthorizationStatus: PostgresEncodable, PostgresDecodable {}
extension DeviceKind: PostgresEncodable, PostgresDecodable {}
extension MediaType: PostgresEncodable, PostgresDecodable {}
