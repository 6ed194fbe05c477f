public import APNS
import Campaigns

/// The delays and limits of a worker. Tests shorten them.
public struct DispatcherOptions: Sendable {
    /// How long a batch is this process's without a word from it.
    public var lease = Duration.seconds(60)
    /// A slow window's lease is renewed this often.
    public var renewal = Duration.seconds(15)
    /// Kept free between the last answer that may come and the lease's end.
    public var margin = Duration.seconds(5)
    /// Batches held at once.
    public var maximumBatches = 8
    /// Looks at the database when nothing wakes it; a tenth more or less by chance.
    public var poll = Duration.seconds(1)
    /// Waits before a push that Apple put off is sent again inside the lease, one after another.
    public var retryDelays: [Duration] = [.seconds(1), .seconds(4), .seconds(10)]
    /// Whom Apple puts off longer than that goes into a later batch: after this when Apple has trouble (it asks for 15
    /// minutes), doubled each time up to `longestRetry`,
    public var retryLater = Duration.seconds(15 * 60)
    /// or after this when one device has had too many.
    public var retryDeviceLater = Duration.seconds(5 * 60)
    public var longestRetry = Duration.seconds(60 * 60)
    /// Beside the batches above, each run that this process holds no batch of may have one, up to so many runs: a small
    /// campaign does not wait for a large one, nor anybody for a slow one. As many may be taken over beyond the batches
    /// above.
    public var maximumRuns = 32
    /// How old tokens, values and permission may be when a window is composed: a slow batch is sent for minutes.
    public var recipientsValidity = Duration.seconds(60)
    /// Between attempts when the database or Apple is away.
    public var pauseWhenAway = Duration.seconds(1)
    /// A planner's lease on a run.
    public var planLease = Duration.seconds(30)
    /// After SIGTERM, for what is on the wire.
    public var drain = Duration.seconds(25)
    public var apns = APNSOptions()
    /// How phones reach Belfry, for the addresses of media: scheme, host and port.
    public var publicURL = ""

    public init() {}

    /// Why these do not fit together; nil when they do. A worker must be able to wait for an answer
    /// and store it before its lease ends.
    public var problem: String? {
        guard lease > apns.requestDeadline + renewal + margin else {
            return """
                the lease (\(lease)) must be longer than the request deadline (\(apns.requestDeadline)) plus the \
                renewal interval (\(renewal)) plus \(margin)
                """
        }
        return nil
    }
}
