public import Notifications

/// A request of transactional pushes, resolved and composed: one push to each of its devices.
public struct PushRequest: Sendable {
    /// Devices of one request at most: as many as one window to Apple holds.
    public static let maximumDevices = 1_000

    public struct Recipient: Sendable {
        /// The index of the target in the request that led to the device.
        public let target: Int
        public let device: Device.ID
        public let environment: PushEnvironment
        public let content: Content

        public init(target: Int, device: Device.ID, environment: PushEnvironment, content: Content) {
            self.target = target
            self.device = device
            self.environment = environment
            self.content = content
        }
    }

    public enum Content: Sendable {
        case push(DeviceToken, PushPayload)
        /// The recipient is skipped, with the ledger's code.
        case suppressed(UInt8)
    }

    public let app: App.ID
    public let options: PushOptions
    /// From 1 to `maximumDevices`; each device once.
    public let recipients: [Recipient]
    /// The indexes of targets that were left out, because the request has too many devices with them.
    public let skippedTargets: [Int]
    public let key: IdempotencyKey?

    public init(
        app: App.ID, options: PushOptions, recipients: [Recipient], skippedTargets: [Int] = [],
        key: IdempotencyKey? = nil
    ) {
        self.app = app
        self.options = options
        self.recipients = recipients
        self.skippedTargets = skippedTargets
        self.key = key
    }
}
