/// One request about one device.
public struct Registration: Sendable {
    public enum Kind: Sendable {
        /// Creates the device if it does not exist; the changes contain token and environment.
        case register
        /// Changes an existing device.
        case update
    }

    /// The sender of a registration.
    public enum Sender: Sendable {
        /// With a secret key.
        case server
        /// With a publishable key, which everybody can read out of the app.
        case app
        /// The same, in an app that verifies identities: it proves nothing about the user of a device.
        case unverifiedApp
    }

    public var kind: Kind
    public let app: App.ID
    public var address: DeviceAddress
    public var changes: DeviceChanges
    /// Changes to the person who uses the device after this request; nil or empty: none.
    public var person: ProfileChanges?
    /// The person whom `person` is about; nil: the user of the device after this request.
    public var personUser: String?
    /// The changes that it may make, if it is a line of a file; nil: an app or a server states it.
    public let terms: ImportTerms?
    /// The version of the device that the client has read; nil: any.
    public let expectedVersion: Int?
    /// When the app sent it, by the clock of the device; nil: it counts when it is received.
    public let sentAt: Instant?
    public let rights: RegistrationRights
    public let sender: Sender

    /// Whether it says who uses the device, or where it is reached: a registration without a user says that nobody does.
    public var isAboutUser: Bool {
        kind == .register || changes.userID.isGiven || changes.token != nil || changes.environment != nil
    }

    public init(
        _ kind: Kind, app: App.ID, address: DeviceAddress, changes: DeviceChanges, person: ProfileChanges? = nil,
        expectedVersion: Int? = nil, sentAt: Instant? = nil, rights: RegistrationRights = .all,
        sender: Sender = .server, terms: ImportTerms? = nil
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
        self.sentAt = sentAt
        self.terms = terms
        self.rights = rights
        self.sender = sender
    }
}
