import ArgumentParser
import Configuration
import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    struct DrainTests {
        /// `drain` is longer than the test takes.
        private static let drain = ["BELFRY_DRAIN_SECONDS": "3000"]

        private static func get(
            _ path: String, _ port: UInt16, on loop: EventLoop
        ) async throws -> (status: Int, connection: String?) {
            try await withTaskExecutorPreference(loop) {
                let address = try #require(SocketAddress(ip: "127.0.0.1", port: port))
                let client = try await HTTPClientConnection.connect(to: address, host: "localhost", on: loop)
                let response = try await client.send(.get, path).0
                await client.close()
                return (response.status.code, response.headerFields[.connection])
            }
        }

        @Test func serverServesAndIsNotReadyUntilASecondSignal() async throws {
            try await ScratchFolder.with { folder in
                let management = try ServeFixture.freePort()
                try await ServeFixture.with(
                    in: folder, serve: ["--management-port", "\(management)", "--log-level", "notice"],
                    environment: Self.drain, capturesErrors: true
                ) { fixture in
                    for port in [fixture.port, management] {
                        #expect(try await Self.get("/readyz", port, on: fixture.loop).status == 200)
                    }
                    #expect(try await Self.get("/healthz", fixture.port, on: fixture.loop).connection == nil)

                    fixture.process.send(SIGTERM)
                    _ = try await fixture.process.output(until: "not ready any more")

                    for port in [fixture.port, management] {
                        #expect(try await Self.get("/readyz", port, on: fixture.loop).status == 503)
                        #expect(try await Self.get("/healthz", port, on: fixture.loop).status == 200)
                    }
                    let served = try await Self.get("/healthz", fixture.port, on: fixture.loop)
                    #expect(served == (200, "close"))

                    // It answers when it has begun to heed signals.
                    #expect(try await Self.get("/healthz", fixture.port, on: fixture.loop).status == 200)
                    fixture.process.send(SIGTERM)
                    let ending = try await fixture.process.ending()
                    #expect(ending.status == 0)
                }
            }
        }

        @Test func serverStopsWhenTheDrainTimeIsOver() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder, environment: ["BELFRY_DRAIN_SECONDS": "1"]) { fixture in
                    // It answers when it has begun to heed signals.
                    #expect(try await Self.get("/healthz", fixture.port, on: fixture.loop).status == 200)
                    fixture.process.send(SIGTERM)
                    let ending = try await fixture.process.ending()
                    #expect(ending.status == 0)
                }
            }
        }

        @Test func interruptFromATerminalDoesNotWait() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder, environment: Self.drain) { fixture in
                    // It answers when it has begun to heed signals.
                    #expect(try await Self.get("/healthz", fixture.port, on: fixture.loop).status == 200)
                    fixture.process.send(SIGINT)
                    let ending = try await fixture.process.ending()
                    #expect(ending.status == 0)
                }
            }
        }
    }
}

struct DrainOptionsTests {
    private func duration(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Duration {
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        return try DrainOptions.parse(arguments).duration(reader)
    }

    @Test func drainTimeIsFiveSecondsUnlessItIsSet() throws {
        #expect(try duration([]) == .seconds(5))
        #expect(try duration([], ["BELFRY_DRAIN_SECONDS": "20"]) == .seconds(20))
        #expect(try duration(["--drain-seconds", "0"], ["BELFRY_DRAIN_SECONDS": "20"]) == .zero)
        for wrong in ["-1", "3601"] {
            #expect(throws: ValidationError.self) { try duration([], ["BELFRY_DRAIN_SECONDS": wrong]) }
        }
    }
}
