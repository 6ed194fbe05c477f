public import Campaigns
public import Postgres

/// Writes events for webhooks in the statement or the transaction of the fact, so that nothing is told that was not
/// committed, and nothing that was committed is left out. Where no webhook wants the event, nothing is written; the
/// table of webhooks has a few rows.
///
/// Docs/decisions/webhooks.md explains why events are written first and gathered into deliveries later.
enum WebhookEvents {
    /// An INSERT of an event for each row of `source`, which has a column `app_id`. `data` is an expression over the
    /// row `s` that builds a jsonb object.
    static func insert(
        _ kind: Webhook.EventKind, from source: PostgresQuery, where condition: PostgresQuery = "true",
        data: PostgresQuery
    ) -> PostgresQuery {
        """
        INSERT INTO webhook_events (app_id, kind, data)
        SELECT s.app_id, \(kind), \(data)
        FROM \(source) WHERE \(condition) AND \(isWanted(kind, app: "s.app_id"))
        """
    }

    /// Whether a webhook of the app wants such events.
    private static func isWanted(_ kind: Webhook.EventKind, app: PostgresQuery) -> PostgresQuery {
        """
        EXISTS (SELECT FROM webhooks w WHERE w.app_id = \(app) AND w.disabled_at IS NULL AND \(kind) = ANY (w.kinds))
        """
    }

    /// A time of SQL as text in a body.
    static func time(_ moment: PostgresQuery) -> PostgresQuery {
        #"to_char((\#(moment)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')"#
    }

    /// What all events of runs say: `s` has the columns `id`, `campaign_id` and `app_id`.
    static func run(_ more: PostgresQuery) -> PostgresQuery {
        """
        jsonb_build_object(
            'run_id', s.id::text, 'campaign_id', s.campaign_id::text,
            'campaign_name', (SELECT c.name FROM campaigns c WHERE c.app_id = s.app_id AND c.id = s.campaign_id),
            \(more))
        """
    }

    /// A paused run, with its `reason`: null if a person paused it.
    static let paused = run("'reason', s.reason")

    /// A device and its person: `row` has columns of `devices`. Tokens are not told: who has one and a signing key can
    /// push.
    static func device(_ row: PostgresQuery, id: PostgresQuery) -> PostgresQuery {
        "'device_id', \(id)::text, 'installation', \(row).installation, 'user_id', \(row).user_id"
    }
}

extension Webhook.EventKind: PostgresEncodable, PostgresDecodable {}
