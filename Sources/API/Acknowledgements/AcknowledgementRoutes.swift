import Administration
import Application
import Campaigns
import Crypto
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// Accepts events from devices about the pushes that they received.
struct AcknowledgementRoutes: RouteGroup {
    let keys: MessageKeyCache
    let acknowledgements: AcknowledgementCommit

    func add(to routes: inout Routes) {
        routes.addForApp(
            .post, "/acknowledgements", for: .publishable(or: .devicesWrite),
            bodyLimit: AcknowledgementBody.maximumSize, audit: .people
        ) { call in
            try ObjectReader.checkContentType(call.request)
            let bytes = try await call.request.body.collect()
            var body = try ByteReader.checking {
                () throws(ByteReader.Malformed) in try AcknowledgementBody.read(bytes)
            }
            let clock = EventClock(sentAt: body.sentAt)
            let events = try await self.genuine(&body, app: call.app)
            var count = AcknowledgementCount()
            let forged = body.refused.count { $0.code == AcknowledgementBody.unknownMessageCode }
            if !events.isEmpty || forged > 0 {
                let request = AcknowledgementRequest(app: call.app, events: events, clock: clock, forged: forged)
                count = try await acknowledgements.answer(to: request, weight: max(events.count, 1))
            }
            for event in count.refused { body.refuse(event) }
            return .json(body.answer(count))
        }
    }

    /// The events with a genuine message id of this app. The others are added to the refused ones of `body`.
    private func genuine(_ body: inout AcknowledgementBody, app: App.ID) async throws -> [Acknowledgement] {
        var keys = try await keys.keys(of: app)
        guard !keys.isEmpty else { throw Refusal.notFound(.app) }
        var isCertain = false
        var genuine: [Acknowledgement] = []
        genuine.reserveCapacity(body.events.count)
        for event in body.events {
            var fits = keys.verify(event.id)
            if !fits, !isCertain {
                keys = try await self.keys.keys(of: app, isStale: true)
                isCertain = true
                fits = keys.verify(event.id)
            }
            guard fits else {
                body.refuse(event.index, AcknowledgementBody.unknownMessageCode, AcknowledgementBody.unknownMessage)
                continue
            }
            genuine.append(
                Acknowledgement(
                    index: event.index, messageNumber: event.id.messageNumber,
                    device: Device.ID(rawValue: event.id.device), kind: event.kind, time: event.time,
                    details: event.details))
        }
        return genuine
    }
}

extension AcknowledgementBody {
    fileprivate mutating func refuse(_ event: RefusedEvent) {
        switch event.reason {
        case .beforeStart:
            refuse(event.index, "before-start", "The event happened before the push was sent. Check the time in at.")
        case .tooLate:
            let days = EventClock.maximumAge.components.seconds / (24 * 60 * 60)
            refuse(event.index, "too-late", "The push was sent more than \(days) days ago.")
        }
    }

    fileprivate func answer(_ count: AcknowledgementCount) -> JSON {
        [
            "stored": .count(count.stored), "duplicates": .count(count.duplicates),
            "failed": .array(refused.sorted { $0.index < $1.index }.map(\.json)),
            "warnings": .array(warnings.map(\.json)),
        ]
    }
}

extension AcknowledgementBody.Remark {
    var json: JSON {
        .object(
            [JSON.Member("index", .count(index)), JSON.Member("code", .string(code))]
                + (member.map { [JSON.Member("path", .string("events[\(index)].\($0)"))] } ?? [])
                + message.members("message"))
    }
}
