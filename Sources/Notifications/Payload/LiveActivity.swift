public import JSON

/// The keys inside `aps` that only a Live Activity's push has (ActivityKit, "Starting and updating Live Activities with
/// ActivityKit push notifications"). Nil means that the key is absent.
///
/// Times are seconds since 1970, except in `contentState` and `attributes`: the app decodes these with Swift's
/// default, where a `Date` counts from 2001.
public struct LiveActivity: Sendable, Equatable {
    /// When it was sent: the device shows the content with the latest timestamp.
    public var timestamp: JSON.Number?
    public var event: Event?
    /// The app's `ContentState`.
    public var contentState: [JSON.Member]?
    /// The exact name of the app's type, with `start` only.
    public var attributesType: String?
    /// The value of that type, with `start` only.
    public var attributes: [JSON.Member]?
    /// When the activity becomes outdated.
    public var staleDate: JSON.Number?
    /// With `end` only: when the activity leaves the lock screen, within four hours; a past time means immediately.
    public var dismissalDate: JSON.Number?
    /// With `start` only: the activity gets its own update token. Written as 1 or 0.
    public var inputPushToken: Bool?
    /// With `start` only: the id, in base64, of the channel that updates the activity.
    public var inputPushChannel: String?

    public enum Event: String, Sendable, CaseIterable {
        case start
        case update
        case end
    }

    public init(
        timestamp: JSON.Number? = nil, event: Event? = nil, contentState: [JSON.Member]? = nil,
        attributesType: String? = nil, attributes: [JSON.Member]? = nil, staleDate: JSON.Number? = nil,
        dismissalDate: JSON.Number? = nil, inputPushToken: Bool? = nil, inputPushChannel: String? = nil
    ) {
        self.timestamp = timestamp
        self.event = event
        self.contentState = contentState
        self.attributesType = attributesType
        self.attributes = attributes
        self.staleDate = staleDate
        self.dismissalDate = dismissalDate
        self.inputPushToken = inputPushToken
        self.inputPushChannel = inputPushChannel
    }
}
