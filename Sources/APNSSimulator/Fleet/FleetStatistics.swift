/// What the phones of a fleet have done so far.
public struct FleetStatistics: Sendable, Equatable {
    public internal(set) var registered = 0
    /// Phones that the API refused or could not take.
    public internal(set) var notRegistered = 0
    /// Pushes that Apple's side accepted for a phone.
    public internal(set) var received = 0
    /// Of these, without a message id that can be acknowledged.
    public internal(set) var withoutID = 0
    /// Of these, for phones that stay offline.
    public internal(set) var undelivered = 0
    /// Acknowledgements that the API has stored.
    public internal(set) var delivered = 0
    public internal(set) var opened = 0
    public internal(set) var notAcknowledged = 0
    public internal(set) var uninstalled = 0
    /// Acknowledgements that wait for their time.
    public internal(set) var pending = 0
}
