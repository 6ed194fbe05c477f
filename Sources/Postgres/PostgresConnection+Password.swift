import CPostgres

extension PostgresConnection {
    /// The verifier that PostgreSQL stores of a role's password (SCRAM-SHA-256, RFC 5803), for
    /// `CREATE ROLE … PASSWORD`: the password itself would be in the server's log and its statistics of statements.
    public func verifier(of password: String, for role: String) throws(PostgresError) -> String {
        guard let text = PQencryptPasswordConn(connection, password, role, "scram-sha-256") else {
            throw closeError ?? PostgresError(.misuse, "the password could not be hashed")
        }
        defer { PQfreemem(text) }
        return String(cString: text)
    }
}
