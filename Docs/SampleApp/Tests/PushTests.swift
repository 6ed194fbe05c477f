import BelfryCore
import BelfryTesting
import Foundation
import Testing

/// A test of the app's own, without a network and without Apple's frameworks.
@Test func tapOnATicketLeadsToItAndIsReported() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = RecordingServer()
    let client = Client(
        configuration: BelfryConfiguration(api: "https://push.example.com/v1/apps/1", publishableKey: "bfp_x"),
        folder: folder, installations: MemoryInstallation(), transport: server)

    let push = Push(userInfo: ["aps": ["alert": "Your ticket"], "i": "m1", "link": "bells://tickets/7"])
    let handling = try client.handle(push, requestID: "r1", action: ResponseEvent.defaultAction)
    await client.flush()

    #expect(handling == .opened(push))
    #expect(push.custom["link"] == .string("bells://tickets/7"))
    #expect(server.events == ["opened of m1"])
}
