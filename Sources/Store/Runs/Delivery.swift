public import Campaigns
public import Postgres

/// One recipient of a run.
public struct Delivery: Hashable, Sendable {
    /// The recipient's position in the run.
    public let position: DeliveryPosition
    public let device: Device.ID
    /// Nil once the device's row is gone.
    public let installation: String?
    public let userID: String?
    /// The place of the run's variant, from 0; nil: it is not decided yet.
    public let variant: Int?
    public let outcome: OutcomeReason
    /// The outcome was unknown once, and the push was sent again.
    public let isResent: Bool
    /// The recipient was moved to a later batch before this outcome.
    public let wasDeferred: Bool
    /// The push was sent between these times. The second is nil while the batch is being sent.
    public let dueAt: Timestamp
    public let endedAt: Timestamp?
    /// Apple's last answer, if the recipient waits because of it.
    public let lastAnswer: LastAnswer?
    /// The device when the push was sent.
    public let profile: DeviceProfile
    public let responses: Responses

    /// The events that the device has reported. Times are those of the first event of a kind.
    public struct Responses: Hashable, Sendable {
        public let deliveredAt: Timestamp?
        public let presentedAt: Timestamp?
        public let openedAt: Timestamp?
        public let influencedAt: Timestamp?
        public let dismissedAt: Timestamp?
        /// Identifiers of the buttons that were pressed.
        public let actions: [String]
        public let repliedAt: Timestamp?
        public let convertedAt: Timestamp?
        /// The sum of the values, as decimal digits; nil without a conversion.
        public let conversionValue: String?
    }
}

/// The properties of a device that statistics tell apart; nil: not known.
public struct DeviceProfile: Hashable, Sendable {
    public let locale: String?
    public let osVersion: String?
    public let appVersion: String?

    init(locale: String?, osVersion: String?, appVersion: String?) {
        self.locale = locale?.isEmpty == true ? nil : locale
        self.osVersion = osVersion?.isEmpty == true ? nil : osVersion
        self.appVersion = appVersion?.isEmpty == true ? nil : appVersion
    }

    /// From the columns locale, os_version and app_version of `profiles`, which have empty texts.
    init(profile row: PostgresRow) throws {
        self.init(locale: try row["locale"], osVersion: try row["os_version"], appVersion: try row["app_version"])
    }
}

public struct DeliveryPage: Hashable, Sendable {
    public let deliveries: [Delivery]
    /// The start of the next page; nil at the end. A page can be short or empty without being the last, since a page
    /// searches a bounded number of batches.
    public let next: DeliveryPosition?
}
