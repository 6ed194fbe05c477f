public import Campaigns
public import FoundationEssentials
public import Postgres

/// Something that a person did in an app, as the app or its server reports it.
public struct CustomEvent: Sendable {
    /// The person, as the request tells them.
    public enum Sender: Hashable, Sendable {
        /// The device with this installation, and so its user, if it has one.
        case installation(String)
        case user(String)
    }

    /// Names per app: an app that makes a name for each event must not fill the table.
    public static let maximumNames = 500
    /// The part of them that phones can make. A publishable key is in every copy of an app: whoever fills the names with it
    /// leaves those of the servers.
    public static let maximumNamesOfPhones = 400
    /// Bytes of a name, and of a property's name.
    public static let nameLengths = 1...100
    public static let maximumProperties = 50
    /// Bytes of the properties as JSON.
    public static let maximumPropertiesSize = 1_024

    /// The index in its request.
    public let index: Int
    /// Made by the sender; an event that is sent again has the same one.
    public let id: UUID
    public let sender: Sender
    public let name: String
    public let time: EventTime
    /// In millionths of the app's unit: integers add up exactly.
    public let valueMillionths: Int64?
    public let properties: Properties?

    /// An object of texts, numbers and flags.
    public struct Properties: Hashable, Sendable {
        public let json: JSONText
        public let names: [String]

        /// `names` are those of the object's members.
        public init(_ json: JSONText, names: [String]) {
            self.json = json
            self.names = names
        }
    }

    public init(
        index: Int, id: UUID, sender: Sender, name: String, time: EventTime = .receipt,
        valueMillionths: Int64? = nil, properties: Properties? = nil
    ) {
        self.index = index
        self.id = id
        self.sender = sender
        self.name = name
        self.time = time
        self.valueMillionths = valueMillionths
        self.properties = properties
    }
}

/// The custom events of one request.
public struct CustomEventRequest: Sendable {
    public let app: App.ID
    public let events: [CustomEvent]
    public let clock: EventClock
    /// Whether a server reports them, with a secret key.
    public let isFromServer: Bool

    public init(app: App.ID, events: [CustomEvent], clock: EventClock = EventClock(), isFromServer: Bool = true) {
        self.app = app
        self.events = events
        self.clock = clock
        self.isFromServer = isFromServer
    }

    /// The names that an app may have, so that this request can make another one.
    var maximumNames: Int { isFromServer ? CustomEvent.maximumNames : CustomEvent.maximumNamesOfPhones }
}

/// The result of a request: all events that were not refused are in the database.
public struct CustomEventCount: Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        /// It happened more than `EventClock.maximumAge` ago: a repeated one could not be recognised.
        case tooLate
        /// The app has no device with this installation.
        case unknownDevice
        /// The app has as many names as it can have, or as phones can make, and this one is not among them, but perhaps a
        /// similar one.
        case unknownName(meant: String?)
    }

    public struct Refused: Equatable, Sendable {
        /// The index in its request.
        public let index: Int
        public let reason: Reason
    }

    /// New events.
    public var stored = 0
    /// Events that were stored before, or occur twice in the group.
    public var duplicates = 0
    public var refused: [Refused] = []

    public init(stored: Int = 0, duplicates: Int = 0, refused: [Refused] = []) {
        self.stored = stored
        self.duplicates = duplicates
        self.refused = refused
    }
}
