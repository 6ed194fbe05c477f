import BelfryCore
import Foundation
import Testing

@testable import BelfryKit

/// Events of the app's own, as an app reports them.
@Suite(.timeLimit(.minutes(1))) struct AppTrackingTests {
    @Test func oneLineReportsAnEventOnceTheDeviceIsRegistered() async throws {
        try await AppFixture.with { fixture in
            fixture.app.start(AppFixture.configuration)
            fixture.app.track("purchase", value: 9.5, properties: ["plan": "pro", "items": 3, "gift": false])
            await fixture.app.flush()
            #expect(fixture.server.events.isEmpty)
            fixture.app.register(token: Data([1]))
            await fixture.app.flush()
            #expect(fixture.server.events == ["tracked purchase"])
            let event = fixture.server.requests("POST custom-events").first?["events"]
            guard case .array(let events) = event, let members = events.first?.object else { throw CancellationError() }
            #expect(members["properties"] == ["plan": "pro", "items": 3, "gift": false] && members["value"] == 9.5)
        }
    }

    @Test func eventBeforeTheStartKeepsItsTime() async throws {
        try await AppFixture.with { fixture in
            let before = Event.timestamp(Date())
            fixture.app.track("opened_first")
            let after = Event.timestamp(Date())
            fixture.app.start(AppFixture.configuration)
            fixture.app.register(token: Data([1]))
            await fixture.app.flush()
            let event = fixture.server.requests("POST custom-events").first?["events"]
            guard case .array(let events) = event, let at = events.first?.object?["at"]?.string else {
                throw CancellationError()
            }
            #expect(at >= before && at <= after)
        }
    }

    @Test func badEventIsADiagnosticInPlainWords() async throws {
        try await AppFixture.with { fixture in
            fixture.app.start(AppFixture.configuration)
            fixture.app.track("purchase", properties: ["items": [1, 2]])
            var diagnostics = fixture.app.diagnostics.makeAsyncIterator()
            #expect(
                await diagnostics.next()?.message
                    == "The event \"purchase\" was left out. The property items must be text, a finite number, true or "
                    + "false.")
        }
    }
}
