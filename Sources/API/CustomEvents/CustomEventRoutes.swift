import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// Accepts events about what people do in an app, from devices and servers.
struct CustomEventRoutes: RouteGroup {
    let customEvents: CustomEventCommit

    func add(to routes: inout Routes) {
        routes.addForApp(
            .post, "/custom-events", for: .publishable(or: .devicesWrite),
            bodyLimit: AcknowledgementBody.maximumSize, audit: .people
        ) { [customEvents] call in
            try ObjectReader.checkContentType(call.request)
            let bytes = try await call.request.body.collect()
            let isServer = !call.caller.isPublishable
            var body = try ByteReader.checking {
                () throws(ByteReader.Malformed) in try CustomEventBody.read(bytes, mayNameUsers: isServer)
            }
            // The clock of a server is right, and it may report what happened long ago.
            let clock = EventClock(sentAt: body.sentAt ?? (isServer ? .now : nil))
            var count = CustomEventCount()
            if !body.events.isEmpty {
                let request = CustomEventRequest(
                    app: call.app, events: body.events, clock: clock, isFromServer: isServer)
                count = try await customEvents.answer(to: request, weight: body.events.count)
            }
            for event in count.refused { body.refuse(event) }
            return .json(body.answer(count))
        }
    }
}
