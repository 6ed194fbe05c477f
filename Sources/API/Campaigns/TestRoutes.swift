import Administration
import Application
import Campaigns
import Experiments
import HTTPServer
import HTTPTypes
import JSON
import Store

/// The result of a campaign's A/B test.
struct TestRoutes: RouteGroup {
    let campaigns: CampaignStore
    let tests: TestCountStore

    func add(to routes: inout Routes) {
        routes.addForApp(.get, "/campaigns/{campaign}/test", for: .permission(.campaignsRead)) {
            [campaigns, tests] call in
            let campaign = try await campaigns.find(call.campaign, app: call.app)
            guard campaign.content.isTest else { throw Refusal.noTest }
            return .json(try await tests.counts(of: campaign).map { TestReport($0).json } ?? Self.uncounted(campaign))
        }
    }

    /// Before the first count.
    private static func uncounted(_ campaign: CampaignRecord) -> JSON {
        TestReport(
            TestCounts(
                goal: campaign.content.goal, countedAt: campaign.updatedAt, decidesAt: nil, isFinal: false,
                isOpenEnded: false, variants: [])
        ).json
    }
}

extension TestReport {
    fileprivate var json: JSON {
        let isCounted = !counts.variants.isEmpty
        return [
            "goal": counts.goal.json,
            "counted_at": .time(isCounted ? counts.countedAt : nil),
            "decides_at": .time(counts.decidesAt),
            "final": .bool(counts.isFinal),
            "finding": .string(verdict?.finding.code ?? "not_yet"),
            "at_most": .decimal(verdict?.finding.atMost),
            "leader": verdict.map { .count(compared[$0.leader].place) } ?? .null,
            "expected_loss": .decimal(verdict?.expectedLoss),
            "detectable_difference": .decimal(detectable),
            "sample_ratio": sampleRatio.map {
                ["probability": .decimal($0.probability), "alarm": .bool(hasSampleRatioAlarm)]
            } ?? .null,
            "mixed_people": .count(counts.variants.reduce(0) { $0 + $1.mixed }),
            "variants": .array(counts.variants.map(json(of:))),
            "differences": .array(differences),
        ]
    }

    private func json(of variant: TestCounts.Variant) -> JSON {
        let reached = variant.reached(counts.goal)
        return [
            "variant": .count(variant.place), "name": .string(variant.name), "planned": .count(variant.planned),
            "people": .count(variant.people), "opened": .count(variant.opened), "engaged": .count(variant.engaged),
            "converted": .count(variant.converted), "reached": .count(reached),
            "rate": .decimal(variant.people > 0 ? Double(reached) / Double(variant.people) : nil),
            "interval": interval(of: variant).json,
        ]
    }

    /// The leader's, to each of the others.
    private var differences: [JSON] {
        guard let verdict else { return [] }
        let leader = compared[verdict.leader]
        return verdict.leads.map { lead in
            let other = compared[lead.variant]
            let value = Difference(
                Sample(leader.reached(counts.goal), of: leader.people),
                minus: Sample(other.reached(counts.goal), of: other.people)
            ).value
            return [
                "variant": .count(leader.place), "against": .count(other.place),
                "difference": .decimal(value), "interval": lead.interval.json,
                "beaten": .bool(lead.isBeaten),
            ]
        }
    }
}

extension Verdict.Finding {
    fileprivate var code: String {
        switch self {
        case .sampleRatio: "sample_ratio"
        case .notYet: "not_yet"
        case .aheadSoFar: "ahead_so_far"
        case .winner: "winner"
        case .noDifferenceThatMatters: "no_difference_that_matters"
        case .noWinner: "no_winner"
        }
    }

    fileprivate var atMost: Double? {
        switch self {
        case .noDifferenceThatMatters(let most), .noWinner(let most): most
        case .sampleRatio, .notYet, .aheadSoFar, .winner: nil
        }
    }
}

extension Interval? {
    fileprivate var json: JSON {
        map { ["lower": .decimal($0.lower), "upper": .decimal($0.upper)] } ?? .null
    }
}

extension JSON {
    /// Null for nil.
    fileprivate static func decimal(_ value: Double?) -> JSON {
        value.flatMap { Number($0) }.map { .number($0) } ?? .null
    }
}
