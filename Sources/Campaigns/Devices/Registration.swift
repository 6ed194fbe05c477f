/// One request about one device.
public struct Registration: Sendable {
    public enum Kind: Sendable {
        /// Creates the device if it does not exist; the changes contain token and environment.
        case register
        /// Changes an existing device.
        case update
    }

    public let kind: Kind
    public let app: App.ID
    public let address: DeviceAddress
    public let changes: DeviceChanges
    /// Changes to the person who uses the device after this request; nil or empty: none.
    public let person: ProfileChanges?
    /// The version of the device that the client has read; nil: any.
    public let expectedVersion: Int?
    public let rights: RegistrationRights

    public init(
        _ kind: Kind, app: App.ID, address: DeviceAddress, changes: DeviceChanges, person: ProfileChanges? = nil,
        expectedVersion: Int? = nil, rights: RegistrationRights = .all
    ) {
        precondition(
            kind == .update || changes.token != nil && changes.environment != nil,
            "a registration names its token and environment")
        self.kind = kind
        self.app = app
        self.address = address
        self.changes = changes
        self.person = person
        self.expectedVersion = expectedVersion
        self.rights = rights
    }
}
