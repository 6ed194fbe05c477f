/// What was counted in one part of an app's devices.
public struct StripeTally: Equatable {
    /// The width of the part.
    public var ids: Int64 = 0
    public var looked = 0
    public var matches = 0
    public var reachable = 0
    /// The first of the matches.
    public var sample: [Int64] = []

    public init(ids: Int64 = 0, looked: Int = 0, matches: Int = 0, reachable: Int = 0, sample: [Int64] = []) {
        self.ids = ids
        self.looked = looked
        self.matches = matches
        self.reachable = reachable
        self.sample = sample
    }
}
