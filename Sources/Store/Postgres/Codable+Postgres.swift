public import Campaigns
public import Notifications
public import Postgres

// Types of the layers below that PostgreSQL stores as their raw values.

extension Identifier: PostgresEncodable, PostgresDecodable {}
extension EventKind: PostgresEncodable, PostgresDecodable {}
extension AuthorizationStatus: PostgresEncodable, PostgresDecodable {}
extension DeviceKind: PostgresEncodable, PostgresDecodable {}
extension MediaType: PostgresEncodable, PostgresDecodable {}
extension PushEnvironment: PostgresEncodable, PostgresDecodable {}
extension CampaignState: PostgresEncodable, PostgresDecodable {}
extension UnknownPolicy: PostgresEncodable, PostgresDecodable {}
extension PushType: PostgresEncodable, PostgresDecodable {}
extension MissedStart.Policy: PostgresEncodable, PostgresDecodable {}
extension Run.Destination: PostgresEncodable, PostgresDecodable {}
extension OutcomeKind: PostgresEncodable, PostgresDecodable {}
