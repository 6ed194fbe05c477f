import APNSSimulator
import Campaigns
import EventLoop
import Foundation

/// Measures campaigns to an Apple that is not even: one answer in a thousand is late, or one push in a thousand is put
/// off. None of this should hold up the other pushes.
enum UnevenBench {
    static let size = 300_000
    static let latency = Duration.milliseconds(30)
    static let share = 0.001
    static let connections = 4

    static func run(into report: inout BenchReport) async throws {
        let (rates, peer) = try await CampaignBenchHarness.with { harness in
            harness.apple.simulator.quickAnswers = scenarios[0].answers
            let peer = try H2Load.pushes(size, to: harness.apple, connections: connections)
            let app = try await harness.app(devices: size)
            var rates: [Double] = []
            for (answers, isCancelled) in scenarios {
                harness.apple.simulator.quickAnswers = answers
                let scenario = CampaignBenchHarness.Scenario(
                    app: app, devices: size, connections: connections, isCancelled: isCancelled)
                rates.append(try await harness.measure(scenario).middleRate)
            }
            return (rates, peer.map { Double(size) / $0.seconds })
        }
        // The streams would allow 133,333 a second if the simulator and its answers took no time.
        report.add(
            "uneven.even_rate", rates[0], "/s", peer: peer.map { _ in "h2load, 4 × 1,000 streams" }, peerValue: peer)
        for (name, rate) in zip(["uneven.tail_rate", "uneven.429_rate", "uneven.503_rate"], rates.dropFirst()) {
            report.add(name, rate, "/s", peer: "even", peerValue: rates[0])
        }
        report.note(
            "\(size.formatted()) devices, answers after 30 ms, the middle three fifths; one in a thousand: after 1 s, 429 once, "
                + "503 for the whole run")
    }

    private static var scenarios: [(answers: QuickAnswers, isCancelled: Bool)] {
        var even = QuickAnswers()
        even.latency = latency
        var tail = even
        tail.slowShare = share
        var once = even
        once.deferredShare = share
        var always = once
        always.deferral = .always503
        return [(even, false), (tail, false), (once, false), (always, true)]
    }
}
