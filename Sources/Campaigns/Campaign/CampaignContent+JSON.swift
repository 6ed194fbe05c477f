public import JSON
import Notifications

extension CampaignContent {
    /// The content and the options as the API and an approval have them; the payloads of a campaign as they are stored.
    public func members() throws -> [JSON.Member] {
        try body.members() + [
            JSON.Member("variants", try variantList()),
            JSON.Member("push_type", .string(pushType.rawValue)),
            JSON.Member("priority", .number(JSON.Number(priority.rawValue))),
            JSON.Member("expiration_seconds", .number(JSON.Number(expirationSeconds))),
            JSON.Member("collapse_id", collapseID.map { .string($0.text) } ?? .null),
            JSON.Member("unknown_policy", .string(unknownPolicy.rawValue)),
            JSON.Member("topic", topic.map { .string($0.text) } ?? .null),
        ] + options.members
    }

    /// Null without an A/B test.
    private func variantList() throws -> JSON {
        guard isTest else { return .null }
        return .array(
            try zip(variants, weights).map { variant, weight in
                .object(
                    [
                        JSON.Member("name", .string(variant.name)),
                        JSON.Member("weight", .number(JSON.Number(weight))),
                    ] + (try Optional(variant.body).members()))
            })
    }
}

extension CampaignContent.Body? {
    /// At most one of them is not null, with the version of a template.
    fileprivate func members() throws -> [JSON.Member] {
        [
            JSON.Member("payload", try self?.payload.map { try JSON(parsing: $0) } ?? .null),
            JSON.Member("content", try self?.content.map { try JSON(parsing: $0) } ?? .null),
            JSON.Member("template", self?.template.map { .string($0.id.description) } ?? .null),
            JSON.Member("template_version", self?.template.map { .number(JSON.Number($0.version)) } ?? .null),
        ]
    }
}

extension CampaignOptions {
    var members: [JSON.Member] {
        [
            JSON.Member("audience", audience.json),
            JSON.Member("schedule", schedule?.json ?? .null),
            JSON.Member("missed_start", missedStart.json),
            JSON.Member("goal", goal.json),
            JSON.Member("winner", winner?.json ?? .null),
            JSON.Member("control_share", controlShare.map { .number(JSON.Number($0)) } ?? .null),
            JSON.Member("quiet_hours", quietHours?.json ?? .null),
            JSON.Member("frequency_cap", frequencyCap?.json ?? .null),
            JSON.Member("ignores_quiet_hours", .bool(ignoresQuietHours)),
            JSON.Member("ignores_frequency_cap", .bool(ignoresFrequencyCap)),
            JSON.Member("ignores_global_control", .bool(ignoresGlobalControl)),
            JSON.Member("pushes_per_second", pushesPerSecond.map { .number(JSON.Number($0)) } ?? .null),
            JSON.Member(
                "rejection_threshold_percent", rejectionThresholdPercent.map { .number(JSON.Number($0)) } ?? .null),
        ]
    }
}
