import Campaigns
import Experiments
import HTTPServer
import Notifications
import Store

/// The parameters that statistics and exports of events have in common.
extension Request {
    /// Campaigns that one request can name.
    private static let maximumCampaigns = 50

    /// Campaigns by their ids, with commas in between; nil if the parameter is absent.
    var campaigns: [Campaign.ID]? {
        get throws(APIError) {
            guard let text = queryItems["campaigns"] else { return nil }
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let ids = parts.compactMap { Campaign.ID(String($0)) }
            guard ids.count == parts.count, ids.count <= Self.maximumCampaigns else {
                throw .invalidCampaigns(maximum: Self.maximumCampaigns)
            }
            return ids
        }
    }

    /// The place of a variant, from 0; nil if the parameter is absent.
    var variant: Int? {
        get throws(APIError) {
            guard let text = queryItems["variant"] else { return nil }
            guard let place = Int(text), (0..<VariantMap.maximumVariants).contains(place) else {
                throw .invalidVariant(maximum: VariantMap.maximumVariants - 1)
            }
            return place
        }
    }

    /// The time zone of local days and hours, UTC unless it is given.
    func timeZone() throws(APIError) -> (name: String, clock: ZoneClock) {
        let text = queryItems["time_zone"] ?? ZoneName.utc
        guard let name = ZoneName.canonical(text), let clock = ZoneClock(named: name) else {
            throw .unknownTimeZone
        }
        return (name, clock)
    }

    /// The pushes to count. A variant needs campaigns or a run.
    func scope(in clock: ZoneClock) throws -> StatisticsStore.Scope {
        let scope = StatisticsStore.Scope(
            campaigns: try campaigns, run: try run, variant: try variant, sentSince: try time("since", in: clock),
            sentUntil: try time("until", in: clock))
        if let since = scope.sentSince, let until = scope.sentUntil, since >= until { throw APIError.periodWithoutTime }
        if scope.campaigns == nil, scope.run == nil, scope.variant != nil { throw APIError.campaignsRequired }
        return scope
    }

    var run: Run.ID? {
        get throws(APIError) {
            guard let text = queryItems["run"] else { return nil }
            guard let id = Run.ID(text) else {
                throw .invalidRun
            }
            return id
        }
    }
}
