/// The address of a receiver that is told what happens in an app.
public enum Webhook {
    public typealias ID = Identifier<Webhook>

    /// Webhooks of an app.
    public static let maximumCount = 20
    /// Attempts that fail in a row before the webhook counts as failing; it is then sent one message at a time.
    public static let failingAfter = 5
    /// A webhook that has failed for so long is disabled by its next failure.
    public static let disabledAfter = Duration.seconds(3 * 86_400)
    /// Deliveries that wait; a webhook with more is disabled. Checked when events are gathered, so a few more may wait.
    public static let maximumWaiting = 20_000

    /// One message to a webhook.
    public enum Delivery {
        public typealias ID = Identifier<Delivery>

        /// Items of one message.
        public static let maximumItems = 1_000
        /// A message takes no further item once its items have this many bytes, so the last item may exceed the limit.
        public static let maximumBytes = 256 * 1024
        /// Days after which a delivery is deleted, whatever became of it.
        public static let days = 7
        /// Deliveries of a webhook that are kept for the log, besides those that wait.
        public static let maximumKept = 5_000
    }

    /// A kind of event. The raw value is the database's and the API's.
    public enum EventKind: String, CaseIterable, Hashable, Sendable {
        case runFinished = "run.finished"
        case runPaused = "run.paused"
        /// A campaign could not be started.
        case runFailed = "run.failed"
        /// Apple refused the pushes of a run because of the credential or what it may send.
        case credentialRefused = "credential.refused"
        /// Apple said that tokens are no longer valid.
        case devicesRetired = "devices.retired"
        case repliesReceived = "replies.received"
        /// Runs wait for a decision, since the database was restored from a backup.
        case restoreQuestion = "restore.question"
        /// Somebody asks for the approval of a campaign.
        case approvalRequested = "approval.requested"
        /// A campaign was approved or rejected.
        case approvalDecided = "approval.decided"
        /// An A/B test shows no winner, and a person is asked what the rest of the audience gets.
        case testUndecided = "test.undecided"
        /// The rest of the audience of an A/B test gets a variant, or nothing.
        case testDecided = "test.decided"

        /// The member of `data` with the items of a kind whose events are collected in messages; nil for an event
        /// that is a message by itself.
        public var listName: String? {
            switch self {
            case .devicesRetired: "devices"
            case .repliesReceived: "replies"
            case .runFinished, .runPaused, .runFailed, .credentialRefused, .restoreQuestion, .approvalRequested,
                .approvalDecided, .testUndecided, .testDecided:
                nil
            }
        }
    }

    /// The kind of a test message. No webhook asks for it.
    public static let testKind = "webhook.test"

    /// Why Belfry disabled a webhook. The raw value is the database's and the API's.
    public enum DisabledReason: String, CaseIterable, Hashable, Sendable {
        /// The receiver answered 410.
        case gone
        /// Every attempt failed for three days.
        case failing
        /// Too many messages waited.
        case full
    }
}
