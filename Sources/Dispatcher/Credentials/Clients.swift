import APNS
import Campaigns
import Crypto
import EventLoop
import Logging
import Metrics
import Postgres
import Store

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
        endpoints: APNSEndpoints, stores: Stores, reasons: ReasonTable, options: APNSOptions, loop: EventLoop,
        logger: Logger, metrics: any MetricsFactory
    ) {
        self.endpoints = endpoints
        credentials = stores.credentials
        tokens = stores.providerTokens
        self.reasons = reasons
        self.options = options
        self.loop = loop
        self.logger = logger
        self.metrics = metrics
    }

    /// Nil when the app has no credential for the environment. Asked for each batch, so that a credential
    /// counts from the next batch on: who has just replaced one resumes a campaign at once. Throws `UnusableClient`, or
    /// `PostgresError` when the database cannot say.
    func client(for app: App.ID, _ environment: PushEnvironment) async throws -> APNSClient? {
        guard let (credential, key) = try await signingKey(app, environment) else { return nil }
        let place = Key(credential: credential.id, environment: environment)
        if let client = clients[place] { return client }
        let endpoint = endpoints[environment]
        do {
            let client = try APNSClient(
                endpoint: endpoint, tokens: SharedTokenSource(credential: credential, key: key, store: tokens),
                reasons: reasons, options: options, loop: loop, logger: logger, metrics: metrics)
            clients[place] = client
            return client
        } catch {
            throw UnusableClient(
                meaning: "No connection to \(endpoint.host) can be prepared (\(error)).",
                remedy: "Check this server's settings for APNs.")
        }
    }

    private func signingKey(
        _ app: App.ID, _ environment: PushEnvironment
    ) async throws -> (credential: Credential, key: SigningKey)? {
        do {
            return try await credentials.signingKey(app: app, environment: environment)
        } catch let error as PostgresError {
            throw error
        } catch {
            throw UnusableClient(
                meaning: "The app's .p8 key for the \(environment.name) environment cannot be opened. \(error)",
                remedy: """
                    Start every worker with the sealing key that it was stored under, or delete the .p8 key and add it anew.
                    """)
        }
    }

    func shutDown() async {
        for client in clients.values { await client.shutDown() }
    }
}
