public import Campaigns
import JSON
public import Notifications
import Postgres

extension LocalPlan {
    public typealias ID = Identifier<LocalPlan>
}

/// A plan of local notifications as it is stored. Its identifier on devices is its id. Devices do not receive archived
/// ones.
public typealias LocalPlanRecord = Entry<LocalPlan, NamedPlan>

public struct NamedPlan: Named, Equatable, Sendable {
    public let name: String
    public let plan: LocalPlan
}

/// The part of a plan that people edit.
public struct LocalPlanContent: Equatable, Sendable {
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

extension EntryTable<LocalPlan, NamedPlan> {
    static func localPlans(in pool: PostgresPool) -> Self {
        EntryTable("local_plans", of: .plan, columns: ["name", "plan"], in: pool) { row, id in
            // Time zones were validated when it was saved; a zone that is unknown now does not hide the plan.
            let plan = try LocalPlan(
                identifier: id.description, version: try row["version"],
                json: JSON(parsing: row["plan", as: String.self]))
            return NamedPlan(name: try row["name"], plan: plan)
        }
    }
}
