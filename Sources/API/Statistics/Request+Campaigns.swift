import Campaigns
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
                throw .badRequest(
                    "invalid-campaigns",
                    "The parameter campaigns must be 1 to \(Self.maximumCampaigns) ids, like 3,17.", field: "campaigns")
            }
            return ids
        }
    }

    var run: Run.ID? {
        get throws(APIError) {
            guard let text = queryItems["run"] else { return nil }
            guard let id = Run.ID(text) else {
                throw .badRequest("invalid-run", "The parameter run must be the id of a run.", field: "run")
            }
            return id
        }
    }
}
