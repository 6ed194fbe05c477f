public import Application
import Campaigns
import FoundationEssentials
public import JSON
import Store

extension SystemStatus {
    /// As `GET /v1/status` and `belfry status --json` have it.
    public var json: JSON {
        let backlog = facts.backlog
        return [
            "status": .string(needsAttention ? "attention" : "ok"), "at": .time(facts.now),
            "processes": .array(processes.map(\.json)),
            "backlog": [
                "sending_runs": .count(backlog.sendingRuns), "paused_runs": .count(backlog.pausedRuns),
                "due_batches": .count(backlog.dueBatches),
                "oldest_due_seconds": .count(Int(backlog.oldestDue)),
                "leased_batches": .count(backlog.leasedBatches), "lapsed_leases": .count(backlog.lapsedLeases),
            ],
            "paused_runs": .array(pausedRuns.map(\.json)), "findings": .array(findings.map(\.json)),
        ]
    }
}

extension SystemStatus.Process {
    fileprivate var json: JSON {
        let identity = record.identity
        return [
            "id": .string(identity.id.uuidString.lowercased()), "name": .string(identity.name),
            "kind": .string(identity.kind.rawValue), "host": .string(identity.host),
            "version": .string(identity.version), "schema": .count(Int(identity.schema)),
            "pid": .count(Int(identity.pid)), "state": .string(state.rawValue),
            "started_at": .time(record.startedAt), "seen_at": .time(record.seenAt), "ended_at": .time(record.endedAt),
            "leased_batches": .count(record.leasedBatches),
        ]
    }
}

extension OpenRunRecord {
    fileprivate var json: JSON {
        [
            "app_id": .id(key.app), "app_name": .string(appName), "campaign_id": .id(campaign),
            "campaign_name": .string(campaignName), "run_id": .id(key.id), "started_at": .time(startedAt),
            "reason": .text(reason), "reason_localization": .localization(reason),
        ]
    }
}

extension Finding {
    fileprivate var json: JSON {
        [
            "code": .string(code), "began_at": .time(since), "message": .string(message.description),
            "message_localization": .localization(message), "remedy": .string(remedy.description),
            "remedy_localization": .localization(remedy),
            "process_id": process.map { .string($0.identity.id.uuidString.lowercased()) } ?? .null,
            "process_name": process.map { .string($0.identity.name) } ?? .null,
            "app_id": run.map { .id($0.key.app) } ?? .null, "app_name": run.map { .string($0.appName) } ?? .null,
            "campaign_id": run.map { .id($0.campaign) } ?? .null,
            "campaign_name": run.map { .string($0.campaignName) } ?? .null,
            "run_id": run.map { .id($0.key.id) } ?? .null,
        ]
    }
}
