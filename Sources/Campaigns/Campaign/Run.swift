/// One sending of a campaign.
public enum Run {
    public typealias ID = Identifier<Run>
    public typealias Key = AppScopedID<Run>

    /// The server that receives a run's pushes. The raw value is stored in the database.
    public enum Destination: String, Hashable, Sendable {
        case apple
        /// Any other host that is configured: no real phone receives anything.
        case simulator
    }
}
