public import Application
public import Campaigns
public import EventLoop
import JSON
public import Logging
public import Postgres
public import Store

/// Builds the API from the stores and from what reaches beyond them; no other code builds its groups. Tests pass
/// stand-ins for Apple and the web.
public struct APIGraph: Sendable {
    /// Dependencies other than stores.
    public struct Outside: Sendable {
        let pusher: any Pusher
        let testPusher: any TestPusher
        let credentialChecker: any CredentialChecker
        let mediaProbe: any MediaProbe
        /// Those of a simulator in this process.
        let phones: (any VirtualPhones)?

        public init(
            pusher: any Pusher, testPusher: any TestPusher, credentialChecker: any CredentialChecker,
            mediaProbe: any MediaProbe, phones: (any VirtualPhones)? = nil
        ) {
            self.pusher = pusher
            self.testPusher = testPusher
            self.credentialChecker = credentialChecker
            self.mediaProbe = mediaProbe
            self.phones = phones
        }
    }

    /// How the server shows itself: its version of the schema, description, addresses, and whether it is about to end.
    public struct Appearance: Sendable {
        /// The schemas that this program works with.
        let program: ProgramSchema
        let document: OpenAPIDocument
        /// The address at which people reach this server.
        let publicURL: String
        /// The address at which devices reach it.
        let devicesURL: String
        /// The destination of pushes: Apple or a simulator.
        let destination: Run.Destination
        let isStopping: Lock<Bool>
        /// Whether webhooks may be at private addresses, and at http://.
        let allowsPrivateWebhooks: Bool

        public init(
            program: ProgramSchema, document: OpenAPIDocument, publicURL: String, devicesURL: String? = nil,
            destination: Run.Destination, isStopping: Lock<Bool> = Lock(false), allowsPrivateWebhooks: Bool = false
        ) {
            self.program = program
            self.document = document
            self.publicURL = publicURL
            self.devicesURL = devicesURL ?? publicURL
            self.destination = destination
            self.isStopping = isStopping
            self.allowsPrivateWebhooks = allowsPrivateWebhooks
        }
    }

    let stores: Stores
    let registrations: RegistrationCommit
    let acknowledgements: AcknowledgementCommit
    let customEvents: CustomEventCommit
    let admission: RegistrationAdmission
    let mediaLibrary: MediaLibrary
    let outside: Outside
    let appearance: Appearance
    private let rateLimits: RateLimits
    private let logger: Logger

    // Shared by several groups.
    let keys: KnownAPIKeys
    let sessions: KnownSessions
    let topics: TopicKeyCache
    let media: MediaURLResolver
    let site: Site

    /// The stores' pool is pinned to the loop of the commits.
    public init(
        stores: Stores, registrations: RegistrationCommit, acknowledgements: AcknowledgementCommit,
        customEvents: CustomEventCommit, admission: RegistrationAdmission, mediaLibrary: MediaLibrary, outside: Outside,
        appearance: Appearance, rateLimits: RateLimits, logger: Logger
    ) {
        self.stores = stores
        self.registrations = registrations
        self.acknowledgements = acknowledgements
        self.customEvents = customEvents
        self.admission = admission
        self.mediaLibrary = mediaLibrary
        self.outside = outside
        self.appearance = appearance
        self.rateLimits = rateLimits
        self.logger = logger
        keys = KnownAPIKeys(stores.apiKeys)
        sessions = KnownSessions(stores.sessions)
        topics = TopicKeyCache(store: stores.topics)
        media = MediaURLResolver(media: stores.media, publicURL: appearance.devicesURL)
        site = Site(
            publicURL: appearance.publicURL, destination: appearance.destination,
            hasVirtualPhones: outside.phones != nil)
    }

    public func api() -> API {
        API(
            groups: server + people + apps + devices + content + campaigns + pushes,
            pipeline: Pipeline(
                limiter: RateLimiter(rateLimits),
                authentication: Authentication(keys: keys, sessions: sessions, site: site, logger: logger),
                idempotency: stores.idempotency, audit: stores.audit, pool: stores.pool,
                errors: ErrorRendering(logger: logger))
        ) { routes, router in
            AssistantRoutes(
                tools: AssistantTool.all(appearance.document.json, routes), router: router,
                version: appearance.document.json["info"]?["version"]?.asText ?? "")
        }
    }
}
