public import Campaigns
import JSON
public import Notifications
public import Postgres

extension LocalPlan {
    public typealias ID = Identifier<LocalPlan>
}

/// A plan of local notifications as it is stored. Its identifier on devices is its id.
public struct LocalPlanRecord: Equatable, Sendable {
    public let id: LocalPlan.ID
    public let app: App.ID
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// Devices no longer receive it.
    public let archivedAt: Timestamp?
    /// Raised by every edit.
    public let version: Int
    public let name: String
    public let plan: LocalPlan
}

/// The part of a plan that people edit.
public struct LocalPlanContent: Equatable, Sendable {
    /// Characters.
    public static let maximumNameLength = 200

    public var name: String
    public var notifications: [LocalNotification]
    public var isArchived: Bool

    public init(name: String, notifications: [LocalNotification], isArchived: Bool = false) {
        self.name = name
        self.notifications = notifications
        self.isArchived = isArchived
    }
}

extension LocalPlanContent {
    var text: String {
        String(decoding: LocalPlan(identifier: "", notifications: notifications).json.encoded(), as: UTF8.self)
    }
}

extension LocalPlanRecord {
    static let columns: PostgresQuery = "id, app_id, created_at, updated_at, archived_at, version, name, plan"

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        archivedAt = try row["archived_at"]
        version = try row["version"]
        name = try row["name"]
        // Time zones were validated when it was saved; a zone that is unknown now does not hide the plan.
        plan = try LocalPlan(identifier: id.description, json: JSON(parsing: row["plan", as: String.self]))
    }
}
