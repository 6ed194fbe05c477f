import Campaigns
import Logging
import Store

/// Fields of log lines. Lines about a part of an app name the app, too.
extension Logger.Metadata {
    static func run(_ run: Run.Key, _ more: Self = [:]) -> Self {
        more.merging(["app": "\(run.app)", "run": "\(run.id)"]) { $1 }
    }

    static func campaign(_ campaign: Campaign.Key, _ more: Self = [:]) -> Self {
        more.merging(["app": "\(campaign.app)", "campaign": "\(campaign.id)"]) { $1 }
    }

    static func batch(_ batch: ClaimedBatch, _ more: Self = [:]) -> Self {
        .run(batch.runKey, more.merging(["batch": "\(batch.id)"]) { $1 })
    }

    static func pushes(_ batch: AcceptedBatch, _ more: Self = [:]) -> Self {
        more.merging(["app": "\(batch.app)", "batch": "\(batch.id)"]) { $1 }
    }
}
