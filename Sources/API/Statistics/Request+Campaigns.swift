import Campaigns
import Experiments
import HTTPServer
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
