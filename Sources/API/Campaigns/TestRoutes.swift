import Administration
import Application
import Campaigns
import Experiments
import HTTPServer
import HTTPTypes
import JSON
import Store

/// The result of a campaign's A/B test, and the decision about the part of the audience that waits for it.
struct TestRoutes: RouteGroup {
    let campaigns: CampaignStore
    let tests: TestCountStore
    let decisions: TestDecisionStore

    func add(to routes: inout Routes) {
        routes.addForApp(.get, "/campaigns/{campaign}/test", for: .permission(.campaignsRead)) { call in
            try await result(of: campaigns.find(call.campaign, app: call.app))
        }
        routes.addForApp(.post, "/campaigns/{campaign}/test/decision", for: .permission(.campaignsSend)) { call in
            let campaign = try await campaigns.find(call.campaign, app: call.app)
            guard campaign.content.isTest else { throw Refusal.noTest }
            var body = try await ObjectReader(call.request)
            body.require("variant")
            let variant = body.whole("variant", in: 0...campaign.content.variants.count - 1)
            try body.finish()
            try await decide(campaign, variant, by: call.caller)
            return try await result(of: campaign)
        }
    }

    private func decide(_ campaign: CampaignRecord, _ variant: Int?, by caller: Caller) async throws {
        guard let waiting = try await decisions.decision(of: campaign), !waiting.isOver else { throw Refusal.noRest }
        guard waiting.decidedAt == nil else { throw Refusal.testDecided }
        guard waiting.plannedAt != nil else { throw Refusal.testNotPlanned }
        let person: User.ID? = if case .person(let signedIn, _) = caller { signedIn.user.id } else { nil }
        let report = try await tests.counts(of: campaign).map { TestReport($0) }
        let decision = report.decision(variant, .byHand, by: person)
        guard try await decisions.decide(Run.Key(app: campaign.app, id: waiting.run), decision) else {
            throw Refusal.testDecided
        }
    }

    private func result(of campaign: CampaignRecord) async throws -> Response {
        guard !campaign.content.comparedNames.isEmpty else { throw Refusal.noTest }
        let report = TestReport(try await tests.counts(of: campaign) ?? .none(of: campaign))
        let rest = try await decisions.decision(of: campaign)
        return .json(
            report.json(
                compares: campaign.content.testsTimes ? "times" : "contents",
                rest: rest?.json(of: campaign) ?? .null))
    }
}

extension TestCounts {
    /// Before the first count.
    fileprivate static func none(of campaign: CampaignRecord) -> TestCounts {
        TestCounts(
            goal: campaign.content.goal, countedAt: campaign.updatedAt, decidesAt: nil, isFinal: false,
            isOpenEnded: false, variants: [])
    }
}

extension TestDecision {
    private var state: String {
        if let reason { return reason == .expired ? "expired" : "decided" }
        return isOver ? "cancelled" : askedAt == nil ? "waiting" : "asked"
    }

    fileprivate func json(of campaign: CampaignRecord) -> JSON {
        [
            "state": .string(state), "devices": .count(rest), "rule": campaign.content.winner?.json ?? .null,
            "asked_at": .time(askedAt), "decided_at": .time(decidedAt), "decided_by": .text(decidedBy),
            "variant": variant.map { .count($0) } ?? .null, "reason": .text(reason?.rawValue),
        ]
    }
}

extension TestReport {
    fileprivate func json(compares: String, rest: JSON) -> JSON {
        let isCounted = !counts.variants.isEmpty
        return [
            "compares": .string(compares),
            "goal": counts.goal.json,
            "counted_at": .time(isCounted ? counts.countedAt : nil),
            "decides_at": .time(counts.decidesAt),
            "final": .bool(counts.isFinal),
            "finding": .string(finding),
            "at_most": .decimal(verdict?.finding.atMost),
            "leader": leader.map { .count($0) } ?? .null,
            "expected_loss": .decimal(verdict?.expectedLoss),
            "detectable_difference": .decimal(detectable),
            "value_cap": .decimal(counts.cap),
            "sample_ratio": sampleRatio.map {
                ["probability": .decimal($0.probability), "alarm": .bool(hasSampleRatioAlarm)]
            } ?? .null,
            "mixed_people": .count(counts.variants.reduce(0) { $0 + $1.mixed }),
            "variants": .array(counts.variants.map(json(of:))),
            "differences": .array(differences),
            "rest": rest,
        ]
    }

    private func json(of variant: TestCounts.Variant) -> JSON {
        let reached = variant.reached(counts.goal)
        return [
            "variant": .count(variant.place), "name": .string(variant.name), "planned": .count(variant.planned),
            "people": .count(variant.people), "opened": .count(variant.opened), "engaged": .count(variant.engaged),
            "converted": .count(variant.converted), "reached": .count(reached),
            "rate": .decimal(variant.people > 0 ? Double(reached) / Double(variant.people) : nil),
            "mean": .decimal(counts.goal.isAmount && variant.people > 0 ? sample(of: variant).value : nil),
            "interval": interval(of: variant).json, "amount": variant.amounts.json(counts.goal),
        ]
    }

    /// The leader's, to each of the others.
    private var differences: [JSON] {
        guard let verdict else { return [] }
        let leader = compared[verdict.leader]
        return verdict.leads.map { lead in
            let other = compared[lead.variant]
            let value = Difference(sample(of: leader), minus: sample(of: other)).value
            return [
                "variant": .count(leader.place), "against": .count(other.place),
                "difference": .decimal(value), "interval": lead.interval.json,
                "beaten": .bool(lead.isBeaten),
            ]
        }
    }
}

extension Amounts {
    /// Null with a goal that is not a value.
    func json(_ goal: CampaignGoal) -> JSON {
        goal.isAmount
            ? ["sum": .decimal(sum), "uncapped": .decimal(uncapped), "capped_people": .count(capped)] : .null
    }
}

extension Verdict.Finding {
    fileprivate var atMost: Double? {
        switch self {
        case .noDifferenceThatMatters(let most), .noWinner(let most): most
        case .sampleRatio, .notYet, .aheadSoFar, .winner: nil
        }
    }
}

extension Interval? {
    var json: JSON {
        map { ["lower": .decimal($0.lower), "upper": .decimal($0.upper)] } ?? .null
    }
}
