import Administration
import Application
import Campaigns
import FoundationEssentials
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// Plans of local notifications: edited by people, scheduled by apps.
struct LocalPlanRoutes: RouteGroup {
    let apps: AppStore
    let plans: LocalPlanStore
    let active: ActivePlans

    /// In bytes: room for 64 notifications with their contents.
    static let bodyLimit = 256 * 1024

    private let common = ResourceRoutes<LocalPlan>(
        resource: .plan, path: "/local-plans", reading: .contentRead, writing: .contentWrite)

    func add(to routes: inout Routes) {
        addEditing(to: &routes)
        routes.addForApp(
            .get, "/local-plans/scheduled", for: .publishable(or: .contentRead), query: ["time_zone", "locale"]
        ) { [apps, active] call in
            let locale = try call.request.locale()
            let found = try await active.plans(of: call.app)
            let (zone, warnings) = try await Self.zone(call.request.queryItems["time_zone"], call.app, apps)
            let soonest = LocalPlanSelection.soonest(of: found, at: Date(), in: zone)
            let answer = soonest.appJSON(for: locale).replacing([
                JSON.Member("warnings", .array(warnings.map(\.json)))
            ])
            return .json(answer, version: 1)
        }
    }

    private func addEditing(to routes: inout Routes) {
        routes.addForApp(
            .post, "/local-plans", for: .permission(.contentWrite), bodyLimit: Self.bodyLimit, takesIdempotencyKey: true
        ) { [apps, plans] call in
            let app = try await apps.find(call.app)
            var body = try await ObjectReader(call.request)
            body.require("name", "notifications")
            var draft = LocalPlanDraft()
            let made = try await plans.create(app: call.app, try draft.read(&body))
            return .json(made.json(in: app.zone), version: made.version, status: .created)
                .located(at: call.path("local-plans", made.id))
        }
        common.addList(to: &routes, of: plans, apps) { [apps] call in
            let zone = try await apps.find(call.app).zone
            return { $0.json(in: zone) }
        }
        routes.addForApp(.get, "/local-plans/{plan}", for: .permission(.contentRead)) { [apps, plans] call in
            let found = try await plans.find(call.plan, app: call.app)
            return .json(found.json(in: try await apps.find(call.app).zone), version: found.version)
        }
        routes.addForApp(
            .patch, "/local-plans/{plan}", for: .permission(.contentWrite), bodyLimit: Self.bodyLimit
        ) { [apps, plans] call in
            let match = try IfMatch.required(call.request, of: "plan")
            let current = try await plans.find(call.plan, app: call.app)
            try match.check(current.version)
            var body = try await ObjectReader(call.request)
            var draft = LocalPlanDraft(current)
            let edited = try await plans.update(
                current.id, app: call.app, version: current.version, to: try draft.read(&body))
            return .json(edited.json(in: try await apps.find(call.app).zone), version: edited.version)
        }
        routes.addForApp(
            .post, "/local-plans/{plan}/duplicate", for: .permission(.contentWrite), takesIdempotencyKey: true
        ) { [apps, plans] call in
            let original = try await plans.find(call.plan, app: call.app)
            let name = try await call.nameOfCopy(of: original.name)
            let made = try await plans.create(
                app: call.app,
                LocalPlanContent(name: name, notifications: original.plan.notifications, isArchived: false))
            return .json(
                made.json(in: try await apps.find(call.app).zone), version: made.version, status: .created
            ).located(at: call.path("local-plans", made.id))
        }
        common.addArchiving(to: &routes) { [plans] isArchived, id, app, version in
            let current = try await plans.find(id, app: app)
            try Refusal.checkVersion(current.version, version)
            let content = LocalPlanContent(
                name: current.name, notifications: current.plan.notifications, isArchived: isArchived)
            return try await plans.update(current.id, app: app, version: current.version, to: content)
        } response: { [apps] plan, call in
            .json(plan.json(in: try await apps.find(call.app).zone), version: plan.version)
        }
        common.addDeletion(to: &routes) { [plans] id, app, version in
            try await plans.delete(id, app: app, expectedVersion: version)
        }
    }

    /// The device's time zone, or the app's default if it is unknown here: a device in a new zone still gets its plans.
    private static func zone(
        _ name: String?, _ app: App.ID, _ apps: AppStore
    ) async throws -> (TimeZone, [Problem]) {
        if let known = name.flatMap({ ZoneName.zone(named: $0) }) { return (known, []) }
        let fallback = try await apps.find(app)
        guard name != nil else { return (fallback.zone, []) }
        let warning = Problem(
            path: "time_zone", code: "unknown-time-zone",
            message: "is not a known time zone, like Europe/Berlin; the app's default, "
                + "\(fallback.settings.defaultTimeZone), applies", severity: .warning)
        return (fallback.zone, [warning])
    }
}

/// Reads a plan from a request body.
private struct LocalPlanDraft {
    private var name: String?
    private var notifications: [LocalNotification] = []
    private var isArchived = false

    init() {}

    init(_ record: LocalPlanRecord) {
        name = record.name
        notifications = record.plan.notifications
        isArchived = record.archivedAt != nil
    }

    mutating func read(_ body: inout ObjectReader) throws -> LocalPlanContent {
        name = body.text("name", length: 1...EntryName.maximumLength) ?? name
        if let json = body.take("notifications") {
            do throws(Problems) {
                notifications = try LocalPlan(
                    identifier: "", json: ["notifications": json]
                ).notifications
            } catch {
                body.refuse(error.problems)
            }
        }
        try body.finish()
        guard let name else { throw APIError(problems: []) }
        return LocalPlanContent(name: name, notifications: notifications, isArchived: isArchived)
    }
}

extension AppCall {
    fileprivate var plan: LocalPlan.ID {
        get throws { try id("plan", .plan) }
    }
}

extension AppRecord {
    fileprivate var zone: TimeZone { ZoneName.zone(named: settings.defaultTimeZone) ?? .gmt }
}

extension LocalPlanRecord {
    fileprivate func json(in zone: TimeZone) -> JSON {
        let own = [
            JSON.Member("name", .string(value.name)),
            JSON.Member("notifications", value.plan.json["notifications"] ?? []),
        ]
        let warnings = value.plan.warnings(at: Date(), in: zone) + PlainContent.warnings(in: value.plan.json)
        return .object(members(own, warnings: warnings))
    }
}
