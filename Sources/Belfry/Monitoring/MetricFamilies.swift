import OpenMetrics

/// All metrics of a process. Docs/monitoring.md has them in a table, which a test compares.
enum MetricFamilies {
    static let all = process + http + postgres + groups + events + sending + apns + webhooks + backlog + database

    private static let ofPool = ["pool"]
    private static let ofHost = ["host"]

    static let process = [
        MetricFamily("belfry_build", .info, help: "The version of this process.", labels: ["version", "schema"]),
        MetricFamily(
            "process_start_time_seconds", .gauge, unit: "seconds", help: "When the process started, since 1970."),
        MetricFamily(
            "process_cpu_seconds", .counter, unit: "seconds", help: "Processor time of all threads of the process."),
        MetricFamily("process_resident_memory_bytes", .gauge, unit: "bytes", help: "Memory that the process occupies."),
        MetricFamily("process_open_fds", .gauge, help: "Open files and sockets of the process."),
        MetricFamily("process_max_fds", .gauge, help: "Files and sockets that the process may open."),
        MetricFamily(
            "belfry_loop_lag_seconds", .gauge, unit: "seconds",
            help: "The longest time in the last half minute that due work of a thread waited.", labels: ["loop"]),
        MetricFamily(
            "belfry_log_lines", .counter,
            help: "Lines of the log by level, from warning on; repeated ones count, too.", labels: ["level"]),
        MetricFamily(
            "belfry_certificate_expiry_timestamp_seconds", .gauge, unit: "seconds",
            help: "When the TLS certificate of the web server expires, since 1970."),
    ]

    static let http = [
        MetricFamily(
            "belfry_http_request_duration_seconds", .histogram(MetricFamily.latencies), unit: "seconds",
            help: "From the header of a request to the end of its response.", labels: ["method", "route", "status"]),
        MetricFamily(
            "belfry_http_responses", .counter, help: "Responses by their status; 429: a rate limit.",
            labels: ["status"]),
        MetricFamily("belfry_http_connections", .gauge, help: "Open connections to the web server."),
        MetricFamily(
            "belfry_http_connections_refused", .counter, help: "Connections that were refused because of a limit."),
    ]

    static let postgres = [
        MetricFamily(
            "belfry_postgres_connections", .gauge, help: "Sessions of PostgreSQL.", labels: ["pool", "state"]),
        MetricFamily(
            "belfry_postgres_connections_maximum", .gauge, help: "The most sessions that a pool opens.", labels: ofPool),
        MetricFamily(
            "belfry_postgres_waiters", .gauge, help: "Callers that wait for a session of PostgreSQL.", labels: ofPool),
        MetricFamily(
            "belfry_postgres_waits", .counter, help: "Callers that have had to wait for a session.", labels: ofPool),
        MetricFamily(
            "belfry_postgres_wait_seconds", .counter, unit: "seconds", help: "The sum of their waits.", labels: ofPool),
        MetricFamily(
            "belfry_postgres_refusals", .counter, help: "Callers that got no session in time.", labels: ofPool),
    ]

    static let groups = [
        MetricFamily(
            "belfry_group_size", .histogram([1, 2, 5, 10, 25, 50, 100, 250, 500]),
            help: "Requests that share a transaction.", labels: ["kind"]),
        MetricFamily(
            "belfry_group_wait_duration_seconds", .histogram(MetricFamily.latencies), unit: "seconds",
            help: "How long the first request of a group waits for its transaction to begin.", labels: ["kind"]),
        MetricFamily(
            "belfry_group_commit_duration_seconds", .histogram(MetricFamily.latencies), unit: "seconds",
            help: "The transaction of a group, with its wait for locks.", labels: ["kind"]),
    ]

    static let events = [
        MetricFamily("belfry_events", .counter, help: "Events of pushes that phones sent.", labels: ["kind"]),
        MetricFamily(
            "belfry_events_repeated", .counter, help: "Events that were stored before, and are not stored again."),
        MetricFamily(
            "belfry_events_refused", .counter, help: "Events that are not stored.", labels: ["reason"]),
        MetricFamily(
            "belfry_event_age_seconds", .histogram([1, 10, 60, 600, 3_600, 21_600, 86_400, 604_800]), unit: "seconds",
            help: "How long after it happened the first event of a request is received."),
    ]

    static let sending = [
        MetricFamily(
            "belfry_push_outcomes", .counter, help: "Recipients whose outcome was stored.", labels: ["kind", "reason"]),
        MetricFamily(
            "belfry_batch_flush_duration_seconds", .histogram(MetricFamily.latencies), unit: "seconds",
            help: "How long PostgreSQL takes to store the progress of a batch."),
        MetricFamily(
            "belfry_batch_takeovers", .counter, help: "Batches that were taken over from a worker that did not report."),
        MetricFamily("belfry_batches_lost", .counter, help: "Batches that another worker took over from this one."),
        MetricFamily(
            "belfry_planning_step_duration_seconds", .histogram(MetricFamily.latencies), unit: "seconds",
            help: "A step of planning: up to 50,000 devices."),
        MetricFamily(
            "belfry_runs_finished", .counter,
            help: "Runs that this process has finished, by whether their ledger adds up: verified, wrong.",
            labels: ["ledger"]),
        MetricFamily("belfry_maintenance_failures", .counter, help: "Steps of maintenance that failed."),
        MetricFamily(
            "belfry_maintenance_last_success_timestamp_seconds", .gauge, unit: "seconds",
            help: "When this process last went through all maintenance without a failure, since 1970."),
    ]

