public import Campaigns
import Experiments
public import JSON
import Notifications
public import Postgres

/// A campaign as it is stored.
public struct CampaignRecord: Hashable, Sendable {
    public let id: Campaign.ID
    public let app: App.ID
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    public let archivedAt: Timestamp?
    /// Raised by every edit and every state change.
    public let version: Int
    public let state: CampaignState
    /// Why it is paused or failed, or why an occurrence was skipped, as text for a person.
    public let reason: Message?
    /// While it is scheduled: when it is examined next, to start it or to plan it ahead.
    public let nextCheckAt: Timestamp?
    /// Occurrences of the schedule that begin up to this time have been started or skipped.
    public let handledUntil: Timestamp?
    /// When its schedule was paused; nil: it is not.
    public let schedulePausedAt: Timestamp?
    /// When a start by hand takes effect; nil: no start is delayed.
    public let startsAt: Timestamp?
    public let content: CampaignContent
    /// Nil without an A/B test.
    let weights: VariantWeights?
    let runsStarted: Int
    /// Draws who gets which variant, and who is in the control group.
    let salt: Int64

    public var status: CampaignStatus {
        CampaignStatus(
            state, schedule: content.schedule, isSchedulePaused: schedulePausedAt != nil,
            isStarting: startsAt != nil)
    }
}

extension CampaignRecord {
    static let columns: PostgresQuery = """
        id, app_id, created_at, updated_at, version, state, reason, reason_localization, next_check_at, archived_at, handled_until,
        schedule_paused_at, starts_at, runs_started, salt, \(CampaignContent.readColumns)
        """

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        version = try row["version"]
        state = try row["state"]
        reason = try row.reason()
        nextCheckAt = try row["next_check_at"]
        archivedAt = try row["archived_at"]
        handledUntil = try row["handled_until"]
        schedulePausedAt = try row["schedule_paused_at"]
        startsAt = try row["starts_at"]
        content = try CampaignContent(row)
        weights = try VariantWeights.read(row["variant_weights"])
        runsStarted = try row["runs_started"]
        salt = try row["salt"]
    }
}

extension CampaignRecord {
    /// The draws of a forecast: of control groups, and of times; nil without both. Texts have no part in it.
    public func forecastDraws(_ holdout: GlobalHoldout?) throws -> RecipientDraws? {
        let holdout = content.ignoresGlobalControl ? nil : holdout
        guard content.controlShare != nil || holdout != nil || content.testsTimes else { return nil }
        return RecipientDraws(
            salt: salt, map: content.testsTimes ? try VariantMap(weights: TimeGroup.weights).variants : nil,
            testsTimes: content.testsTimes, controlShare: content.controlShare, holdout: holdout)
    }

    /// The weights of what is compared: of texts, or of times. Nil: nothing is.
    var comparedWeights: VariantWeights? { weights ?? (content.testsTimes ? VariantWeights(TimeGroup.weights) : nil) }

    /// The weights to store with an edited content. Before the first run, the history starts over.
    func weights(for content: CampaignContent) throws -> VariantWeights? {
        guard runsStarted > 0 else { return content.isTest ? VariantWeights(content.weights) : nil }
        guard content.controlShare == self.content.controlShare else { throw Refusal.controlWasSent }
        let isMeasured = weights != nil || content.controlShare != nil
        guard !isMeasured || content.goal == self.content.goal else { throw Refusal.goalWasSent }
        guard let weights else { return content.isTest ? VariantWeights(content.weights) : nil }
        guard content.isTest else { throw Refusal.variantWasSent }
        return try weights.changed(to: content.weights)
    }
}
