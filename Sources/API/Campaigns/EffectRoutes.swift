import Administration
import Application
import Campaigns
import Experiments
import HTTPServer
import HTTPTypes
import JSON
import Store

/// Reports the effect of a campaign, compared with its control group.
struct EffectRoutes: RouteGroup {
    let campaigns: CampaignStore
    let effects: EffectCountStore

    func add(to routes: inout Routes) {
        routes.addForApp(.get, "/campaigns/{campaign}/effect", for: .permission(.campaignsRead)) { call in
            let campaign = try await campaigns.find(call.campaign, app: call.app)
            guard let share = campaign.content.controlShare else { throw Refusal.noControl }
            let counts = try await effects.counts(of: campaign)
            return .json(
                EffectReport(counts ?? .none(of: campaign), share: share).json(share: share, isCounted: counts != nil))
        }
    }
}

extension EffectCounts {
    /// Before the first count.
    fileprivate static func none(of campaign: CampaignRecord) -> EffectCounts {
        EffectCounts(
            goal: campaign.content.goal, countedAt: campaign.updatedAt, decidesAt: nil, isFinal: false,
            isOpenEnded: false, treated: 0, treatedConverted: 0, control: 0, controlConverted: 0)
    }
}

extension EffectReport {
    func json(share: Int, isCounted: Bool) -> JSON {
        [
            "goal": counts.goal.json,
            "control_share": .count(share),
            "counted_at": .time(isCounted ? counts.countedAt : nil),
            "decides_at": .time(counts.decidesAt),
            "final": .bool(counts.isFinal),
            "finding": .string(finding.rawValue),
            "treated": json(of: treated, counts.treatedConverted, counts.treatedAmounts),
            "control": json(of: control, counts.controlConverted, counts.controlAmounts),
            "value_cap": .decimal(counts.cap),
            "difference": .decimal(difference),
            "interval": interval.json,
            "relative_interval": relative.json,
            "caused": .decimal(caused),
            "caused_interval": causedInterval.json,
            "detectable_difference": .decimal(detectable),
        ]
    }

    private func json(of sample: Sample, _ converted: Int, _ amounts: Amounts) -> JSON {
        let hasPeople = sample.people > 0
        return [
            "people": .count(sample.people), "converted": .count(converted),
            "rate": .decimal(hasPeople ? Double(converted) / Double(sample.people) : nil),
            "mean": .decimal(counts.goal.isAmount && hasPeople ? sample.value : nil),
            "interval": interval(of: sample).json, "amount": amounts.json(counts.goal),
        ]
    }
}