    static let apns = [
        MetricFamily("belfry_apns_connections", .gauge, help: "Open connections to APNs.", labels: ofHost),
        MetricFamily(
            "belfry_apns_connections_opened", .counter, help: "Connections to APNs that were opened.", labels: ofHost),
        MetricFamily(
            "belfry_apns_connection_failures", .counter,
            help: "Connections that could not be opened, or ended before an answer.", labels: ofHost),
        MetricFamily(
            "belfry_apns_goaways", .counter, help: "Connections that APNs has asked to close.", labels: ofHost),
        MetricFamily("belfry_apns_streams", .gauge, help: "Pushes that wait for an answer.", labels: ofHost),
        MetricFamily(
            "belfry_apns_streams_maximum", .gauge, help: "Pushes that APNs allows to wait, on all open connections.",
            labels: ofHost),
        MetricFamily(
            "belfry_apns_answers", .counter, help: "Answers of APNs to pushes.", labels: ["host", "status", "reason"]),
        MetricFamily(
            "belfry_apns_round_trip_duration_seconds", .histogram(MetricFamily.latencies), unit: "seconds",
            help: "From a push to its answer; one push at a time is measured on each connection.", labels: ofHost),
        MetricFamily(
            "belfry_apns_last_accepted_timestamp_seconds", .gauge, unit: "seconds",
            help: "When APNs last accepted a push that was signed with the key, since 1970.", labels: ["key"]),
        MetricFamily(
            "belfry_apns_credential_refusals", .counter,
            help: "Pushes that APNs refused because of the key, its topic or its environment.",
            labels: ["key", "reason"]),
    ]

    static let webhooks = [
        MetricFamily(
            "belfry_webhook_attempts", .counter,
            help: "Attempts to deliver a message to a webhook, by what came of them: delivered, retry, given-up.",
            labels: ["result"]),
        MetricFamily(
            "belfry_webhook_attempt_duration_seconds", .histogram(MetricFamily.latencies), unit: "seconds",
            help: "How long an attempt takes, from the look-up of the name to the answer."),
    ]

    /// Of all processes: read from the database.
    static let backlog = [
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
            "belfry_deferred_recipients", .gauge, help: "Recipients who wait for a later attempt, as APNs asked."),
        MetricFamily(
            "belfry_planner_lag_seconds", .gauge, unit: "seconds",
            help: "How long the run has waited that has waited longest for a planner."),
        MetricFamily(
            "belfry_schedule_lateness_seconds", .gauge, unit: "seconds",
            help: "How long the campaign has been due that has been due longest and has not started."),
        MetricFamily(
            "belfry_restore_questions", .gauge,
            help: "Runs that are paused until a person says how to go on after a restore or failover."),
        MetricFamily(
            "belfry_webhooks", .gauge,
            help: "Webhooks of all apps: working, failing, or disabled by Belfry, not by a person.",
            labels: ["state"]),
        MetricFamily(
            "belfry_webhook_messages_waiting", .gauge, help: "Messages that enabled webhooks are still to get."),
        MetricFamily(
            "belfry_webhook_lateness_seconds", .gauge, unit: "seconds",
            help: "How long the message has been due that has been due longest, to a webhook that works."),
    ]

    static let database = [
        MetricFamily(
            "belfry_database_up", .gauge,
            help: "1 if the values from the database could be read for this answer, else 0."),
        MetricFamily("belfry_database_size_bytes", .gauge, unit: "bytes", help: "The size of the database."),
        MetricFamily(
            "belfry_database_transactions_to_wraparound", .gauge,
            help: "Transactions until PostgreSQL accepts no more, unless VACUUM freezes old rows before."),
        MetricFamily("belfry_lock_waiters", .gauge, help: "Sessions of the database that wait for a lock."),
        MetricFamily(
            "belfry_replication_lag_bytes", .gauge, unit: "bytes",
            help: "How far a standby is behind. Only for roles with pg_monitor.", labels: ["standby"]),
        MetricFamily(
            "belfry_partitions_ahead", .gauge,
            help: "Weeks for which events and recipients have a partition beyond the present one."),
        MetricFamily(
            "belfry_provider_token_issued_timestamp_seconds", .gauge, unit: "seconds",
            help: "When the provider token of a signing key was made, since 1970.", labels: ["key"]),
        MetricFamily(
            "belfry_api_key_expiry_timestamp_seconds", .gauge, unit: "seconds",
            help: "When the next API key expires, since 1970. Missing if none does."),
    ]
}
