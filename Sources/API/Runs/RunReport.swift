import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// The report of a run: its ledger, the reasons in it, and the acknowledgements of devices.
struct RunReport: Equatable {
    let run: RunRecord
    /// Of an A/B test; none without one.
    let variants: [RunVariant]
    let reasons: [ReasonCount]
    /// Devices that reported an event of a push that was not sent to them; nil until they have been counted.
    let unexpected: Int?
}

extension RunRecord {
    /// Why it is paused, or why it waits.
    private var shownReason: Message? { reason ?? (state == .sending ? lastAnswer?.text : nil) }

    /// The run and its ledger.
    var members: [JSON.Member] {
        var members: [JSON.Member] = [
            JSON.Member("id", .id(id)), JSON.Member("app_id", .id(app)), JSON.Member("campaign_id", .id(campaign)),
            JSON.Member("version", .count(version)),
            JSON.Member("state", .string(stateName)), JSON.Member("next_at", .time(nextAt)),
            JSON.Member("reason", .text(shownReason)),
            JSON.Member("reason_localization", .localization(shownReason)),
            JSON.Member("last_answer", lastAnswer?.json ?? .null),
            JSON.Member("progress", .number(JSON.Number(shortest: progress))),
            JSON.Member("destination", .text(destination?.rawValue)),
            JSON.Member("occurrence", .text(occurrence?.text)),
            JSON.Member("best_time_until", .text(occurrence?.bestTimeUntil)),
            JSON.Member("values", values ?? .null),
            JSON.Member("pushes_per_second", pushesPerSecond.map { .count($0) } ?? .null),
            JSON.Member("started_at", .time(startedAt)), JSON.Member("planned_at", .time(plannedAt)),
            JSON.Member("finished_at", .time(finishedAt)), JSON.Member("verified_at", .time(verifiedAt)),
            JSON.Member("expires_at", .time(expiresAt)), JSON.Member("estimated", .count(estimated)),
            JSON.Member("targeted", .count(targeted)),
        ]
        members += OutcomeKind.allCases.map { JSON.Member($0.rawValue, .count(ledger[$0])) }
        members.append(JSON.Member("resent", .count(ledger.resent)))
        members.append(JSON.Member("recipients_deleted_at", .time(recipientsDeletedAt)))
        members.append(JSON.Member("balanced", .bool(isBalanced)))
        members.append(JSON.Member("delivered", .count(delivered)))
        members.append(JSON.Member("opened", .count(opened)))
        members.append(JSON.Member("engaged", .count(engaged)))
        return members
    }
}

extension RunRecord {
    /// The values of the run that a list of campaigns shows.
    var summary: JSON {
        [
            "id": .id(id), "state": .string(stateName), "next_at": .time(nextAt),
            "progress": .number(JSON.Number(shortest: progress)), "targeted": .count(targeted),
            "accepted": .count(ledger[.accepted]), "delivered": .count(delivered), "opened": .count(opened),
            "engaged": .count(engaged),
            "started_at": .time(startedAt),
            "finished_at": .time(finishedAt), "verified_at": .time(verifiedAt),
        ]
    }
}

extension RunReport {
    /// `rate` is in pushes per second; progress events have it.
    func json(rate: Int? = nil) -> JSON {
        let reasons = reasons.map { count in
            [
                "outcome": .string(count.reason.kind.rawValue), "reason": .string(count.reason.reason),
                "count": .count(count.count),
            ] as JSON
        }
        var members = run.members
        let compared = run.testsTimes ? "times" : "contents"
        members.append(JSON.Member("compares", variants.isEmpty ? .null : .string(compared)))
        members.append(JSON.Member("variants", variants.isEmpty ? .null : .array(variants.map(\.json))))
        members.append(JSON.Member("reasons", .array(reasons)))
        members.append(JSON.Member("unexpected_acknowledgements", unexpected.map { .count($0) } ?? .null))
        if let rate { members.append(JSON.Member("rate", .count(rate))) }
        return .object(members)
    }
}

extension RunVariant {
    fileprivate var json: JSON {
        .object(
            [
                JSON.Member("variant", .count(place)), JSON.Member("name", .string(name)),
                JSON.Member("targeted", .count(ledger.targeted)),
            ] + OutcomeKind.allCases.map { JSON.Member($0.rawValue, .count(ledger[$0])) } + [
                JSON.Member("resent", .count(ledger.resent)), JSON.Member("delivered", .count(delivered)),
                JSON.Member("opened", .count(opened)), JSON.Member("engaged", .count(engaged)),
            ])
    }
}

extension LastAnswer {
    var json: JSON {
        [
            "status": answer.status.map { .count($0) } ?? .null, "reason": .string(reason),
            "answered_at": .time(Timestamp(microseconds: at.microseconds)),
        ]
    }
}
