import Campaigns
import JSON
import Notifications
import Store

extension CampaignOptions {
    /// Replaces the members that the body contains; null clears an optional one.
    mutating func read(_ body: inout ObjectReader) {
        if body.takeNull("audience") { audience = .everybody }
        if body.takeNull("schedule") { schedule = nil }
        schedule = body.schedule("schedule") ?? schedule
        if body.takeNull("missed_start") { missedStart = .standard }
        missedStart =
            body.object("missed_start") { (json) throws(Problems) in try MissedStart(json: json) } ?? missedStart
        if body.takeNull("goal") { goal = .engaged }
        goal = body.object("goal") { (json) throws(Problems) in try CampaignGoal(json: json) } ?? goal
        if body.takeNull("winner") { winner = nil }
        winner = body.object("winner") { (json) throws(Problems) in try WinnerRule(json: json) } ?? winner
        if body.takeNull("control_share") { controlShare = nil }
        controlShare = body.whole("control_share", in: Self.controlShareRange) ?? controlShare
        if body.takeNull("quiet_hours") { quietHours = nil }
        quietHours =
            body.object("quiet_hours") { (json) throws(Problems) in try QuietHours(json: json) } ?? quietHours
        if body.takeNull("frequency_cap") { frequencyCap = nil }
        frequencyCap =
            body.object("frequency_cap") { (json) throws(Problems) in try FrequencyCap(json: json) } ?? frequencyCap
        ignoresQuietHours = body.bool("ignores_quiet_hours") ?? ignoresQuietHours
        ignoresFrequencyCap = body.bool("ignores_frequency_cap") ?? ignoresFrequencyCap
        ignoresGlobalControl = body.bool("ignores_global_control") ?? ignoresGlobalControl
        refuseContradictions(&body)
        if body.takeNull("pushes_per_second") { pushesPerSecond = nil }
        pushesPerSecond =
            body.whole("pushes_per_second", in: 1...Self.maximumPushesPerSecond) ?? pushesPerSecond
        if body.takeNull("rejection_threshold_percent") { rejectionThresholdPercent = nil }
        rejectionThresholdPercent = body.whole("rejection_threshold_percent", in: 1...100) ?? rejectionThresholdPercent
    }

    private func refuseContradictions(_ body: inout ObjectReader) {
        if ignoresQuietHours, quietHours != nil {
            body.refuse(
                at: "quiet_hours", "quiet-hours-ignored",
                "can't be combined with `ignores_quiet_hours`: remove one of the two")
        }
        if ignoresFrequencyCap, frequencyCap != nil {
            body.refuse(
                at: "frequency_cap", "frequency-cap-ignored",
                "can't be combined with `ignores_frequency_cap`: remove one of the two")
        }
    }

    /// Reads the audience. Adds a problem to `body` for each condition that can't match, and for a goal that nobody can
    /// reach.
    mutating func checkReferences(_ body: inout ObjectReader, _ check: AudienceCheck, app: App.ID) async throws {
        audience = try await body.audience("audience", check, app: app) ?? audience
        if controlShare != nil, goal.eventName == nil {
            body.refuse(
                at: "goal", "control-needs-event",
                "must be a custom event, because a control group gets no push that it could open; or remove `control_share`"
            )
        }
        if let name = goal.eventName, let problem = try await check.problem(ofEventName: name, app: app) {
            body.refuse([problem.inside("goal.event_name")])
        }
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
