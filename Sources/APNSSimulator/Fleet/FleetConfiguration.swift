public import TLS

/// The configuration of a fleet: its app, size, API and the behavior of its people.
public struct FleetConfiguration: Sendable {
    public var count = 20_000
    /// The same seed gives the same phones with the same tokens.
    public var seed: UInt64 = 1
    public var bundleID: String
    /// The app's id in the paths of the API.
    public var appID: String
    public var publishableKey: String
    /// The host of the API.
    public var host: String
    public var port: UInt16
    public var tls: TLSContext?
    /// The payload key of the message id.
    public var messageIDKey = "i"
    /// The environment of the simulator. Phones of the other environment are registered with this one, too.
    public var environment = SimulatorConfiguration.Environment.production
    /// Concurrent requests to the API.
    public var connections = 8
    public var shares = Shares()
    /// The buttons of each category, by its identifier.
    public var buttons: [String: [Button]] = [:]
    /// The texts that people reply, without characters that JSON escapes.
    public var replies = ["OK"]
    /// Texts that people like, and how many times as often they open a push that contains one.
    public var likings: [(text: String, factor: Double)] = []
    public var deliveryDelay = Delay(typical: .milliseconds(400), longest: .seconds(20))
    public var openingDelay = Delay(typical: .seconds(15), longest: .seconds(600))

    public init(bundleID: String, appID: String, publishableKey: String, host: String, port: UInt16) {
        self.bundleID = bundleID
        self.appID = appID
        self.publishableKey = publishableKey
        self.host = host
        self.port = port
    }

    public struct Button: Sendable {
        public let identifier: String
        /// Whether it asks for a text.
        public let takesText: Bool

        public init(identifier: String, takesText: Bool) {
            self.identifier = identifier
            self.takesText = takesText
        }
    }

    /// Probabilities, each from 0 to 1.
    public struct Shares: Sendable {
        /// The share of pushes that reach a phone: it is switched on and online.
        public var delivered = 0.96
        /// The share of delivered pushes that are opened.
        public var opened = 0.12
        /// The share of opened pushes with buttons on which one is pressed instead.
        public var answered = 0.4
        /// The share of opened pushes after which something is bought.
        public var converted = 0.15
        /// The share of delivered pushes with buttons, of those not opened, that are dismissed.
        public var dismissed = 0.2
        /// The share of delivered pushes, of those not opened, after which the app is opened otherwise.
        public var influenced = 0.04
        /// The share of phones that uninstall the app before the first push.
        public var uninstalled = 0.01
        /// The share of delivered pushes after which the app is uninstalled.
        public var uninstalledAfterPush = 0.0005
        /// The share of phones that register with the wrong environment.
        public var wrongEnvironment = 0.002
        /// The share of phones that deny notifications.
        public var denied = 0.08
        /// The share of phones whose token has 80 bytes instead of 32.
        public var longToken = 0.01

        public init() {}

        /// With `attentive`, a phone that is set up well and whose owner opens every push.
        public init(attentive: Bool) {
            guard attentive else { return }
            (delivered, opened, answered, converted, dismissed, influenced) = (1, 1, 0, 0, 0, 0)
            (uninstalled, uninstalledAfterPush, wrongEnvironment, denied, longToken) = (0, 0, 0, 0, 0)
        }
    }

    /// A random delay: about the typical time for most, up to the longest for a few.
    public struct Delay: Sendable {
        public var typical: Duration
        public var longest: Duration

        public init(typical: Duration, longest: Duration) {
            self.typical = typical
            self.longest = longest
        }

        func draw(using generator: inout SeededGenerator) -> Duration {
            // The odds u / (1 - u): a distribution with a long tail, whose median is `typical`.
            let uniform = Double.random(in: 0.001..<1, using: &generator)
            return min(typical * (uniform / (1.001 - uniform)), longest)
        }
    }
}
