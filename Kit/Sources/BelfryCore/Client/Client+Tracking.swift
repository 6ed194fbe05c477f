import Foundation

extension Client {
    /// Records an event of the app's own, such as `purchase`, before it returns, from any thread; it is sent once the
    /// device is registered. `value` is its amount, `properties` have texts, numbers, true and false, and a property that
    /// is null counts as left out. `date` is the device's time of the event, at most 30 days ago; nil: now.
    ///
    /// An event that the server would refuse (`TrackingRules`) is a diagnostic with the code `event`, and is not recorded.
    /// Throws if the disk is full.
    public nonisolated func track(
        _ name: String, value: Double? = nil, properties: [String: JSONValue] = [:], at date: Date? = nil
    ) throws {
        let now = clock.now
        let date = date ?? now
        if let fault = TrackingRules.fault(name, value, properties, at: date, now: now) {
            // A name that is too long fills no log.
            return report(Diagnostic(.refused, "event", "The event \"\(name.prefix(40))\" was left out. \(fault)"))
        }
        try record(Event(tracked: name, value: value, properties: properties, at: date))
    }
}
