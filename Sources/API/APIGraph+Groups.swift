import Application
import Postgres
import Store

/// The groups of routes by subject. Docs/routes.md lists the routes of each.
extension APIGraph {
    var server: [any RouteGroup] {
        [
            HealthRoutes(
                readiness: ReadinessCheck(
                    stores, program: appearance.program, isStopping: appearance.isStopping, on: stores.pool.loop)),
            StatusRoutes(status: stores.status),
            appearance.document,
        ]
    }

    /// Those who sign in.
    var people: [any RouteGroup] {
        let signIn = SignIn(stores: stores, hasher: PasswordHasher())
        return [
            SessionRoutes(
                sessions: stores.sessions, known: sessions, signIn: signIn, audit: stores.audit,
                refused: RefusedSignIns(audit: stores.audit), site: site),
            SetUpRoutes(users: stores.users, known: sessions, signIn: signIn, audit: stores.audit, site: site),
            UserRoutes(
                users: stores.users, links: stores.signInLinks, known: sessions, keys: stores.apiKeys, knownKeys: keys,
                site: site),
            AuditRoutes(audit: stores.audit),
            LastChangeRoutes(audit: stores.audit),
        ]
    }

    var apps: [any RouteGroup] {
        let apps = stores.apps
        return [
            AppRoutes(apps: apps),
            IdentityKeyRoutes(keys: stores.identityKeys),
            CredentialRoutes(apps: apps, credentials: stores.credentials),
            CredentialCheckRoutes(apps: apps, checker: outside.credentialChecker),
            KeyRoutes(apps: apps, keys: stores.apiKeys, known: keys),
            TopicRoutes(apps: apps, topics: stores.topics),
            RetentionRoutes(apps: apps, retention: stores.retention),
            WebhookRoutes(
                apps: apps, webhooks: stores.webhooks, deliveries: stores.webhookDeliveries,
                allowsPrivate: appearance.allowsPrivateWebhooks),
        ]
    }

    var devices: [any RouteGroup] {
        let apps = stores.apps
        let sent = SentContents(
            contents: RunContents(runs: stores.runContents, media: media), messageKeys: stores.messageKeys)
        return [
            DeviceRoutes(
                apps: apps, devices: stores.devices, segments: stores.segments, registrations: registrations,
                admission: admission, topics: topics),
            AcknowledgementRoutes(
                keys: MessageKeyCache(store: stores.messageKeys), acknowledgements: acknowledgements),
            CustomEventRoutes(customEvents: customEvents),
            CustomEventNameRoutes(apps: apps, names: stores.customEventNames),
            DeviceHistoryRoutes(apps: apps, devices: stores.devices, history: stores.deviceHistory),
            DeviceValueRoutes(apps: apps, values: stores.deviceValues),
            PeopleRoutes(apps: apps, people: stores.people),
            TagChangeRoutes(
                apps: apps, changes: stores.tagChanges, segments: stores.segments, check: stores.audienceChecks),
            VirtualPhoneRoutes(apps: apps, phones: outside.phones),
            EventRoutes(apps: apps, events: stores.events, statistics: stores.statistics),
            WhyRoutes(
                devices: stores.devices, addressed: stores.addressedDevices, runs: stores.runs, why: stores.why,
                contents: sent),
        ]
    }

    private var contents: ContentLoader { ContentLoader(stores: stores, media: media) }

    var content: [any RouteGroup] {
        let apps = stores.apps
        return [
            MediaRoutes(apps: apps, library: mediaLibrary, probe: outside.mediaProbe, addresses: media),
            CategoryRoutes(
                apps: apps, categories: stores.categories, registered: RegisteredCategories(stores.categories)),
            ClientConfigurationRoutes(apps: apps, categories: stores.categories, plans: stores.localPlans),
            LocalPlanRoutes(apps: apps, plans: stores.localPlans, active: ActivePlans(stores.localPlans)),
            LocalEventRoutes(plans: stores.localPlans, events: stores.localEvents),
            TemplateRoutes(
                apps: apps, templates: stores.templates, campaigns: stores.campaigns, contents: contents,
                devices: stores.addressedDevices),
            SegmentRoutes(
                apps: apps, segments: stores.segments, check: stores.audienceChecks, counts: stores.audienceCounts),
        ]
    }

    var campaigns: [any RouteGroup] {
        let (apps, campaigns) = (stores.apps, stores.campaigns)
        let launch = LaunchCheck(stores: stores, contents: contents)
        let reports = RunReports(runs: stores.runs)
        return [
            CampaignRoutes(
                apps: apps, campaigns: campaigns, contents: contents, audiences: stores.audienceChecks,
                forecaster: Forecaster(stores: stores, contents: contents), launch: launch, runs: stores.runs,
                approvals: stores.approvals),
            CampaignTransitionRoutes(
                campaigns: campaigns, runs: stores.runs,
                starter: CampaignStarter(stores: stores, contents: contents),
                answers: CampaignAnswers(contents: contents, approvals: stores.approvals),
                trigger: CampaignTrigger(stores: stores, contents: contents), launch: launch),
            ApprovalRoutes(
                apps: apps, campaigns: campaigns, approvals: stores.approvals, segments: stores.segments,
                check: ApprovalCheck(stores: stores), launch: launch),
            ControlPeriodRoutes(apps: apps, periods: stores.controlPeriods),
            EffectRoutes(campaigns: campaigns, effects: stores.effectCounts),
            TestRoutes(campaigns: campaigns, tests: stores.testCounts, decisions: stores.testDecisions),
            RunRoutes(apps: apps, campaigns: campaigns, runs: stores.runs, reports: reports),
            ProgressRoute(progress: RunProgress(reports: reports)),
            DeliveryRoutes(runs: stores.runs),
            StatisticsRoutes(
                apps: apps, statistics: stores.statistics, events: stores.customEventNames),
            ConversionRoutes(apps: apps, conversions: stores.conversions, statistics: stores.statistics),
        ]
    }

    var pushes: [any RouteGroup] {
        [
            PushRoutes(
                stores: stores, pusher: outside.pusher, contents: contents, topics: topics, on: stores.pool.loop),
            TestPushRoutes(stores: stores, pusher: outside.testPusher, contents: contents),
        ]
    }
}
