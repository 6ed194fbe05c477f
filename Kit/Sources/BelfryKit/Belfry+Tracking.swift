import BelfryCore
import Foundation

extension Belfry {
    /// The person did something in the app, such as `purchase`: an event of the app's own, which audiences and goals of
    /// campaigns can name. Call it from any thread; it is on the disk before the call returns, and sent as soon as the
    /// device is registered.
    ///
    ///     Belfry.shared.track("purchase", value: 9.5, properties: ["plan": "pro", "items": 3])
    ///
    /// `name` has 1 to 100 bytes; an app has up to 500 names. `value` is an amount in the app's unit. `properties` are up
    /// to 50 texts, finite numbers, true and false, together at most 1,024 bytes of JSON. `date` is at most 30 days ago. An
    /// event that breaks these rules is a diagnostic with the code `event`, and is not sent.
    public func track(
        _ name: String, value: Double? = nil, properties: [String: JSONValue] = [:], at date: Date = Date()
    ) {
        perform { client in try client.track(name, value: value, properties: properties, at: date) }
    }
}
