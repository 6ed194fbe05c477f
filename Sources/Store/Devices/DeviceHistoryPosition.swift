public import Campaigns

/// A place in the history of devices, which has two streams. Batches of runs are in the order of their ids; their
/// numbers were drawn when the run began. Transactional pushes are in the order of their numbers, which an index has
/// for each device.
public struct DeviceHistoryPosition: Hashable, Sendable {
    /// Entries before it follow.
    public struct Place: Hashable, Sendable {
        /// The id of a batch of a run, or the message number of a transactional push.
        public let number: Int64
        public let device: Device.ID

        public init(number: Int64, device: Device.ID) {
            self.number = number
            self.device = device
        }

        static let newest = Place(number: .max, device: Device.ID(rawValue: .max))
        static let oldest = Place(number: 0, device: Device.ID(rawValue: 0))
    }

    public let runs: Place
    public let pushes: Place

    public init(runs: Place, pushes: Place) {
        self.runs = runs
        self.pushes = pushes
    }

    static let newest = DeviceHistoryPosition(runs: .newest, pushes: .newest)
}
