import Campaigns
import EventLoop
import Foundation

/// Measures the time from the request that starts a campaign to its first push at the simulator. It must not grow with
/// the audience.
struct StartBench {
    let size: Int

    func run(into report: inout BenchReport) async throws {
        let (everybody, filtered) = try await CampaignBenchHarness.with { [size] harness in
            let app = try await harness.app(devices: size)
            return (
                try await harness.startTime(.init(app: app, devices: size)),
                try await harness.startTime(.init(app: app, devices: size, audience: try Self.filtered()))
            )
        }
        report.add("campaign.start_ms", everybody, "ms")
        report.add("campaign.start_filtered_ms", filtered, "ms")
        report.note(
            "start: from the request to the first push, \(size.formatted()) devices, medians of "
                + "\(CampaignBenchHarness.starts); filtered: by an attribute, the locale and openings, without an index"
        )
    }

    /// An audience that no index finds: its conditions are evaluated for each device.
    private static func filtered() throws -> Audience {
        Audience(
            include: .all([
                .attribute(try AttributePath("city"), .text(.contains("l"))),
                .not(.event(AudienceEvent(.opened, withinDays: 30))), .field(.locale, .text(.startsWith("en"))),
            ]))
    }
}
