import APNSSimulator
import EventLoop
import Foundation
import JSON
import Notifications
import TestSupport
import Testing

@testable import APNS

/// Sends payloads that were read and encoded: they reach the device, and the simulator does not flag them.
@Suite(.timeLimit(.minutes(10)))
struct PayloadSendingTests {
    private func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("NotificationsTests/Fixtures")
        return try Array(Data(contentsOf: folder.appendingPathComponent("\(name).json")))
    }

    private func window(_ payload: Payload, _ type: Notifications.PushType) throws -> PushWindow {
        let window = PushWindow()
        window.reset(
            headers: PushHeaders(
                bundleID: try BundleID(APNSFixture.bundleID), pushType: type, priority: type.defaultPriority,
                expiration: 0, collapseID: nil))
        window.append(0, payload: payload.encoded())
        window.allow(until: .now() + .seconds(30) * TestTimeouts.factor)
        return window
    }

    /// Sends each payload by itself, all to the same device.
    private func send(
        _ payloads: [(Payload, Notifications.PushType)], _ check: @Sendable @escaping (Record, [JSON]) throws -> Void
    ) async throws {
        let delivered = Lock<[[UInt8]]>([])
        try await withFixture(deliver: { push in delivered.withLock { $0.append(Array(push.payload)) } }) { fixture in
            for (payload, type) in payloads {
                let window = try window(payload, type)
                try await fixture.sendAll(window)
                #expect(window.acceptedCount == 1)
            }
            try check(fixture.server.record, delivered.withLock { $0 }.map { try JSON(parsing: $0) })
        }
    }

    @Test(arguments: ["acknowledged", "alert-string-custom-keys", "basic", "localized", "rich-attachment", "silent"])
    func payloadsOfRealAppsArriveKeyForKey(_ name: String) async throws {
        let json = try JSON(parsing: fixture(name))

        try await send([(Payload(json: json), name == "silent" ? .background : .alert)]) { record, delivered in
            #expect(delivered == [json])
            #expect(record.flags == [])
        }
    }

    @Test func liveActivityIsFollowedToItsEnd() async throws {
        func push(_ event: LiveActivity.Event, _ timestamp: JSON.Number) -> (Payload, Notifications.PushType) {
            var activity = LiveActivity(timestamp: timestamp, event: event, contentState: [.init("score", 1.50)])
            var alert: APS.AlertContent?
            if event == .start {
                activity.attributesType = "GameAttributes"
                activity.attributes = []
                alert = .dictionary(Alert(title: .localized(.init(locKey: "k")), body: "b", sound: "default"))
            }
            return (Payload(aps: APS(alert: alert, liveActivity: activity)), .liveactivity)
        }
        let whole = [push(.start, 1_800_000_000), push(.update, 1_800_000_001), push(.end, 1_800_000_002)]

        try await send(whole) { record, delivered in
            #expect(delivered == whole.map(\.0.json))
            #expect(record.flags == [])
        }
        try await send(whole + [push(.update, 1_800_000_001)]) { record, _ in
            #expect(record.flags == [.updateAfterEnd, .outOfOrderTimestamp])
        }
    }

    @Test(arguments: [Notifications.PushType.widgets, .controls])
    func widgetsAreToldThatTheirContentChanged(_ type: Notifications.PushType) async throws {
        try await send([(Payload(aps: APS(contentChanged: true)), type)]) { record, delivered in
            #expect(delivered == [["aps": ["content-changed": true]]])
            #expect(record.flags == [])
        }
    }
}
