import APNS
import Campaigns
import Crypto
import EventLoop
import JSON
import Logging
import Metrics
import Postgres
import Store

/// One client per credential and environment, created on first use.
actor APNSClientCache {
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

    /// Nil when the app has no credential for the environment. The credential is read for each batch, so a replaced one
    /// is used from the next batch on. Throws `ClientUnavailable`, or `PostgresError` when it can't be read.
    func client(for app: App.ID, _ environment: PushEnvironment) async throws -> APNSClient? {
        guard let (credential, key) = try await signingKey(app, environment) else { return nil }
        let cacheKey = Key(credential: credential.id, environment: environment)
        if let client = clients[cacheKey] { return client }
        let endpoint = endpoints[environment]
        do {
            let client = try APNSClient(
                endpoint: endpoint, tokens: SharedTokenSource(credential: credential, key: key, store: tokens),
                reasons: reasons, options: options, loop: loop, logger: logger, key: "\(credential.keyID)",
                metrics: metrics)
            clients[cacheKey] = client
            return client
        } catch {
            throw ClientUnavailable(
                meaning: "Connections to \(endpoint.host) can't be configured (\(verbatim: error)).",
                remedy: "Check this server's APNs settings.")
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
            throw ClientUnavailable(
                meaning:
                    "The app's .p8 key for the \(environment.name) environment can't be decrypted. \(verbatim: error)",
                remedy: """
                    Start every worker with the sealing key that it was stored under, or delete the .p8 key and add \
                    it again.
                    """)
        }
    }

    func shutDown() async {
        for client in clients.values { await client.shutDown() }
    }
}
