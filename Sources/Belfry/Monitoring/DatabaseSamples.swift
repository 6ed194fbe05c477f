import OpenMetrics
import Store

/// Values of all processes, read from the database when somebody asks.
enum DatabaseSamples {
    static func read(_ stores: Stores) async -> [MetricSample] {
        do {
            let (backlog, state) = (try await stores.backlog.backlog(), try await stores.databaseState.state())
            return [MetricSample("belfry_database_up", 1)] + samples(backlog) + samples(state)
        } catch {
            return [MetricSample("belfry_database_up", 0)]
        }
    }

    private static func samples(_ backlog: BacklogStore.Backlog) -> [MetricSample] {
        [
            MetricSample("belfry_runs", [("state", "sending")], Double(backlog.sendingRuns)),
            MetricSample("belfry_runs", [("state", "paused")], Double(backlog.pausedRuns)),
            MetricSample("belfry_due_batches", Double(backlog.dueBatches)),
            MetricSample("belfry_oldest_due_batch_age_seconds", backlog.oldestDue),
            MetricSample("belfry_leased_batches", Double(backlog.leasedBatches)),
            MetricSample("belfry_lapsed_leases", Double(backlog.lapsedLeases)),
            MetricSample("belfry_deferred_recipients", Double(backlog.deferredRecipients)),
            MetricSample("belfry_planner_lag_seconds", backlog.plannerLag),
            MetricSample("belfry_schedule_lateness_seconds", backlog.scheduleLateness),
            MetricSample("belfry_restore_questions", Double(backlog.restoreQuestions)),
            MetricSample("belfry_webhooks", [("state", "working")], Double(backlog.workingWebhooks)),
            MetricSample("belfry_webhooks", [("state", "failing")], Double(backlog.failingWebhooks)),
            MetricSample("belfry_webhooks", [("state", "disabled")], Double(backlog.disabledWebhooks)),
            MetricSample("belfry_webhook_messages_waiting", Double(backlog.webhookMessages)),
            MetricSample("belfry_webhook_lateness_seconds", backlog.webhookLateness),
        ]
    }

    private static func samples(_ state: DatabaseStateStore.State) -> [MetricSample] {
        var samples = [
            MetricSample("belfry_database_size_bytes", Double(state.size)),
            MetricSample("belfry_database_transactions_to_wraparound", Double(state.transactionsToWraparound)),
            MetricSample("belfry_lock_waiters", Double(state.lockWaiters)),
            MetricSample("belfry_partitions_ahead", Double(state.partitionsAhead)),
        ]
        if let end = state.nextKeyEnd { samples.append(MetricSample("belfry_api_key_expiry_timestamp_seconds", end)) }
        samples += state.providerTokens.map {
            MetricSample("belfry_provider_token_issued_timestamp_seconds", [("key", $0.key)], $0.issued)
        }
        samples += state.standbys.map {
            MetricSample("belfry_replication_lag_bytes", [("standby", $0.name)], Double($0.bytes))
        }
        return samples
    }
}
