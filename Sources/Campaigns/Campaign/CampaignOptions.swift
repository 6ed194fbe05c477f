/// Who gets a campaign, when, and within which limits: everything except what is sent.
public struct CampaignOptions: Hashable, Sendable {
    public static let maximumPushesPerSecond = 1_000_000
    public static let defaultRejectionThresholdPercent = 50
    public static let controlShareRange = 10...500

    public var audience = Audience.everybody
    /// Nil: the campaign is started manually.
    public var schedule: Schedule?
    public var missedStart = MissedStart.standard
    public var goal = CampaignGoal.engaged
    /// Only of an A/B test that is sent once. Nil: all get a variant of the test.
    public var winner: WinnerRule?
    /// The part of the recipients who get nothing, in thousandths, so that the effect on the custom event of the goal can
    /// be seen. Nil: nobody.
    public var controlShare: Int?
    /// In place of the app's; nil: those of the app.
    public var quietHours: QuietHours?
    public var frequencyCap: FrequencyCap?
    /// For urgent campaigns: the app's quiet hours do not apply.
    public var ignoresQuietHours = false
    /// Ignores the app's frequency cap. Its pushes still count for later campaigns.
    public var ignoresFrequencyCap = false
    /// For what must reach everybody: also sent to the app's global control group, and not measured with it.
    public var ignoresGlobalControl = false
    /// Over all processes together; nil: unlimited.
    public var pushesPerSecond: Int?
    /// The percentage of rejections above which the run is paused; nil: never.
    public var rejectionThresholdPercent: Int? = defaultRejectionThresholdPercent

    public init() {}

    /// The quiet hours that apply to the campaign, given those of its app.
    public func quietHours(ofApp app: QuietHours?) -> QuietHours? { ignoresQuietHours ? nil : quietHours ?? app }

    /// The same for the frequency cap.
    public func frequencyCap(ofApp app: FrequencyCap?) -> FrequencyCap? {
        ignoresFrequencyCap ? nil : frequencyCap ?? app
    }
}
