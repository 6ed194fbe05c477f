import Campaigns
import JSON
import Notifications
import Store

/// Reads the audience, schedule and limits of a campaign: everything except its content.
struct CampaignOptions {
    private var audience = Audience.everybody
    private var schedule: Schedule?
    private var missedStart = MissedStart.standard
    private var ignoresQuietHours = false
    private var ignoresFrequencyCap = false
    private var pushesPerSecond: Int?
    private var rejectionThresholdPercent: Int? = CampaignContent.defaultRejectionThresholdPercent

    init() {}

    init(_ content: CampaignContent) {
        audience = content.audience
        schedule = content.schedule
        missedStart = content.missedStart
        ignoresQuietHours = content.ignoresQuietHours
        ignoresFrequencyCap = content.ignoresFrequencyCap
        pushesPerSecond = content.pushesPerSecond
        rejectionThresholdPercent = content.rejectionThresholdPercent
    }

    mutating func read(_ body: inout ObjectReader) {
        if body.takeNull("audience") { audience = .everybody }
        if body.takeNull("schedule") { schedule = nil }
        schedule = body.schedule("schedule") ?? schedule
        if body.takeNull("missed_start") { missedStart = .standard }
        missedStart =
            body.object("missed_start") { (json) throws(Problems) in try MissedStart(json: json) } ?? missedStart
        ignoresQuietHours = body.bool("ignores_quiet_hours") ?? ignoresQuietHours
        ignoresFrequencyCap = body.bool("ignores_frequency_cap") ?? ignoresFrequencyCap
        if body.takeNull("pushes_per_second") { pushesPerSecond = nil }
        pushesPerSecond =
            body.whole("pushes_per_second", in: 1...CampaignContent.maximumPushesPerSecond) ?? pushesPerSecond
        if body.takeNull("rejection_threshold_percent") { rejectionThresholdPercent = nil }
        rejectionThresholdPercent = body.whole("rejection_threshold_percent", in: 1...100) ?? rejectionThresholdPercent
    }

    /// Reads the audience. Adds a problem to `body` for each condition that can't match.
    mutating func checkAudience(_ body: inout ObjectReader, _ check: AudienceCheck, app: App.ID) async throws {
        audience = try await body.audience("audience", check, app: app) ?? audience
    }

    func apply(to content: inout CampaignContent) {
        content.audience = audience
        content.schedule = schedule
        content.missedStart = missedStart
        content.ignoresQuietHours = ignoresQuietHours
        content.ignoresFrequencyCap = ignoresFrequencyCap
        content.pushesPerSecond = pushesPerSecond
        content.rejectionThresholdPercent = rejectionThresholdPercent
    }
}

extension ObjectReader {
    /// Reads a member with its own reader, and adds that reader's problems under the member's path.
    mutating func object<Value>(_ key: String, _ read: (JSON) throws(Problems) -> Value) -> Value? {
        guard let json = take(key) else { return nil }
        do throws(Problems) {
            return try read(json)
        } catch {
            refuse(error.problems.map { $0.inside(key) })
            return nil
        }
    }

    mutating func schedule(_ key: String) -> Schedule? {
        object(key) { (json) throws(Problems) in try Schedule(json: json) }
    }
}
