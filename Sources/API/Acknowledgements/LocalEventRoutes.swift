import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// Events of local notifications: devices report them, and people see their number.
struct LocalEventRoutes: RouteGroup {
    let plans: LocalPlanStore
    let events: LocalEventStore

    func add(to routes: inout Routes) {
        routes.addForApp(
            .post, DeviceRoutes.path + "/local-events", for: .publishable(or: .devicesWrite),
            bodyLimit: AcknowledgementBody.maximumSize, audit: .people
        ) { [events] call in
            let address = try call.deviceAddress
            var body = try LocalEventBody(try await ObjectReader.members(of: call.request))
            let count = try await events.store(
                body.events, of: address.installation, app: call.app, by: EventClock(sentAt: body.sentAt))
            guard let count else { throw Refusal.notFound(.device) }
            body.refuse(count)
            return .json(body.answer(count))
        }
        routes.addForApp(
            .get, "/local-plans/{plan}/statistics", for: .permission(.contentRead)
        ) { [plans, events] call in
            let plan = try await plans.find(try call.id("plan", .plan), app: call.app)
            let counts = try await events.counts(of: plan.id, app: call.app)
            return .json(["notifications": .array(counts.map(\.json))])
        }
    }
}

extension LocalNotificationCounts {
    fileprivate var json: JSON {
        var members = [JSON.Member("identifier", .string(notification))]
        members += LocalEvent.kinds.map { JSON.Member(Measure($0).name, .count(counts[$0] ?? 0)) }
        return .object(members)
    }
}
