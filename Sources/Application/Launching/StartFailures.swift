public import Campaigns
public import EventLoop

/// Campaigns that could not be started for an unexpected reason. Each waits before it is tried again, so that they do
/// not fill every round.
public struct StartFailures: Sendable {
    /// Campaigns that are remembered. With more, the oldest are tried again earlier.
    static let limit = 1_000
    private static let pauses = Backoff(first: .seconds(5), longest: .seconds(300))

    private struct Failure {
        var backoff = StartFailures.pauses
        var until: MonotonicTime
    }

    private var failures: [Campaign.ID: Failure] = [:]

    public init() {}

    /// Campaigns that are not tried now.
    public func waiting(at now: MonotonicTime) -> [Campaign.ID] {
        failures.compactMap { $0.value.until > now ? $0.key : nil }
    }

    public mutating func add(_ starts: [CampaignStarter.Start], at now: MonotonicTime) {
        for start in starts {
            guard case .failed(let key, _) = start else { continue }
            let campaign = key.id
            if failures.count >= Self.limit, failures[campaign] == nil {
                failures = failures.filter { $0.value.until > now }
            }
            guard failures.count < Self.limit || failures[campaign] != nil else { continue }
            var failure = failures[campaign] ?? Failure(until: now)
            failure.until = now + failure.backoff.failed()
            failures[campaign] = failure
        }
    }
}
