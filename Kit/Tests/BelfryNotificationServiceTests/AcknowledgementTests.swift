import BelfryCore
import Foundation
import Testing

@testable import BelfryNotificationService

@Suite(.timeLimit(.minutes(1))) struct AcknowledgementTests {
    private let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 200))

    @Test func deliveredIsOnDiskBeforeTheCallReturns() async throws {
        try await Phone.with { phone in
            phone.server.hang()
            let service = try phone.service()

            phone.receive(["i": "m"], service)

            #expect(phone.events.count == 1)
            service.serviceExtensionTimeWillExpire()
            await service.settle()
        }
    }

    @Test func deliveredIsSentWhileTheFileHangs() async throws {
        try await Phone.with { phone in
            let (url, _) = try FakeMedia.serve(.init(ends: false))
            let service = try phone.service()

            phone.receive(["i": "m", "attachment-url": "\(url)"], service)
            let request = try await phone.server.next()

            #expect(phone.showings == 0)
            #expect(request.url?.path == "/v1/apps/1/acknowledgements")
            #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer bfp_a")
            let body = JSONValue(any: try JSONSerialization.jsonObject(with: try #require(request.httpBody)))
            guard case .array(let events) = body.object?["events"] else {
                Issue.record("no events")
                return
            }
            #expect(events.map { $0.object?["message_id"] } == [.string("m")])
            #expect(events.map { $0.object?["kind"] } == [.string("delivered")])
            service.serviceExtensionTimeWillExpire()
            await service.settle()
            #expect(phone.events == [])
        }
    }

    @Test func hangingServerOfAcknowledgementsHoldsNothing() async throws {
        try await Phone.with { phone in
            phone.server.hang()
            let (url, _) = try FakeMedia.serve(.init(pieces: [jpeg]))
            let service = try phone.service()

            phone.receive(["i": "m", "attachment-url": "\(url)"], service)

            #expect(try await phone.next().files.count == 1)
            service.serviceExtensionTimeWillExpire()
            await service.settle()
            #expect(phone.showings == 1)
        }
    }

    @Test func eventOfACancelledAcknowledgementIsFreeForTheNextSender() async throws {
        try await Phone.with { phone in
            phone.server.hang()
            let service = try phone.service()

            phone.receive(["i": "m"], service)
            _ = try await phone.server.next()
            service.serviceExtensionTimeWillExpire()
            await service.settle()

            #expect(phone.events.map { $0.hasSuffix(".event") } == [true])
        }
    }

    @Test func withoutAnAppGroupThereIsOneDiagnosticAndTheEventIsSent() async throws {
        try await Phone.with { phone in
            let service = try phone.service(appGroup: nil)

            phone.receive(["i": "m"], service)

            _ = try await phone.server.next()
            await service.settle()
            #expect(service.codes == ["no-app-group"])
            #expect(phone.events == [])
        }
    }

    @Test func withoutAConfigurationThereIsOneDiagnosticAndTheFileIsShown() async throws {
        try await Phone.with { phone in
            let (url, _) = try FakeMedia.serve(.init(pieces: [jpeg]))
            let service = try phone.service()
            service.chosen = nil

            phone.receive(["i": "m", "attachment-url": "\(url)"], service)

            #expect(try await phone.next().files.count == 1)
            #expect(service.codes == ["no-configuration"])
        }
    }

    @Test func wrongKeyIsOneDiagnosticAndTheEventWaitsForAnUpdate() async throws {
        try await Phone.with { phone in
            let service = try phone.service()
            service.chosen?.publishableKey = "wrong"

            phone.receive(["i": "m"], service)

            _ = try await phone.next()
            await service.settle()
            #expect(service.codes == ["not-publishable"])
            #expect(phone.events.count == 1)
        }
    }

    @Test func pushOfAnotherServiceIsShownAndLeavesNothing() async throws {
        try await Phone.with { phone in
            let service = try phone.service(appGroup: nil)

            phone.receive(["aps": ["alert": "Hi"], "i": NSNull()], service)

            #expect(try await phone.next() == Phone.Shown(body: "As it came", files: []))
            await service.settle()
            #expect(service.codes == [])
            #expect(phone.events == [])
        }
    }
}
