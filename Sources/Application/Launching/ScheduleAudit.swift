import Administration
import Campaigns
import JSON
import Postgres
import Store

/// Records in the audit log what Belfry does with a campaign because its time has come. A start by a person is in
/// the log as that person's request.
struct ScheduleAudit: Sendable {
    private let pool: PostgresPool
    private let audit: AuditStore

    init(stores: Stores) {
        pool = stores.pool
        audit = stores.audit
    }

    /// Does `work`, and records the action with the reason in the same transaction, unless `work` returns nil.
    func recording<Value>(
        _ campaign: DueCampaign, _ action: String, _ reason: Message?, _ work: () async throws -> Value?
    ) async throws -> Value? {
        guard !campaign.isStartedByHand else { return try await work() }
        return try await pool.joiningTransaction {
            guard let value = try await work() else { return nil }
            let after: JSON? = reason.map { ["reason": .string($0.description)] }
            try await audit.add(
                AuditEntry(
                    actor: AuditEntry.Actor(.schedule, name: "schedule"), action: "campaigns.\(action)",
                    resource: "/v1/apps/\(campaign.app)/campaigns/\(campaign.id)", app: campaign.app,
                    after: AuditChange(before: nil, after: after).after))
            return value
        }
    }
}
