public import Postgres

/// Why a device was retired. The raw value is stored in the database.
public enum RetiredReason: Int16, CaseIterable, Hashable, Sendable {
    case unregistered = 1
    case tokenExpired = 2
    case badToken = 3
    case tokenMoved = 4
    case removed = 5

    public var name: String {
        switch self {
        case .unregistered: "unregistered"
        case .tokenExpired: "token_expired"
        case .badToken: "bad_token"
        case .tokenMoved: "token_moved"
        case .removed: "removed"
        }
    }
}

extension RetiredReason: PostgresEncodable, PostgresDecodable {}
