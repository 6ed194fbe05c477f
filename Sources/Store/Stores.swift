import Campaigns
public import Crypto
public import Postgres

/// Every store of one database, built from a pool and the key that seals its secrets.
public struct Stores: Sendable {
    public let pool: PostgresPool
    public let sealingKeys: SealingKeyRing

    public init(pool: PostgresPool, sealingKeys: SealingKeyRing) {
        self.pool = pool
        self.sealingKeys = sealingKeys
    }

    public var instance: InstanceStore { InstanceStore(pool: pool) }
    public var readiness: ReadinessStore { ReadinessStore(pool: pool) }
    public var identity: IdentityStore { IdentityStore(pool: pool) }
    public var clockCorrections: ClockStore { ClockStore(pool: pool) }
    public var sealedRecords: SealedRecordStore { SealedRecordStore(pool: pool, sealingKeys: sealingKeys) }
    public var clock: DatabaseClock { DatabaseClock(pool: pool) }
    public var analyze: AnalyzeStore { AnalyzeStore(pool: pool) }

    // MARK: Apps

    public var apps: AppStore { AppStore(pool: pool, sealingKeys: sealingKeys) }
    public var idempotency: IdempotencyStore { IdempotencyStore(pool: pool, sealingKeys: sealingKeys) }
    public var apiKeys: APIKeyStore { APIKeyStore(pool: pool) }
    public var credentials: CredentialStore { CredentialStore(pool: pool, sealingKeys: sealingKeys) }
    public var messageKeys: MessageKeyStore { MessageKeyStore(pool: pool, sealingKeys: sealingKeys) }
    public var identityKeys: IdentityKeyStore { IdentityKeyStore(pool: pool, sealingKeys: sealingKeys) }
    public var providerTokens: ProviderTokenStore { ProviderTokenStore(pool: pool, sealingKeys: sealingKeys) }
    public var topics: TopicStore { TopicStore(pool: pool) }
    public var webhooks: WebhookStore { WebhookStore(pool: pool, sealingKeys: sealingKeys) }
    public var webhookDeliveries: WebhookDeliveryStore { WebhookDeliveryStore(pool: pool) }
    public var webhookQueue: WebhookQueueStore { WebhookQueueStore(pool: pool, sealingKeys: sealingKeys) }

    // MARK: People who sign in

    public var users: UserStore { UserStore(pool: pool) }
    public var passwords: PasswordStore { PasswordStore(pool: pool) }
    public var sessions: SessionStore { SessionStore(pool: pool) }
    public var audit: AuditStore { AuditStore(pool: pool) }
    public var signInLinks: SignInLinkStore { SignInLinkStore(pool: pool) }

    // MARK: Devices

