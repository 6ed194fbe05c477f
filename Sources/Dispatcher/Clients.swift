public import APNS
import Campaigns
import EventLoop
import Logging
import Metrics
import Store

/// Where pushes go, for each of Apple's two worlds: a setting of the process.
public struct APNSEndpoints: Sendable {
    public var production: APNSEndpoint
    public var development: APNSEndpoint

    public init(production: APNSEndpoint = .production, development: APNSEndpoint = .development) {
        self.production = production
        self.development = development
    }

    /// Apple only if both worlds are Apple's.
    var destination: Run.Destination { production.isApple && development.isApple ? .apple : .simulator }

    subscript(environment: PushEnvironment) -> APNSEndpoint {
        environment == .production ? production : development
    }
}

/// One client per app, credential and environment, made when it is first needed.
actor Clients {
    private struct Key: Hashable {
        let credential: Credential.ID
        let environment: PushEnvironment
    }

    private let endpoints: APNSEndpoints
    private let credentials: CredentialStore
    private let tokens: ProviderTokenStore
    private let reasons: ReasonTable
    private let options: APNSOptions
    private let loop: EventLoop
    private let logger: Logger
    private let metrics: any MetricsFactory
    private var clients: [Key: APNSClient] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        endpoints: APNSEndpoints, credentials: CredentialStore, tokens: ProviderTokenStore, reasons: ReasonTable,
        options: APNSOptions, loop: EventLoop, logger: Logger, metrics: any MetricsFactory
    ) {
        self.endpoints = endpoints
        self.credentials = credentials
        self.tokens = tokens
        self.reasons = reasons
        self.options = options
        self.loop = loop
        self.logger = logger
        self.metrics = metrics
    }

    /// Nil when the app has no credential for the environment. Asked for each batch, so that a credential
    /// counts from the next batch on: who has just replaced one resumes a campaign at once.
    func client(for app: App.ID, _ environment: PushEnvironment) async throws -> APNSClient? {
        guard let (credential, key) = try await credentials.signingKey(app: app, environment: environment) else {
            return nil
        }
        let place = Key(credential: credential.id, environment: environment)
        if let client = clients[place] { return client }
        let client = try APNSClient(
            endpoint: endpoints[environment],
            tokens: SharedTokenSource(credential: credential, key: key, store: tokens),
            reasons: reasons, options: options, loop: loop, logger: logger, metrics: metrics)
        clients[place] = client
        return client
    }

    func shutDown() async {
        for client in clients.values { await client.shutDown() }
    }
}
