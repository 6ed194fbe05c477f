/// The counts of a fleet so far.
public struct FleetStatistics: Sendable, Equatable {
    public internal(set) var registered = 0
    /// Phones whose registration failed.
    public internal(set) var notRegistered = 0
    /// Pushes that the simulator accepted for a phone.
    public internal(set) var received = 0
    /// Received pushes without a message id to acknowledge.
    public internal(set) var withoutID = 0
    /// Received pushes for phones that are offline.
    public internal(set) var undelivered = 0
    /// Acknowledgements of delivery that the API has stored.
    public internal(set) var delivered = 0
    public internal(set) var opened = 0
    public internal(set) var notAcknowledged = 0
    public internal(set) var uninstalled = 0
    /// Acknowledgements that are not due yet.
    public internal(set) var pending = 0
}
