import BelfryTesting
import Foundation
import Testing

@testable import BelfryCore

/// A client with a folder of its own, a fake server and a fake clock.
struct ClientFixture {
    let folder: URL
    let server: RecordingServer
    let clock = TestClock()
    let keychain: MemoryInstallation

    static func with(
        _ server: RecordingServer = RecordingServer(),
        keychain: MemoryInstallation = MemoryInstallation(.found("phone-1")),
        _ body: (ClientFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-kit-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(ClientFixture(folder: folder, server: server, keychain: keychain))
    }

    /// As after a launch.
    func client(
        api: String = "https://push.example.com/v1/apps/1", key: String = "bfp_x"
    ) throws -> Client {
        let configuration = BelfryConfiguration(api: try #require(URL(string: api)), publishableKey: key)
        return Client(
            configuration: configuration, folder: folder, installations: keychain, transport: server, clock: clock)
    }

    static func token(_ byte: UInt8 = 1) throws -> DeviceToken {
        try #require(DeviceToken(Data(repeating: byte, count: 32)))
    }

    static let state = DeviceState(environment: .production, authorization: .authorized)

    static func push(_ id: String = "m1") -> Push {
        Push(userInfo: ["aps": ["alert": "Tonight at eight."], "i": id])
    }
}
