extension PostgresConfiguration {
    /// The settings for a program of PostgreSQL, such as pg_dump.
    public struct ForPrograms: Sendable {
        /// A connection string without secrets: all users of the machine can read a command line.
        public let connection: String
        /// Variables of the environment, which only this account can read.
        public let environment: [String: String]
    }

    public func forPrograms() throws(PostgresError) -> ForPrograms {
        var shown = parameters
        let password = shown.removeValue(forKey: "password")
        guard shown["sslpassword"] == nil else {
            // libpq has no variable for it.
            throw PostgresError(
                .misuse, "sslpassword can't be given to a program without showing it; use a key without a password")
        }
        shown["target_session_attrs"] = shown["target_session_attrs"] ?? "read-write"
        let connection = shown.sorted { $0.key < $1.key }.map { "\($0.key)='\(Self.escaped($0.value))'" }
        return ForPrograms(
            connection: connection.joined(separator: " "), environment: password.map { ["PGPASSWORD": $0] } ?? [:])
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}
