import Crypto
import Postgres

/// A table with a column of sealed secrets. The context of a secret is "TABLE/KEY/KEY", with the row's values of `keys`
/// (see `SealingContext`), so a secret can be sealed again without knowing what it is for.
struct SealedTable: Sendable {
    let name: String
    let column: String
    /// The columns that identify a row, with their types. An index begins with them.
    let keys: [(name: String, type: String)]

    /// All of them; a test compares the list with the schema. The check value in `instance` is separate.
    static let all = [
        SealedTable(name: "credentials", column: "sealed_key", keys: [("app_id", "bigint"), ("key_id", "text")]),
        SealedTable(name: "message_keys", column: "sealed", keys: [("app_id", "bigint"), ("version", "smallint")]),
        SealedTable(name: "identity_keys", column: "sealed", keys: [("app_id", "bigint"), ("version", "smallint")]),
        SealedTable(
            name: "webhook_secrets", column: "sealed",
            keys: [("app_id", "bigint"), ("webhook_id", "bigint"), ("version", "smallint")]),
        SealedTable(
            name: "provider_tokens", column: "sealed_token",
            keys: [("team_id", "text"), ("key_id", "text"), ("key_hash", "text")]),
        SealedTable(
            name: "idempotency_keys", column: "sealed_body",
            keys: [("app_id", "bigint"), ("owner", "text"), ("key", "text")]),
    ]

    /// A secret of the table, with its row's keys as text.
    struct Secret {
        let keys: [String]
        let sealed: [UInt8]
    }

    /// The first secrets behind a row, in the order of `keys`, that do not begin with `header`.
    func secrets(after row: [String]?, without header: [UInt8], limit: Int) -> PostgresQuery {
        let columns = keys.map(\.name).joined(separator: ", ")
        var query: PostgresQuery = """
            SELECT ARRAY[\(unescaped: keys.map { "\($0.name)::text" }.joined(separator: ", "))], \(unescaped: column)
            FROM \(unescaped: name)
            WHERE \(unescaped: column) <> '' AND \(start(header.count)) <> \(header)
            """
        if let row {
            query += " AND (\(unescaped: columns)) > ("
            for (index, key) in keys.enumerated() {
                query += "\(unescaped: index == 0 ? "" : ", ")\(row[index])::text::\(unescaped: key.type)"
            }
            query += ")"
        }
        return query + " ORDER BY \(unescaped: columns) LIMIT \(limit)"
    }

    /// Replaces each secret that is still the old one; the others were written meanwhile, with a newer content.
    func replacement(of old: [Secret], with new: [[UInt8]]) -> PostgresQuery {
        var query: PostgresQuery = """
            UPDATE \(unescaped: name) AS t SET \(unescaped: column) = n.new
            FROM unnest(\(old.map(\.sealed)), \(new)
            """
        for index in keys.indices { query += ", \(old.map { $0.keys[index] })" }
        query += ") AS n (old, new, \(unescaped: keys.map(\.name).joined(separator: ", ")))"
        query += " WHERE t.\(unescaped: column) = n.old"
        for key in keys { query += " AND t.\(unescaped: key.name) = n.\(unescaped: key.name)::\(unescaped: key.type)" }
        return query
    }

    /// The number of secrets by their header; null for those with none of `headers`.
    func counts(by headers: [[UInt8]]) -> PostgresQuery {
        let start = start(headers.first?.count ?? 0)
        return """
            SELECT CASE WHEN \(start) = ANY(\(headers)) THEN \(start) END AS header, count(*)
            FROM \(unescaped: name) WHERE \(unescaped: column) <> '' GROUP BY 1
            """
    }

    /// Secrets that begin like a header, but with none of `headers`.
    func secrets(startingWith version: UInt8, without headers: [[UInt8]], limit: Int) -> PostgresQuery {
        """
        SELECT ARRAY[\(unescaped: keys.map { "\($0.name)::text" }.joined(separator: ", "))], \(unescaped: column)
        FROM \(unescaped: name)
        WHERE \(start(1)) = \([version]) AND \(start(headers.first?.count ?? 0)) <> ALL(\(headers)) LIMIT \(limit)
        """
    }

    /// The beginnings of the secrets that appear to name a key.
    func headers(limit: Int) -> PostgresQuery {
        """
        SELECT DISTINCT \(start(SealingKeyID.headerLength)) FROM \(unescaped: name)
        WHERE \(start(1)) = \([SealingKeyID.headerVersion]) LIMIT \(limit)
        """
    }

    private func start(_ count: Int) -> PostgresQuery { "substr(\(unescaped: column), 1, \(Int32(count)))" }
}
