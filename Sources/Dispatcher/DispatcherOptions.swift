public import APNS
import Campaigns

/// The delays and limits of a worker. Tests shorten them.
public struct DispatcherOptions: Sendable {
    /// The length of a batch's lease without a renewal.
    public var lease = Duration.seconds(60)
    /// The time between two renewals of the lease during a slow window.
    public var renewal = Duration.seconds(15)
    /// The time between the last possible answer and the end of the lease.
    public var margin = Duration.seconds(5)
    /// Batches that a process sends concurrently.
    public var maximumBatches = 8
    /// Batches of which only late and deferred recipients are left wait without taking the place of another batch; each
    /// needs about 60 KB. At more batches, or more of these recipients together, they keep their places: if Apple
    /// defers much, less is sent.
    public var maximumWaitingBatches = 512
    public var maximumWaitingRecipients = 50_000
    /// Recipients that may be unresolved: if the process is lost, it is unknown whether they got their pushes. Within
    /// `UnresolvedBudget.limits`.
    public var maximumUnresolved = 16_000
    /// The time between two polls of the database without a notification; it varies randomly by a tenth.
    public var poll = Duration.seconds(1)
    /// The delays before the first, second, … retry of a push that Apple deferred, within the lease.
    public var retryDelays: [Duration] = [.seconds(1), .seconds(4), .seconds(10)]
    /// The delay of the later batch for pushes that Apple still defers after these retries, because of an error of its
    /// own (Apple asks for 15 minutes). Doubled each time up to `longestRetry`.
    public var retryLater = Duration.seconds(15 * 60)
    /// The same for a device that received too many pushes.
    public var retryDeviceLater = Duration.seconds(5 * 60)
    public var longestRetry = Duration.seconds(60 * 60)
    /// The number of runs that may have one batch each in addition to `maximumBatches`, so that a small campaign waits
    /// neither for a large nor for a slow one. The same number of batches of lost processes may be taken over in
    /// addition.
    public var maximumRuns = 32
    /// The maximum age of tokens, values and permissions when a window is composed: a slow batch may take minutes.
    public var recipientsValidity = Duration.seconds(60)
    /// The time between two beats of the process while a run is open, and otherwise.
    public var beat = Duration.seconds(1)
    public var idleBeat = Duration.seconds(15)
    /// The time that other processes get to compare a server that took over with what they remember.
    public var longestSilence = Duration.seconds(10)
    /// The directory in which the process keeps what it remembers of the database; nil to keep nothing.
    public var stateDirectory: String?
    /// The delay between attempts while the database or Apple is unavailable.
    public var unavailableRetryDelay = Duration.seconds(1)
    /// The length of a planner's lease on a run.
    public var planLease = Duration.seconds(20)
    /// The time after which a step of planning is given up, and tried again with fewer devices. Each of its two scans
    /// has this time, and both must fit into the lease.
    public var planDeadline = Duration.seconds(10)
    /// The time after SIGTERM for pushes that are being sent.
    public var drain = Duration.seconds(25)
    public var apns = APNSOptions()
    /// The URL at which devices reach Belfry, for media: scheme, host and port.
    public var publicURL = ""

    public init() {}

    /// A process that has no memory waits until all that have one were able to decide.
    var trustLimits: DatabaseTrust.Limits {
        DatabaseTrust.Limits(silence: longestSilence, absence: lease + longestSilence)
    }

    /// Why the options are inconsistent; nil when they are consistent. A worker must be able to wait for an answer and
    /// store it before its lease ends.
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
