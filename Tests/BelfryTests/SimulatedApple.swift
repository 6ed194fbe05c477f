import Foundation
import TestSupport
import Testing

@testable import Belfry

/// A `belfry simulate --show` process, for the app of `ServeFixture`.
struct SimulatedApple {
    let process: BelfryProcess
    private let port: String
    private let folder: URL

    /// Where to ask what arrived.
    let inspection: String

    init(in folder: URL) async throws {
        let arguments = [
            "simulate", "--port", "0", "--directory", "apple", "--show", "--http-port", "0",
        ]
        self.folder = folder.appending(path: "apple")
        process = try await BelfryProcess(arguments + ["--bundle-id", "com.example.x"], in: folder)
        let first = try await process.output(until: "/pushes")
        inspection = try #require(
            first.split(separator: "\n").first { $0.contains("what arrived") }?.split(separator: " ").last
                .map { String($0.dropLast("/pushes".count)) })
        let line = try #require(first.split(separator: "\n").first { $0.contains("listening on") })
        port = try #require(line.split(separator: ":").last.map { String($0.dropLast()) })
    }

    /// Flags of `serve`.
    var serve: [String] {
        ["--apns-host", "localhost", "--apns-port", port, "--apns-ca-file", "\(folder.path)/ca.pem"]
    }

    /// Flags of `app create`.
    var credential: [String] {
        let file = "\(folder.path)/AuthKey_\(Simulate.keyID).p8"
        return ["--p8", file, "--key-id", Simulate.keyID, "--team-id", Simulate.teamID]
    }
}
