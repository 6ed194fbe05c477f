public import APNS
public import Campaigns

/// The server for each of Apple's two environments: a setting of the process.
public struct APNSEndpoints: Sendable {
    public var production: APNSEndpoint
    public var development: APNSEndpoint

    public init(production: APNSEndpoint = .production, development: APNSEndpoint = .development) {
        self.production = production
        self.development = development
    }

    /// Apple only if both environments are Apple's.
    public var destination: Run.Destination { production.isApple && development.isApple ? .apple : .simulator }

    subscript(environment: PushEnvironment) -> APNSEndpoint {
        environment == .production ? production : development
    }
}
