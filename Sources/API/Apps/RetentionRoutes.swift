import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Store

/// Tells what a retention policy would delete, before it is set.
struct RetentionRoutes: RouteGroup {
    let apps: AppStore
    let retention: RetentionStore

    func add(to routes: inout Routes) {
        routes.addForApp(
            .get, "/retention/preview", for: .permission(.appsRead),
            query: ["event_days", "reply_days", "recipient_days", "custom_event_days"]
        ) { [apps, retention] call in
            let app = try await apps.find(call.app)
            let policy = RetentionPolicy(
                eventDays: try call.request.days("event_days", RetentionPolicy.eventDays),
                replyDays: try call.request.days("reply_days", RetentionPolicy.replyDays),
                recipientDays: try call.request.days("recipient_days", RetentionPolicy.recipientDays),
                customEventDays: try call.request.days("custom_event_days", RetentionPolicy.customEventDays))
            return .json(try await retention.preview(policy, app: app.id).json)
        }
    }
}

extension Request {
    /// Days; nil if the parameter is absent: for ever.
    fileprivate func days(_ name: String, _ range: ClosedRange<Int>) throws(APIError) -> Int? {
        guard let text = queryItems[name] else { return nil }
        guard let days = Int(text), range ~= days else {
            throw .invalidDays(name, range)
        }
        return days
    }
}

extension RetentionPreview {
    fileprivate var json: JSON {
        [
            "events": ["count": .count(events), "cutoff_at": .time(eventsBefore)],
            "replies": ["count": .count(replies), "cutoff_at": .time(repliesBefore)],
            "custom_events": ["count": .count(customEvents), "cutoff_at": .time(customEventsBefore)],
            "recipients": ["runs": .count(runs), "count": .count(recipients), "cutoff_at": .time(recipientsBefore)],
        ]
    }
}
