/// An event that a device reports about a push. The raw value is the database's.
public enum EventKind: Int16, CaseIterable, Hashable, Sendable {
    case delivered = 1
    case presented = 2
    case opened = 3
    case action = 4
    case dismissed = 5
    case text = 6

    public var name: String {
        switch self {
        case .delivered: "delivered"
        case .presented: "presented"
        case .opened: "opened"
        case .action: "action"
        case .dismissed: "dismissed"
        case .text: "text"
        }
    }

    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }

    /// Whether the API accepts the event. The schema contains the other kinds for later versions.
    public var isSupported: Bool { self == .delivered || self == .opened }
}
