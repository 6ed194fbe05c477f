import BelfryCore
import Foundation
import Testing

/// Events of the app's own against the real server.
@Suite(
    .enabled(
        if: BelfryServer.executable != nil,
        "BELFRY_EXECUTABLE is not set: `make test` sets it to the built server."))
struct TrackedEventTests {
    @Test func trackedEventsAreCountedOnceWhateverHappensToTheirRequests() async throws {
        try await BelfryServer.with { server, folder in
            let phone = Phone(1, in: folder, server.configuration, URLSessionTransport())
            func track(_ value: Double) async throws {
                try await phone.client.track("purchase", value: value, properties: ["plan": "pro", "items": 3])
            }
            // Before the first registration, offline, and with a launch in between.
            phone.network.become(.offline)
            try await track(9.5)
            try await phone.launch()
            await phone.client.flush()
            try await phone.crash()
            try await track(0.25)
            // The server stores them, and the phone never learns it.
            phone.network.become(.losingAnswers)
            await phone.client.flush()
            phone.network.become(.online)
            await phone.client.flush()
            try await track(1)
            await phone.client.flush()
            await phone.client.flush()

            let name = try await server.send("GET", "custom-event-names", "purchase")
            #expect(name["last_30_days"]?["count"] == .integer(3))
            #expect(name["last_30_days"]?["amount"]?.double == 10.75)
            #expect(Set(name["properties"]?.elements.compactMap(\.string) ?? []) == ["plan", "items"])
            #expect(phone.network.statuses.allSatisfy { $0 == 200 || $0 == 201 })
            #expect(await phone.diagnostics.allSatisfy { $0.code == "unreachable" })
        }
    }

    /// The limits of the kit are those of the server.
    @Test func limitsAreThoseOfTheServer() async throws {
        try await BelfryServer.with { server, folder in
            let phone = Phone(1, in: folder, server.configuration, URLSessionTransport())
            try await phone.launch()
            let slashes = JSONValue.string(String(repeating: "/", count: 1_016))
            let many = Dictionary(uniqueKeysWithValues: (0..<50).map { ("\($0)", JSONValue.bool(true)) })
            try await phone.client.track(String(repeating: "é", count: 50), value: 999_999_999_999)
            try await phone.client.track("a", value: -999_999_999_999, properties: ["p": slashes])
            try await phone.client.track("a", properties: many)
            try await phone.client.track("a", properties: ["p": .null, "q": 0.5], at: Date() - 29 * 86_400)
            await phone.client.flush()

            #expect(await phone.diagnostics.isEmpty)
            let names = try await server.list("custom-event-names")
            #expect(names.map { $0["last_30_days"]?["count"] } == [.integer(3), .integer(1)])
        }
    }
}
