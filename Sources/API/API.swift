public import HTTPServer
public import Logging
public import Postgres
public import Store

/// People's side: routes, credentials, JSON, errors. A value that makes a router.
public struct API: Sendable {
    private let keys: APIKeyStore
    private let groups: [any RouteGroup]
    private let logger: Logger

    /// `schemaVersion` is the number of the last migration that this program knows; `groups` are the routes that are
    /// made elsewhere, such as devices and acknowledgements, `media` finds what templates name, and `timeZones` are the
    /// names that schedules may use.
    public init(
        pool: PostgresPool, sealingKey: SealingKey, schemaVersion: Int, logger: Logger, groups: [any RouteGroup] = [],
        media: any MediaFinder, timeZones: Set<String>
    ) {
        keys = APIKeyStore(pool: pool)
        let apps = AppStore(pool: pool, sealingKey: sealingKey)
        let campaigns = CampaignStore(pool: pool)
        let runs = RunStore(pool: pool)
        let templates = TemplateStore(pool: pool)
        let contents = Contents(templates: templates, contexts: ContentContextStore(pool: pool), media: media)
        let reports = RunReports(runs: runs)
        let launch = LaunchCheck(
            campaigns: campaigns, content: LaunchContentCheck(contents: contents),
            credentials: CredentialStore(pool: pool, sealingKey: sealingKey), segments: SegmentStore(pool: pool),
            counts: AudienceCountStore(pool: pool))
        let own: [any RouteGroup] = [
            HealthRoutes(instance: InstanceStore(pool: pool), schemaVersion: schemaVersion),
            DescriptionRoute(),
            AppRoutes(apps: apps),
            CredentialRoutes(apps: apps, credentials: CredentialStore(pool: pool, sealingKey: sealingKey)),
            KeyRoutes(apps: apps, keys: keys),
            TopicRoutes(apps: apps, topics: TopicStore(pool: pool)),
            PeopleRoutes(apps: apps, people: PersonStore(pool: pool)),
            CategoryRoutes(apps: apps, categories: CategoryStore(pool: pool)),
            LocalPlanRoutes(apps: apps, plans: LocalPlanStore(pool: pool)),
            TemplateRoutes(
                apps: apps, templates: templates, campaigns: campaigns, contents: contents,
                devices: AddressedDeviceStore(pool: pool)),
            SegmentRoutes(
                apps: apps, segments: SegmentStore(pool: pool), check: AudienceCheck(pool: pool),
                counts: AudienceCountStore(pool: pool)),
            CampaignRoutes(
                apps: apps, campaigns: campaigns, contents: contents, audiences: AudienceCheck(pool: pool),
                forecasts: ForecastStore(pool: pool, apps: apps, contents: contents), launch: launch,
                timeZones: timeZones),
            CampaignMoveRoutes(
                campaigns: campaigns, triggers: TriggerStore(pool: pool, media: media),
                launch: launch, timeZones: timeZones),
            RunRoutes(campaigns: campaigns, runs: runs, reports: reports),
            ProgressRoute(progress: RunProgress(reports: reports)),
        ]
        self.groups = own + groups
        self.logger = logger
    }

    /// All routes. Static files are added to it by `setFallback`.
    public func router() -> Router {
        let errors = ErrorRendering(logger: logger)
        var routes = Routes(authentication: Authentication(keys: keys), errors: errors, logger: logger)
        for group in groups { group.add(to: &routes) }
        return routes.router
    }
}
