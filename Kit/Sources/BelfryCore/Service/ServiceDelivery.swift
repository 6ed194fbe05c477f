/// Decides when a service extension hands over its notification: when everything has ended, or when iOS says that the
/// time ends, and exactly once. Both can happen at the same moment on two threads, so keep it behind a lock.
///
/// iOS shows the generic text if the extension hands over nothing, and ignores a second call.
public struct ServiceDelivery: Sendable {
    /// The work that a notification waits for.
    public enum Part: Sendable, Hashable {
        /// The app's own changes, the category of the push's buttons, and the download.
        case preparation, buttons, attachment
    }

    /// The next step of the extension.
    public enum Action: Sendable, Equatable {
        /// Another part is missing.
        case wait
        /// Calls the content handler, once.
        case deliver
        /// It has been delivered already.
        case nothing
    }

    private var waiting: Set<Part>
    private var isDelivered = false

    /// The parts that must end before the notification is shown.
    public init(waitingFor parts: Set<Part>) { waiting = parts }

    /// A part has ended, well or not.
    public mutating func ended(_ part: Part) -> Action {
        waiting.remove(part)
        guard !isDelivered else { return .nothing }
        return waiting.isEmpty ? deliver() : .wait
    }

    /// The time ends: what is not there yet is left out.
    public mutating func timeEnds() -> Action {
        waiting = []
        return isDelivered ? .nothing : deliver()
    }

    private mutating func deliver() -> Action {
        isDelivered = true
        return .deliver
    }
}
