/// An iOS app that Belfry sends for. Only a name for its ids here; what is stored of it is the store's.
public enum App {
    public typealias ID = Identifier<App>
}

public enum Device {
    public typealias ID = Identifier<Device>
}

/// Content that campaigns share, with all of its versions.
public enum Template {
    public typealias ID = Identifier<Template>
}

/// What people edit and send.
public enum Campaign {
    public typealias ID = Identifier<Campaign>
}

/// One sending of a campaign.
public enum Run {
    public typealias ID = Identifier<Run>

    /// Who gets a run's pushes. The raw value is the database's.
    public enum Destination: String, Hashable, Sendable {
        case apple
        /// Any other host that a setting names: no real phone gets anything.
        case simulator
    }
}

public enum Batch {
    public typealias ID = Identifier<Batch>
    /// Recipients of one batch at most.
    public static let maximumSize = 5_000
}

/// Which of Apple's two worlds a device token belongs to. The raw value is the database's.
public enum PushEnvironment: Int16, CaseIterable, Hashable, Sendable {
    case production = 0
    case development = 1

    public var name: String {
        switch self {
        case .production: "production"
        case .development: "development"
        }
    }

    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

/// What to do about a recipient who may or may not have been reached.
public enum UnknownPolicy: String, Hashable, Sendable {
    /// Send once more: with a collapse id the second replaces the first on the screen.
    case resend
    /// Leave it: nobody gets it twice, and the ledger says who may not have got it at all.
    case leave
}