    public var devices: DeviceStore { DeviceStore(pool: pool) }
    public var deviceHistory: DeviceHistoryStore { DeviceHistoryStore(pool: pool) }
    public var deviceValues: DeviceValueStore { DeviceValueStore(pool: pool) }
    public var addressedDevices: AddressedDeviceStore { AddressedDeviceStore(pool: pool) }
    public var targets: TargetStore { TargetStore(pool: pool) }
    public var people: PersonStore { PersonStore(pool: pool) }
    public var tagChanges: TagChangeStore { TagChangeStore(pool: pool) }
    public var tagChangeSteps: TagChangeSteps { TagChangeSteps(pool: pool) }
    public var registrations: RegistrationStore { RegistrationStore(pool: pool) }
    public var statistics: StatisticsStore { StatisticsStore(pool: pool) }
    public var events: EventStore { EventStore(pool: pool) }
    public var analystRoles: AnalystRoleStore { AnalystRoleStore(pool: pool) }
    public var why: WhyStore { WhyStore(pool: pool) }
    public var backlog: BacklogStore { BacklogStore(pool: pool) }
    public var databaseState: DatabaseStateStore { DatabaseStateStore(pool: pool) }
    public var processes: ProcessStore { ProcessStore(pool: pool) }
    public var status: StatusStore { StatusStore(pool: pool) }
    public var conversions: ConversionStore { ConversionStore(pool: pool) }
    public var responseHours: ResponseHoursStore { ResponseHoursStore(pool: pool) }
    public var testCounts: TestCountStore { TestCountStore(pool: pool) }
    public var effectCounts: EffectCountStore { EffectCountStore(pool: pool) }
    public var controlPeriods: ControlPeriodStore { ControlPeriodStore(pool: pool) }
    public var testDecisions: TestDecisionStore { TestDecisionStore(pool: pool) }
    public var testBases: TestBasisStore { TestBasisStore(pool: pool) }
    public var countMerges: CountMergeStore { CountMergeStore(pool: pool) }
    public var retention: RetentionStore { RetentionStore(pool: pool) }
    public var messageRanges: MessageRangeStore { MessageRangeStore(pool: pool) }
    public var acknowledgements: AcknowledgementStore { AcknowledgementStore(pool: pool) }
    public var customEvents: CustomEventStore { CustomEventStore(pool: pool) }
    public var customEventNames: CustomEventNameStore { CustomEventNameStore(pool: pool) }
    public var customEventWeeks: CustomEventWeekStore { CustomEventWeekStore(pool: pool) }
    public var retiring: DeviceRetirementStore { DeviceRetirementStore(pool: pool) }

    // MARK: Content

    public var categories: CategoryStore { CategoryStore(pool: pool) }
    public var localPlans: LocalPlanStore { LocalPlanStore(pool: pool) }
    public var localEvents: LocalEventStore { LocalEventStore(pool: pool) }
    public var templates: TemplateStore { TemplateStore(pool: pool) }
    public var contentContexts: ContentContextStore { ContentContextStore(pool: pool) }
    public var media: MediaStore { MediaStore(pool: pool) }

    // MARK: Campaigns and runs

    public var segments: SegmentStore { SegmentStore(pool: pool) }
    public var audienceChecks: AudienceCheck { AudienceCheck(pool: pool) }
    public var audienceCounts: AudienceCountStore { AudienceCountStore(pool: pool) }
    public var campaigns: CampaignStore { CampaignStore(pool: pool) }
    public var approvals: ApprovalStore { ApprovalStore(pool: pool) }
    public var dueCampaigns: DueCampaignStore { DueCampaignStore(pool: pool) }
    public var triggers: TriggerStore { TriggerStore(pool: pool) }
    public var forecasts: ForecastStore { ForecastStore(pool: pool) }
    public var runHistory: RunHistoryStore { RunHistoryStore(pool: pool) }
    public var runs: RunStore { RunStore(pool: pool) }
    public var runContents: RunContentStore { RunContentStore(pool: pool) }
    public var runPauses: RunPauseStore { RunPauseStore(pool: pool) }
    public var finishes: FinishStore { FinishStore(pool: pool) }
    public var rateLimits: RateLimitStore { RateLimitStore(pool: pool) }

    // MARK: Planning and batches. `owner` is the process that holds leases.

    public var planRules: PlanRuleStore { PlanRuleStore(pool: pool) }
    public func plans(owner: ProcessID) -> PlanStore { PlanStore(pool: pool, owner: owner) }
    public var late: OverdueBatchStore { OverdueBatchStore(pool: pool, rules: planRules) }
    public func claims(owner: ProcessID) -> ClaimStore { ClaimStore(pool: pool, owner: owner) }
    public func flushes(owner: ProcessID) -> FlushStore { FlushStore(pool: pool, owner: owner) }
    public var recipients: RecipientStore { RecipientStore(pool: pool) }
    public var outcomeCodes: OutcomeCodeStore { OutcomeCodeStore(pool: pool) }

    // MARK: Transactional pushes

    public func pushes(owner: ProcessID) -> PushStore { PushStore(pool: pool, owner: owner) }
    public var pushKeys: PushKeyStore { PushKeyStore(pool: pool) }
    public var sentPushes: SentPushStore { SentPushStore(pool: pool) }
}
