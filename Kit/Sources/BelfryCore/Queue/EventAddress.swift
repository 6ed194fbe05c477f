/// The address to which the events of a queue are sent.
package struct EventAddress: Sendable {
    /// Behind the address of the app.
    let path: [String]
    /// Stated in each event; nil if the path or the push tells it.
    var installation: String?
}
