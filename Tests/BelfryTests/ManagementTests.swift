import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    struct ManagementTests {
        private func ask(_ path: String, _ port: UInt16, on loop: EventLoop) async throws -> (status: Int, text: String)
        {
            try await withTaskExecutorPreference(loop) {
                let client = HTTPClient(loop: loop, host: "127.0.0.1", port: port, tls: nil, maximumConnections: 1)
                let (response, body) = try await client.send(
                    .get, path, headers: [.accept: "application/openmetrics-text; version=1.0.0"], body: [])
                await client.close()
                return (response.status.code, String(decoding: body, as: UTF8.self))
            }
        }

        private func value(_ sample: String, in text: String) -> Double? {
            let line = text.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
            return line.flatMap { Double($0.dropFirst(sample.count + 1)) }
        }

        @Test func serverAndWorkerShowWhatTheyDo() async throws {
            try await ScratchFolder.with { folder in
                let (port, other) = (try ServeFixture.freePort(), try ServeFixture.freePort())
                try await ServeFixture.with(in: folder, serve: ["--management-port", "\(port)"]) { fixture in
                    let worker = try await fixture.command(["work", "--management-port", "\(other)"])
                    let address = try #require(SocketAddress(ip: "127.0.0.1", port: other))
                    try await withTaskExecutorPreference(fixture.loop) {
                        try await ServeFixture.waitUntilUp(address, on: fixture.loop)
                    }
                    #expect(try await ask("/readyz", port, on: fixture.loop) == (200, "Ready.\n"))
                    #expect(try await ask("/healthz", other, on: fixture.loop).status == 200)

                    let overview = try await ask("/status", port, on: fixture.loop)
                    #expect(overview.status == 200 && overview.text.contains("\"kind\":\"serve\""), "\(overview.text)")

                    let (status, text) = try await ask("/metrics", port, on: fixture.loop)
                    #expect(status == 200 && text.hasSuffix("# EOF\n"))
                    #expect(value("belfry_database_up", in: text) == 1 && value("belfry_due_batches", in: text) == 0)
                    #expect(value("belfry_runs{state=\"sending\"}", in: text) == 0)
                    #expect(value("belfry_push_outcomes_total{kind=\"accepted\",reason=\"\"}", in: text) == 0)
                    // Without a route of its own, a path is counted under one name.
                    for path in ["/readyz", "/a", "/b"] {
                        _ = try await ask(path, fixture.port, on: fixture.loop)
                    }
                    let later = try await ask("/metrics", port, on: fixture.loop).text
                    let counted = "belfry_http_request_duration_seconds_count"
                    #expect(
                        value("\(counted){method=\"GET\",route=\"/readyz\",status=\"2xx\"}", in: later) == 1)
                    #expect(later.contains("route=\"none\""))
                    #expect(value("belfry_http_responses_total{status=\"200\"}", in: later) ?? 0 >= 1)
                    #expect(value("belfry_http_connections", in: later) != nil)
                    for sample in ["process_resident_memory_bytes", "process_open_fds", "belfry_database_size_bytes"] {
                        #expect(value(sample, in: later) ?? 0 > 0)
                    }
                    #expect(value("belfry_loop_lag_seconds{loop=\"web-0\"}", in: later) ?? 60 < 60)
                    #expect(value("belfry_partitions_ahead", in: later) == 2)
                    let ofWorker = try await ask("/metrics", other, on: fixture.loop).text
                    #expect(value("belfry_postgres_waiters{pool=\"work-0\"}", in: ofWorker) == 0)
                    #expect(!ofWorker.contains("belfry_http_request"))
                    worker.send(SIGTERM)
                    _ = try await worker.ending()
                }
            }
        }

        @Test func addressWithoutAPortAndAPortThatIsTakenAreErrorsAtTheStart() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder) { fixture in
                    let none = try await fixture.command(["work", "--management-host", "127.0.0.1"]).ending()
                    #expect(none.status != 0)
                    let taken = try await fixture.command(["work", "--management-port", "\(fixture.port)"]).ending()
                    #expect(taken.status != 0)
                }
            }
        }
    }
}
