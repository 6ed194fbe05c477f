public import Application
public import Campaigns
public import HTTPServer
public import Logging
import Postgres
public import Store

/// The HTTP API: routes, authentication, JSON and error responses.
public struct API: Sendable {
    /// In the order of their declaration.
    let routes: [Route]
    let pipeline: Pipeline
    private let logger: Logger

    /// `schemaVersion` is the number of the last migration that this program knows. `groups` are routes that the caller
    /// builds, such as devices and acknowledgements. `publicURL` is the address at which people reach
    /// this server, `destination` where pushes go; `phones` are those of a simulator in this process.
    public init(
        stores: Stores, schemaVersion: Int, logger: Logger, groups: [any RouteGroup] = [], media: any MediaFinder,
        publicURL: String, destination: Run.Destination,
        phones: (any VirtualPhones)? = nil, rateLimits: RateLimits = .none
    ) {
        let keys = KnownAPIKeys(stores.apiKeys)
        let sessions = KnownSessions(stores.sessions)
        let site = Site(publicURL: publicURL, destination: destination, hasVirtualPhones: phones != nil)
        pipeline = Pipeline(
            limiter: RateLimiter(rateLimits),
            authentication: Authentication(keys: keys, sessions: sessions, site: site, logger: logger),
            idempotency: stores.idempotency, audit: stores.audit, pool: stores.pool,
            errors: ErrorRendering(logger: logger))
        let signIn = SignIn(stores: stores, hasher: PasswordHasher())
        let apps = stores.apps
        let campaigns = stores.campaigns
        let contents = ContentLoader(stores: stores, media: media)
        let launch = LaunchCheck(stores: stores, contents: contents)
        let reports = RunReports(runs: stores.runs)
        let own: [any RouteGroup] = [
            HealthRoutes(
                instance: stores.instance, readiness: ReadinessCheck(stores.readiness, on: stores.pool.loop),
                schemaVersion: schemaVersion),
            SessionRoutes(
                sessions: stores.sessions, known: sessions, signIn: signIn, audit: stores.audit,
                refused: RefusedSignIns(audit: stores.audit), site: site),
            SetUpRoutes(users: stores.users, known: sessions, signIn: signIn, audit: stores.audit, site: site),
            UserRoutes(
                users: stores.users, links: stores.signInLinks, known: sessions, keys: stores.apiKeys, knownKeys: keys,
                site: site),
            AuditRoutes(audit: stores.audit), LastChangeRoutes(audit: stores.audit),
            AppRoutes(apps: apps),
            IdentityKeyRoutes(keys: stores.identityKeys),
            CredentialRoutes(apps: apps, credentials: stores.credentials),
            KeyRoutes(apps: apps, keys: stores.apiKeys, known: keys),
            TopicRoutes(apps: apps, topics: stores.topics),
            TagChangeRoutes(
                apps: apps, changes: stores.tagChanges, segments: stores.segments, check: stores.audienceChecks),
            VirtualPhoneRoutes(apps: apps, phones: phones),
            PeopleRoutes(apps: apps, people: stores.people),
            DeviceHistoryRoutes(apps: apps, devices: stores.devices, history: stores.deviceHistory),
            EventRoutes(apps: apps, events: stores.events, counts: stores.counts),
            RetentionRoutes(apps: apps, retention: stores.retention),
            WhyRoutes(
                devices: stores.devices, addressed: stores.addressedDevices, runs: stores.runs, why: stores.why,
                contents: SentContents(
                    contents: RunContents(runs: stores.runContents, media: media), messageKeys: stores.messageKeys)),
            StatisticsRoutes(apps: apps, counts: stores.counts),
            DeviceValueRoutes(apps: apps, values: stores.deviceValues),
            CategoryRoutes(
                apps: apps, categories: stores.categories, registered: RegisteredCategories(stores.categories)),
            LocalPlanRoutes(apps: apps, plans: stores.localPlans, active: ActivePlans(stores.localPlans)),
            TemplateRoutes(
                apps: apps, templates: stores.templates, campaigns: campaigns, contents: contents,
                devices: stores.addressedDevices),
            SegmentRoutes(
                apps: apps, segments: stores.segments, check: stores.audienceChecks, counts: stores.audienceCounts),
            CampaignRoutes(
                apps: apps, campaigns: campaigns, contents: contents, audiences: stores.audienceChecks,
                forecaster: Forecaster(stores: stores, contents: contents), launch: launch, runs: stores.runs),
            CampaignTransitionRoutes(
                campaigns: campaigns, runs: stores.runs,
                starter: CampaignStarter(stores: stores, contents: contents),
                answers: CampaignAnswers(contents: contents),
                trigger: CampaignTrigger(stores: stores, contents: contents), launch: launch),
            RunRoutes(apps: apps, campaigns: campaigns, runs: stores.runs, reports: reports),
            DeliveryRoutes(runs: stores.runs),
            ProgressRoute(progress: RunProgress(reports: reports)),
        ]
        var routes = Routes()
        for group in own + groups { routes.add(group) }
        self.routes = routes.declared
        self.logger = logger
    }

    /// A router with all routes. The caller adds static files with `setFallback`.
    public func router() -> Router { pipeline.router(of: routes, logger: logger) }
}
