import Campaigns
import HTTPServer
import Metrics
import OpenMetrics
import Postgres
import Store

/// The metrics of a process: their names, and where the values come from. Docs/operations.md has them in a table.
enum ProcessMetrics {
    /// As the targets below name them.
    static let families: [MetricFamily] = [
        MetricFamily("belfry_build", .info, help: "The version of this process.", labels: ["version", "schema"]),
        MetricFamily(
            "belfry_process_start_time_seconds", .gauge, unit: "seconds", help: "When the process started, since 1970."),
        MetricFamily(
            "belfry_http_request_duration_seconds", .histogram(MetricFamily.latencies), unit: "seconds",
            help: "From the header of a request to the end of its response.", labels: ["method", "route", "status"]),
        MetricFamily(
            "belfry_push_outcomes", .counter, help: "Recipients whose outcome was stored.", labels: ["kind"]),
        MetricFamily(
            "belfry_batch_flush_duration_seconds", .histogram(MetricFamily.latencies), unit: "seconds",
            help: "How long PostgreSQL takes to store the progress of a batch."),
        MetricFamily("belfry_apns_connections", .gauge, help: "Open connections to APNs.", labels: ["host"]),
        MetricFamily(
            "belfry_postgres_connections", .gauge, help: "Sessions of PostgreSQL.", labels: ["pool", "state"]),
        MetricFamily(
            "belfry_postgres_waiters", .gauge, help: "Callers that wait for a session of PostgreSQL.", labels: ["pool"]),
        MetricFamily("belfry_runs", .gauge, help: "Unfinished runs, of all processes.", labels: ["state"]),
        MetricFamily(
            "belfry_due_batches", .gauge, help: "Batches that are due and not taken by a worker, of all processes."),
        MetricFamily(
            "belfry_oldest_due_batch_age_seconds", .gauge, unit: "seconds",
            help: "How long the oldest batch has been due that no worker has taken."),
        MetricFamily("belfry_leased_batches", .gauge, help: "Batches that workers hold, of all processes."),
        MetricFamily(
            "belfry_lapsed_leases", .gauge,
            help: "Batches whose worker has not reported in time, and that nobody has taken over yet."),
        MetricFamily(
            "belfry_database_up", .gauge,
            help: "1 if the values from the database could be read for this answer, else 0."),
    ]

    /// The status of an answer as its class, so that the number of series stays small.
    static func count(_ record: AccessRecord, in registry: MetricRegistry) {
        Timer(
            label: "belfry_http_request_duration_seconds",
            dimensions: [
                ("method", record.method), ("route", record.route ?? "none"), ("status", "\(record.status / 100)xx"),
            ], factory: registry
        ).record(duration: record.duration)
    }

    /// Values of all processes, read from the database when somebody asks.
    static func backlog(_ store: BacklogStore) async -> [MetricSample] {
        do {
            let backlog = try await store.backlog()
            return [
                MetricSample("belfry_database_up", 1),
                MetricSample("belfry_runs", [("state", "sending")], Double(backlog.sendingRuns)),
                MetricSample("belfry_runs", [("state", "paused")], Double(backlog.pausedRuns)),
                MetricSample("belfry_due_batches", Double(backlog.dueBatches)),
                MetricSample("belfry_oldest_due_batch_age_seconds", backlog.oldestDue),
                MetricSample("belfry_leased_batches", Double(backlog.leasedBatches)),
                MetricSample("belfry_lapsed_leases", Double(backlog.lapsedLeases)),
            ]
        } catch {
            return [MetricSample("belfry_database_up", 0)]
        }
    }

    /// Facts that do not change while the process runs. `start` is in seconds since 1970.
    static func process(version: String, schema: Int, start: Double) -> [MetricSample] {
        [
            MetricSample("belfry_build", [("version", version), ("schema", "\(schema)")], 1),
            MetricSample("belfry_process_start_time_seconds", start),
        ]
    }

    static func pool(_ name: String, _ pool: PostgresPool) async -> [MetricSample] {
        let (idle, busy, waiters) = (await pool.idleConnections, await pool.busyConnections, await pool.waiters)
        return [
            MetricSample("belfry_postgres_connections", [("pool", name), ("state", "idle")], Double(idle)),
            MetricSample("belfry_postgres_connections", [("pool", name), ("state", "busy")], Double(busy)),
            MetricSample("belfry_postgres_waiters", [("pool", name)], Double(waiters)),
        ]
    }
}
