import Administration
import Belfry
import Campaigns
import EventLoop
import HTTPTypes
import Store

extension CampaignBenchHarness {
    /// The starts of a measurement.
    static let starts = 7

    /// The time from the request that starts a campaign to its first push at the simulator, in milliseconds: the median
    /// of several starts by a `belfry serve`, each cancelled after that. The first, which opens the connections to
    /// Apple, does not count.
    func startTime(_ scenario: Scenario) async throws -> Double {
        let key = try await stores.apiKeys.create(
            app: scenario.app, kind: .secret, name: "bench", scopes: [.campaignsSend])
        let port = try WebBench.freePort()
        let server = try BelfrySubprocess(
            [
                "serve", "--state", path, "--port", "\(port)", "--drain-seconds", "0", "--apns-host", "localhost",
                "--apns-port", "\(apple.port)", "--apns-ca-file", authority, "--log-level", "warning",
            ],
            environment: ["DATABASE_URL": databaseURL], on: loop)
        defer { server.terminate() }
        guard let address = SocketAddress(ip: "127.0.0.1", port: port) else {
            throw CommandFailure("127.0.0.1:\(port) is not an address")
        }
        try await WebBench.waitUntilUp(address, on: loop)
        let client = APIClient(port: port, key: key.text, on: loop)
        var times: [Double] = []
        for _ in 0...Self.starts { times.append(try await startTime(scenario, client)) }
        await client.close()
        return times.dropFirst().map { $0 * 1e3 }.median
    }

    /// In seconds.
    private func startTime(_ scenario: Scenario, _ client: APIClient) async throws -> Double {
        let campaign = try await campaign(scenario)
        let before = accepted
        let began = MonotonicTime.now()
        async let start = client.send(.post, "/v1/apps/\(scenario.app)/campaigns/\(campaign)/start")
        while accepted == before {
            guard .now() - began < Self.longestRun else { throw CommandFailure("the campaign did not start") }
            try await loop.sleep(for: .milliseconds(1))
        }
        let time = MonotonicTime.now() - began
        _ = try await start
        _ = try await stores.campaigns.cancel(campaign, app: scenario.app)
        try await waitForEnd(of: campaign, BenchData(pool: stores.pool))
        return time.seconds
    }
}
