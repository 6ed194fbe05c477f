/// The counts of one stripe of an app's devices.
public struct StripeTally: Equatable {
    /// The width of the part.
    public var ids: Int64 = 0
    public var devicesScanned = 0
    public var matches = 0
    public var reachable = 0
    /// The first of the matches.
    public var sample: [Int64] = []

    public init(ids: Int64 = 0, devicesScanned: Int = 0, matches: Int = 0, reachable: Int = 0, sample: [Int64] = []) {
        self.ids = ids
        self.devicesScanned = devicesScanned
        self.matches = matches
        self.reachable = reachable
        self.sample = sample
    }
}
