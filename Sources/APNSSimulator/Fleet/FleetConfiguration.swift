public import TLS

/// Which app's phones there are, how many, where they register, and what their people do.
public struct FleetConfiguration: Sendable {
    public var count = 20_000
    /// The same phones with the same tokens for the same seed.
    public var seed: UInt64 = 1
    public var bundleID: String
    /// The app's id in the API, as it stands in paths.
    public var appID: String
    public var publishableKey: String
    /// Of the API.
    public var host: String
    public var port: UInt16
    public var tls: TLSContext?
    /// Under which the payload carries the message id.
    public var messageIDKey = "i"
    /// Where the simulator of this fleet listens; phones of the other one are told as if of this.
    public var environment = SimulatorConfiguration.Environment.production
    /// Requests to the API at a time.
    public var connections = 8
    public var shares = Shares()
    public var deliveryDelay = Delay(typical: .milliseconds(400), longest: .seconds(20))
    public var openingDelay = Delay(typical: .seconds(15), longest: .seconds(600))

    public init(bundleID: String, appID: String, publishableKey: String, host: String, port: UInt16) {
        self.bundleID = bundleID
        self.appID = appID
        self.publishableKey = publishableKey
        self.host = host
        self.port = port
    }

    /// 0 to 1 each.
    public struct Shares: Sendable {
        /// Of pushes, that reach a phone which is switched on and online.
        public var delivered = 0.96
        /// Of delivered pushes.
        public var opened = 0.12
        /// Of phones, whose app is gone before the first push comes.
        public var uninstalled = 0.01
        /// Of delivered pushes, after which the app is removed.
        public var uninstalledAfterPush = 0.0005
        /// Of phones, that registered as of the other environment than they are.
        public var wrongEnvironment = 0.002
        /// Of phones, that do not allow notifications.
        public var denied = 0.08
        /// Of phones, whose token has 80 bytes and not 32.
        public var longToken = 0.01

        public init() {}
    }

    /// Most take about the typical time, a few up to the longest.
    public struct Delay: Sendable {
        public var typical: Duration
        public var longest: Duration

        public init(typical: Duration, longest: Duration) {
            self.typical = typical
            self.longest = longest
        }

        func draw(using generator: inout SeededGenerator) -> Duration {
            // A long tail: the square of a logarithm's argument, typical at its median.
            let uniform = Double.random(in: 0.001..<1, using: &generator)
            return min(typical * (uniform / (1.001 - uniform)), longest)
        }
    }
}
