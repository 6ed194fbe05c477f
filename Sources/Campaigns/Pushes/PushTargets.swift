public import Notifications

/// The targets of a push request.
public enum PushTargets: Sendable {
    /// All devices of each user.
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
