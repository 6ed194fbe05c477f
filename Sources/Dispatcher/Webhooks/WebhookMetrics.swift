import EventLoop
import Metrics
import Store

/// Metrics of the attempts to deliver messages to webhooks.
struct WebhookMetrics: Sendable {
    enum Name {
        static let attempts = "belfry_webhook_attempts"
        static let duration = "belfry_webhook_attempt_duration_seconds"
    }

    private let delivered: Counter
    private let retried: Counter
    private let givenUp: Counter
    private let duration: Timer

    init(_ factory: any MetricsFactory) {
        func counter(_ result: String) -> Counter {
            Counter(label: Name.attempts, dimensions: [("result", result)], factory: factory)
        }
        (delivered, retried, givenUp) = (counter("delivered"), counter("retry"), counter("given-up"))
        duration = Timer(label: Name.duration, preferredDisplayUnit: .milliseconds, factory: factory)
    }

    func attempted(_ next: WebhookQueueStore.Attempt.Next, in time: Duration) {
        duration.recordSeconds(time.seconds)
        switch next {
        case .delivered: delivered.increment()
        case .retry: retried.increment()
        case .givenUp, .gone: givenUp.increment()
        }
    }
}
