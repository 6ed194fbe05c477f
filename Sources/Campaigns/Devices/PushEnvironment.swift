/// The APNs environment that a device token belongs to. The raw value is stored in the database.
public enum PushEnvironment: Int16, CaseIterable, Hashable, Sendable {
    case production = 0
    case development = 1

    public var name: String {
        switch self {
        case .production: "production"
        case .development: "development"
        }
    }

    /// Each token belongs to one of two environments.
    public var other: PushEnvironment {
        switch self {
        case .production: .development
        case .development: .production
        }
    }

    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
