public import Campaigns
public import Postgres

/// A sign-in in a browser, as it is stored.
public struct SessionRecord: Hashable, Sendable {
    public let id: Session.ID
    public let createdAt: Timestamp
    public let lastUsedAt: Timestamp
    /// The latest end, however often it is used.
    public let expiresAt: Timestamp
    /// The client's address at the sign-in.
    public let address: String
    public let userAgent: String
}

/// A session, and the person that it belongs to.
public struct SignedInUser: Hashable, Sendable {
    public let session: SessionRecord
    public let user: UserRecord
}

extension SessionRecord {
    /// With the table sessions as `s`, and names of their own, because they are read together with the user's.
    static let columns: PostgresQuery = """
        s.id AS session_id, s.created_at AS session_created_at, s.last_used_at, s.expires_at, s.address, s.user_agent
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row["session_id"]
        createdAt = try row["session_created_at"]
        lastUsedAt = try row["last_used_at"]
        expiresAt = try row["expires_at"]
        address = try row["address"]
        userAgent = try row["user_agent"]
    }
}
