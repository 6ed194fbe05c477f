import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import JSON
import Logging
import Postgres
import TestSupport
import Testing

@testable import Belfry
@testable import Lab

extension BelfrySuite {
    /// An upgrade to a made-up next version, while this one serves.
    struct UpgradeTests {
        private static func status(_ path: String, _ port: UInt16, on loop: EventLoop) async throws -> Int {
            try await withTaskExecutorPreference(loop) {
                let client = HTTPClient(loop: loop, host: "127.0.0.1", port: port, tls: nil, maximumConnections: 1)
                let (response, _) = try await client.send(.get, path, headers: [:], body: [])
                await client.close()
                return response.status.code
            }
        }

        /// The lists of an app: their statements return most columns of most tables.
        private static let lists = [
            "/devices", "/campaigns", "/templates", "/categories", "/segments", "/media", "/local-plans", "/topics",
            "/tag-changes", "/replies",
        ]

        private func useEverything(_ fixture: ServeFixture, _ name: String) async throws {
            _ = try await fixture.send(
                .put, "/devices/phone",
                ["token": .string(String(repeating: "ab", count: 32)), "environment": "production"])
            _ = try await fixture.send(.patch, "/devices/phone", ["nickname": .string(name)])
            let campaign = try await fixture.send(
                .post, "/campaigns", ["name": .string(name), "payload": ["aps": ["alert": "Tonight at eight."]]])
            let id = try #require(campaign["id"]?.text)
            _ = try await fixture.send(.get, "/campaigns/\(id)", nil)
            for list in Self.lists { _ = try await fixture.send(.get, list, nil) }
        }

        @Test func oldProgramServesBesideTheNewSchemaUntilTheUpgradeIsFinished() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder) { fixture in
                    // Statements are prepared, in each session of the pool in turn.
                    for number in 0..<3 { try await useEverything(fixture, "before \(number)") }
                    let next = try NextBuild(in: folder.appending(path: "next").path)
                    func belfry(_ arguments: [String], in place: String) async throws -> BelfryProcess {
                        try await BelfryProcess(
                            arguments, in: URL(filePath: place),
                            environment: [
                                "DATABASE_URL": fixture.databaseURL, "BELFRY_STATE": folder.appending(path: "var").path,
                            ], capturesErrors: true)
                    }

                    let refused = try await belfry(["key", "list", "--no-migrate"], in: next.folder).ending()
                    #expect(refused.status != 0)
                    #expect(refused.output.contains("this program needs \(next.compatible)"), "\(refused.output)")

                    let migrated = try await belfry(["migrate"], in: next.folder).ending()
                    #expect(migrated.status == 0, "\(migrated.output)")
                    #expect(migrated.output.contains("The schema is at migration \(next.compatible)."))
                    #expect(migrated.output.contains("One migration is left that takes away"))

                    // Both versions, side by side.
                    #expect(try await Self.status("/readyz", fixture.port, on: fixture.loop) == 200)
                    for number in 0..<3 { try await useEverything(fixture, "after \(number)") }
                    let port = try ServeFixture.freePort()
                    let newer = try await belfry(["serve", "--port", "\(port)", "--no-migrate"], in: next.folder)
                    let address = try #require(SocketAddress(ip: "127.0.0.1", port: port))
                    try await withTaskExecutorPreference(fixture.loop) {
                        try await ServeFixture.waitUntilUp(address, on: fixture.loop)
                    }
                    #expect(try await Self.status("/readyz", port, on: fixture.loop) == 200)
                    #expect(try await Self.status("/readyz", fixture.port, on: fixture.loop) == 200)
                    // A start of the old version is possible, too: an upgrade can be taken back.
                    #expect(try await fixture.command(["key", "list"]).ending().status == 0)

                    // It takes nothing away from the old process.
                    let early = try await belfry(["migrate", "--finish"], in: next.folder).ending()
                    #expect(early.status != 0)
                    #expect(early.output.contains("A process of an older version runs"), "\(early.output)")
                    #expect(early.output.contains("PID \(fixture.process.id),"), "\(early.output)")
                    fixture.process.send(SIGTERM)
                    _ = try await fixture.process.ending()

                    let finished = try await belfry(["migrate", "--finish"], in: next.folder).ending()
                    #expect(finished.status == 0, "\(finished.output)")
                    #expect(try await Self.status("/readyz", port, on: fixture.loop) == 200)
                    newer.send(SIGTERM)
                    _ = try await newer.ending()
                }
            }
        }

        /// The contract of the made-up version needs one of its migrations.
        @Test func oldProgramIsNotReadyOnceItsPartsAreGone() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder) { fixture in
                    let next = try NextBuild(in: folder.appending(path: "next").path)
                    // As if it had been silent for longer than a minute. While it stands still, it reports nothing.
                    fixture.process.send(SIGSTOP)
                    defer { fixture.process.send(SIGCONT) }
                    let loop = fixture.loop
                    try await withTaskExecutorPreference(loop) {
                        let connection = try await PostgresConnection.connect(
                            fixture.database, on: loop, logger: Logger(label: "test"))
                        try await connection.execute("UPDATE processes SET seen_at = now() - interval '61 seconds'")
                        await connection.close()
                    }
                    let finished = try await BelfryProcess(
                        ["migrate", "--finish"], in: URL(filePath: next.folder),
                        environment: ["DATABASE_URL": fixture.databaseURL], capturesErrors: true
                    ).ending()
                    #expect(finished.status == 0, "\(finished.output)")
                    fixture.process.send(SIGCONT)
                    #expect(try await Self.status("/readyz", fixture.port, on: fixture.loop) == 503)
                    #expect(try await Self.status("/healthz", fixture.port, on: fixture.loop) == 200)
                    let old = try await fixture.command(["key", "list"]).ending()
                    #expect(old.status != 0)
                }
            }
        }
    }
}
