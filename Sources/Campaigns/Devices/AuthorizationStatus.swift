/// Whether the app may show notifications (UNAuthorizationStatus). The raw value is the database's.
public enum AuthorizationStatus: Int16, CaseIterable, Hashable, Sendable {
    case notDetermined = 0
    case denied = 1
    case authorized = 2
    case provisional = 3
    case ephemeral = 4

    /// The status of a device that has not reported one.
    public static let standard = AuthorizationStatus.authorized

    public var name: String {
        switch self {
        case .notDetermined: "not_determined"
        case .denied: "denied"
        case .authorized: "authorized"
        case .provisional: "provisional"
        case .ephemeral: "ephemeral"
        }
    }

    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
