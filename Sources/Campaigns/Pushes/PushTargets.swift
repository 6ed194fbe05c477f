public import Notifications

/// Whom a push is for, as a server names them.
public enum PushTargets: Sendable {
    /// All devices of each person.
    case users([String])
    case installations([String])
    case tokens([DeviceToken])

    public var count: Int {
        switch self {
        case .users(let users): users.count
        case .installations(let installations): installations.count
        case .tokens(let tokens): tokens.count
        }
    }
}
