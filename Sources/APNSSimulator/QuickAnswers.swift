/// The answers of a listener that accepts all pushes, for benchmarks: after which time they come, and which pushes are
/// answered later than others or put off, as a real Apple does now and then.
///
/// Pushes are chosen by their ids, so the same push is always treated in the same way.
public struct QuickAnswers: Sendable, Equatable {
    /// The time from each request to its answer.
    public var latency = Duration.zero
    /// The share of pushes that are answered after `slowLatency`.
    public var slowShare = 0.0
    public var slowLatency = Duration.seconds(1)
    /// The share of pushes that are put off.
    public var deferredShare = 0.0
    public var deferral = Deferral.once429

    public enum Deferral: Sendable {
        /// 429 TooManyRequests for the first attempt.
        case once429
        /// 503 ServiceUnavailable for each attempt.
        case always503
    }

    public init() {}

    /// True if each request is answered in the moment in which it arrives.
    var areImmediate: Bool { self == QuickAnswers() }
}
