/// A queue of events with its sender. Each kind of event has one: the server takes them at different addresses and under
/// different conditions, and events that have to wait must not hold up the others.
struct EventOutbox: Sendable {
    let queue: EventQueue
    let sender: EventSender
}
