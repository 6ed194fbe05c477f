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

    public init(_ kind: Kind, app: App.ID, address: DeviceAddress, changes: DeviceChanges) {
        precondition(
            kind == .update || changes.token != nil && changes.environment != nil,
            "a registration names its token and environment")
        self.kind = kind
        self.app = app
        self.address = address
        self.changes = changes
    }
}
