import Campaigns
import EventLoop
import Store

/// The answer of a receiver, or why there is none.
enum WebhookAnswer: Equatable, Sendable {
    /// `retryAfter` is in seconds.
    case status(Int, retryAfter: Int? = nil)
    case none(String)
}

/// Decides what becomes of a delivery after an attempt. A value, without a clock.
enum WebhookRetry {
    /// The pauses between attempts: nearly a day, over which a receiver can be repaired.
    static let pauses: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1_800), .seconds(7_200), .seconds(18_000), .seconds(28_800),
        .seconds(28_800),
    ]
    /// A pause is longer by up to this share, so that the messages of an outage don't all come back at once.
    static let jitter = 0.1
    /// The longest pause that a receiver can ask for.
    static let longestRetryAfter = Duration.seconds(3_600)

    /// `attempt` is 1 for the first one; `random` is from 0 to 1.
    static func next(
        after answer: WebhookAnswer, attempt: Int, isTest: Bool = false, random: Double
    ) -> WebhookQueueStore.Attempt.Next {
        if case .status(200...299, _) = answer { return .delivered }
        if case .status(410, _) = answer { return .gone }
        guard !isTest, pauses.indices.contains(attempt - 1) else { return .givenUp }
        return .retry(after: max(pauses[attempt - 1] * (1 + jitter * random), asked(by: answer)))
    }

    /// RFC 9110 §10.2.3.
    private static func asked(by answer: WebhookAnswer) -> Duration {
        switch answer {
        case .status(429, let seconds?), .status(503, let seconds?): min(.seconds(max(0, seconds)), longestRetryAfter)
        case .status, .none: .zero
        }
    }

    /// The error that the log of deliveries shows; nil for a delivered message.
    static func error(_ answer: WebhookAnswer) -> String? {
        switch answer {
        case .status(200...299, _): nil
        case .status(300...399, _):
            "The receiver redirects, which is not followed. Set the address that answers itself."
        case .status(let code, _): "The receiver answered with status \(code)."
        case .none(let reason): reason
        }
    }
}
