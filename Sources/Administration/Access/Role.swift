/// A set of permissions with a name, which a person has in one app or in all of them. The raw value is the database's
/// and the API's.
public enum Role: String, CaseIterable, Hashable, Sendable {
    case viewer
    case analyst
    case marketer
    case sender
    case developer
    case admin

    public var permissions: Set<Permission> {
        switch self {
        case .viewer: [.appsRead, .campaignsRead, .contentRead]
        case .analyst: Role.viewer.permissions.union([.devicesRead, .devicesExport])
        case .marketer:
            Role.viewer.permissions.union([.devicesRead, .campaignsWrite, .contentWrite, .testPushesSend])
        case .sender: Role.marketer.permissions.union([.campaignsSend, .campaignsApprove])
        case .developer:
            Role.viewer.permissions.union([
                .appsWrite, .devicesRead, .devicesWrite, .contentWrite, .testPushesSend, .pushesSend, .keys,
            ])
        case .admin: Set(Permission.allCases)
        }
    }
}
