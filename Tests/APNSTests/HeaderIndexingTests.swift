import EventLoop
import Notifications
import TestSupport
import Testing

@testable import APNS

/// Bytes that the headers of pushes take on the wire. All pushes have the same path and id, which are sent in full each time.
@Suite(.timeLimit(.minutes(10)))
struct HeaderIndexingTests {
    private static func headers(collapseID: String? = nil, expiration: Int? = nil) throws -> PushHeaders {
        PushHeaders(
            bundleID: try BundleID(APNSFixture.bundleID), pushType: .alert, priority: .immediate,
            expiration: expiration, collapseID: try collapseID.map { try CollapseID($0) })
    }

    /// The sizes of pushes that are sent one after the other on a new connection.
    private static func sizes(of pushes: [PushHeaders], newTokenBefore renewed: Int? = nil) async throws -> [Int] {
        let loop = try EventLoop(name: "headers")
        defer { loop.stop() }
        let tokens = try RenewingSource()
        return try await withTaskExecutorPreference(loop) {
            let wire = HeaderWire(on: loop)
            let token = try await tokens.token()
            try await wire.open(token: token)
            var sizes: [Int] = []
            for (index, headers) in pushes.enumerated() {
                if index == renewed { await wire.setToken(token) }
                sizes.append(try await wire.size(of: headers))
            }
            await wire.close()
            return sizes
        }
    }

    /// Bytes that these pushes take beyond a push with neither field. Tokens differ in length between connections.
    private static func costs(of pushes: [PushHeaders]) async throws -> [Int] {
        let plain = try headers()
        let sizes = try await sizes(of: [plain, plain] + pushes)
        return sizes.dropFirst(2).map { $0 - sizes[1] }
    }

    @Test func constantFieldsCostOneByteEachOnceTheyAreIndexed() async throws {
        let campaign = try Self.headers(collapseID: "spring-sale-2026", expiration: 1_800_000_000)
        let costs = try await Self.costs(of: Array(repeating: campaign, count: 100))

        let threshold = IndexedWhenRepeated.threshold
        // In full up to the push that adds them to the table.
        #expect(costs[...threshold].allSatisfy { $0 > 20 })
        #expect(costs[(threshold + 1)...].allSatisfy { $0 == 2 })
    }

    @Test func equalValuesOfOtherWindowsCountAsTheSame() async throws {
        let costs = try await Self.costs(
            of: try (0..<100).map { _ in try Self.headers(collapseID: "spring-sale-2026") })
        #expect(costs.last == 1)
    }

    /// 1,000 indexed values would push authority, topic, type and priority out of the table every forty pushes.
    @Test(arguments: [1, 3, IndexedWhenRepeated.threshold])
    func valuesThatChangePushNothingOutOfTheTable(devicesPerValue: Int) async throws {
        let costs = try await Self.costs(
            of: try (0..<1_000).map { number in
                let value = number / devicesPerValue
                return try Self.headers(collapseID: "order-\(10_000 + value)", expiration: 1_800_000_000 + value)
            })
        // Digits have 5 or 6 bits in HPACK's Huffman code, and there is no other difference.
        let (least, most) = (costs.min() ?? 0, costs.max() ?? 0)
        #expect(most - least <= 4)
        // Names and values in full: 16 + 11 and 15 + 10 bytes, compressed, and their lengths.
        #expect(most <= 58)
    }

    @Test func campaignIsIndexedAfterPushesThatChange() async throws {
        let changing = try (0..<1_000).map { try Self.headers(collapseID: "order-\($0)") }
        let campaign = try Self.headers(collapseID: "spring-sale-2026")
        let costs = try await Self.costs(of: changing + Array(repeating: campaign, count: 100))
        #expect(costs.last == 1)
        // Then the table still has the value when it comes back.
        let back = try await Self.costs(
            of: Array(repeating: campaign, count: 100) + changing + Array(repeating: campaign, count: 100))
        let threshold = IndexedWhenRepeated.threshold
        #expect(back[(1_100 + threshold)...].allSatisfy { $0 == 1 })
    }

    @Test func newTokenKeepsTheFieldsIndexed() async throws {
        let campaign = try Self.headers(collapseID: "spring-sale-2026", expiration: 0)
        let sizes = try await Self.sizes(of: Array(repeating: campaign, count: 60), newTokenBefore: 40)
        #expect(Set(sizes[20...]).count == 1)
    }
}
