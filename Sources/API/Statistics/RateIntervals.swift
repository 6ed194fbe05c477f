import Campaigns
import Experiments
import JSON
import Store

extension StatisticsStore.Counts {
    /// Events that a device reports at most once about a push, so that their count is a part of the accepted pushes.
    private static let rates: [Measure] = [.delivered, .presented, .engaged, .opened, .influenced]
    private static let alpha = 0.05

    /// The ranges of the rates among accepted pushes, 95 % each (Wilson); null without accepted pushes, and where devices
    /// reported more than finished runs have sent.
    var intervals: JSON {
        .object(
            Self.rates.map { measure in
                let count = self[measure]
                let rate = count <= self[.accepted] ? Sample(count, of: self[.accepted]) : nil
                return JSON.Member(measure.name, (rate?.wilson(Normal.critical(Self.alpha))).json)
            })
    }
}
