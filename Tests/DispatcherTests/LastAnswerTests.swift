import APNS
import APNSSimulator
import Campaigns
import HTTP2
import JSON
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// While recipients wait because of Apple, the run and its deliveries say what Apple answered.
    struct LastAnswerTests {
        private static func run(_ bench: DispatcherFixture, _ campaign: Campaign.ID) async throws -> RunRecord? {
            try await bench.runs.list(campaign: campaign, app: bench.app, before: nil, limit: 1).first
        }

        private static func deliveries(_ bench: DispatcherFixture, _ run: Run.ID) async throws -> [Delivery] {
            try await bench.runs.deliveries(run, app: bench.app, DeliveryFilter(), from: nil, limit: 100).deliveries
        }

        @Test func credentialThatSendsTooMuchIsNamed() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...40)
                bench.production.faults = Faults([.init(.answer(.tooManyProviderTokenUpdates), .first(4))])
                var options = DispatcherFixture.options
                options.apns.shortestSlowdown = .milliseconds(600)
                options.apns.longestSlowdown = .milliseconds(600)
                let campaign = try await bench.campaign()
                try await bench.work(options) {
                    try await bench.until { try await Self.run(bench, campaign)?.lastAnswer != nil }
                    let run = try await bench.run(of: campaign)
                    #expect(run.lastAnswer?.reason == "TooManyProviderTokenUpdates")
                    #expect(run.lastAnswer?.answer.status == 429 && run.state == .sending)
                    let waiting = try await Self.deliveries(bench, run.id).filter { $0.outcome.kind == .pending }
                    #expect(!waiting.isEmpty && waiting.allSatisfy { $0.lastAnswer == run.lastAnswer })
                }
                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 40 && run.lastAnswer == nil)
                #expect(try await Self.deliveries(bench, run.id).allSatisfy { $0.lastAnswer == nil })
            }
        }

        /// The answer keeps its time while sending waits, and concerns everybody.
        @Test(arguments: [
            (Fault.answer(.tooManyProviderTokenUpdates), "TooManyProviderTokenUpdates"),
            (.reset(.refusedStream, accepted: false), "REFUSED_STREAM"), (.internalServerError, "InternalServerError"),
        ])
        func answerToAllIsNamedWithItsTime(_ fault: Fault, _ reason: String) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...40)
                bench.production.faults = Faults([.init(fault)])
                var options = DispatcherFixture.options
                options.retryDelays = [.seconds(600)]
                options.apns.shortestSlowdown = .seconds(600)
                options.apns.longestSlowdown = .seconds(600)
                options.renewal = .milliseconds(100)
                let campaign = try await bench.campaign()
                try await bench.withWorker(options) {
                    try await bench.until { try await Self.run(bench, campaign)?.lastAnswer != nil }
                    let first = try await bench.run(of: campaign)
                    #expect(first.lastAnswer?.reason == reason)
                    let waiting = try await Self.deliveries(bench, first.id)
                    #expect(waiting.count == 40 && waiting.allSatisfy { $0.lastAnswer?.reason == reason })
                    guard reason != "InternalServerError" else { return }
                    // Each window asks again whether sending may go on.
                    let windows = bench.log.count(where: \.isDeclaration)
                    await bench.log.wait { $0.count(where: \.isDeclaration) >= windows + 5 }
                    let later = try await bench.run(of: campaign)
                    let apart = (later.lastAnswer?.at.microseconds ?? 0) - (first.lastAnswer?.at.microseconds ?? 0)
                    #expect(abs(apart) < 100_000)
                }
            }
        }

        /// One phone gets too many pushes, and Apple fails for another: each waits for a later batch with its own reason.
        @Test func deferredRecipientsHaveTheAnswerOfTheirOwn() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                bench.production.faults = Faults([
                    .init(.tooManyRequests, .always, for: .tokens([DispatcherFixture.token(1)])),
                    .init(.serviceUnavailable, .always, for: .tokens([DispatcherFixture.token(2)])),
                ])
                var options = DispatcherFixture.options
                options.retryDelays = [.milliseconds(10)]
                options.retryLater = .seconds(600)
                options.retryDeviceLater = .seconds(600)
                let campaign = try await bench.campaign()
                try await bench.withWorker(options) {
                    try await bench.until { try await Self.run(bench, campaign)?.nextAt != nil }
                }
                let run = try await bench.run(of: campaign)
                let answers = try await Self.deliveries(bench, run.id).map { delivery in
                    [delivery.outcome.kind.rawValue, delivery.lastAnswer?.answer.name ?? "none"]
                }
                #expect(
                    Set(answers) == [
                        ["accepted", "none"], ["pending", "TooManyRequests (429)"],
                        ["pending", "ServiceUnavailable (503)"],
                    ])
                let device = try #require(
                    try await DeviceStore(pool: bench.pool).device(app: bench.app, DeviceAddress("1")))
                let (facts, _) = try await WhyStore(pool: bench.pool).facts(run: run.id, device: device, app: bench.app)
                let why = Why(facts)
                #expect(why.verdict == .pending)
                #expect(why.summary == "Apple's last answer was TooManyRequests (429). Belfry sends again by itself.")
            }
        }
    }
}
