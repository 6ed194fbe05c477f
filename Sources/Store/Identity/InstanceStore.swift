public import Crypto
public import Postgres

/// The identity of this database (the single row of `instance`) and its schema version.
public struct InstanceStore: Sendable {
    private static let knownText = Array("belfry".utf8)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Ties a new database to the keys; throws `SealingKeyError.wrongKey` when they lack one that the database's
    /// secrets need. Call it once at every start, before anything is sealed.
    public func verify(_ keys: SealingKeyRing) async throws {
        let check = try keys.seal(Self.knownText, at: .instance)
        try await pool.execute(
            """
            INSERT INTO instance (sealing_check) VALUES (\(check)) ON CONFLICT DO NOTHING
            """)
        try await verifyUse(of: keys)
    }

    /// The same for a database that is tied to keys already; changes nothing.
    public func verifyUse(of keys: SealingKeyRing) async throws {
        try Self.open(try await sealingCheck(), keys)
        if let missing = try await SealedRecordStore(pool: pool, sealingKeys: keys).missingKey() {
            throw SealingKeyError.wrongKey(missing: missing, present: keys.all.map(\.id))
        }
    }

    /// Whether the database is tied to keys already.
    public func isSealed() async throws -> Bool { try await !sealingCheck().isEmpty }

    /// Seals the known text with the current key, if another key has sealed it.
    func sealCheck(_ keys: SealingKeyRing) async throws {
        let old = try await sealingCheck()
        guard !old.starts(with: keys.current.header) else { return }
        try Self.open(old, keys)
        let new = try keys.seal(Self.knownText, at: .instance)
        try await pool.execute("UPDATE instance SET sealing_check = \(new) WHERE sealing_check = \(old)")
    }

    private func sealingCheck() async throws -> [UInt8] {
        // The row is inserted at the first start and never deleted; empty bytes don't open.
        try await pool.query("SELECT sealing_check FROM instance").first.map { row in try row[0] } ?? []
    }

    private static func open(_ check: [UInt8], _ keys: SealingKeyRing) throws(SealingKeyError) {
        do throws(CryptoError) {
            _ = try keys.open(check, at: .instance)
        } catch {
            let missing: SealingKeyID? = if case .sealingKeyMissing(let id) = error { id } else { nil }
            throw .wrongKey(missing: missing, present: keys.all.map(\.id))
        }
    }

    /// Throws `CommitsAreNotDurable` when a crash of PostgreSQL can undo confirmed commits. Our own sessions set
    /// `synchronous_commit` themselves; sessions behind a pooler cannot.
    public func verifyCommitsAreDurable() async throws {
        let rows = try await pool.query(
            """
            SELECT quote_ident(current_database()), quote_ident(current_user)
            WHERE current_setting('synchronous_commit') = 'off'
            """)
        if let row = rows.first { throw CommitsAreNotDurable(database: try row[0], role: try row[1]) }
    }

    /// Throws `ServerIsNotDurable` when a crash of the server's machine can damage the database or undo confirmed
    /// commits.
    public func verifyServerIsDurable() async throws {
        let rows = try await pool.query(
            "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name"
        )
        guard !rows.isEmpty else { return }
        throw ServerIsNotDurable(settings: try rows.map { try $0[0] })
    }

    /// The role of the local server that reads and can't change anything, for analysts.
    public static let readerRole = "belfry_reader"

    /// Creates the role, and lets it read what this version has. Several processes may do so at the same time, for
    /// databases of one server, too: these have their roles in common, but not the row that is locked.
    public func createReader() async throws {
        let create = """
            DO $$ BEGIN
                IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(Self.readerRole)') THEN
                    CREATE ROLE \(Self.readerRole) LOGIN;
                END IF;
            EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
            END $$
            """
        try await pool.transaction(opening: [RowLock.reader.wait]) { connection, _ in
            try await connection.execute(PostgresQuery(unescaped: create))
            try await AnalystRoleStore.allowReading(Self.readerRole, on: connection)
        }
    }

    public func schema() async throws -> SchemaState {
        let row = try await pool.query(
            "SELECT coalesce(max(number), 0), coalesce(max(oldest_program), 0) FROM schema_migrations")[0]
        return SchemaState(number: try row[0], oldestProgram: try row[1])
    }
}

/// `synchronous_commit` is off: if a crash undoes a commit, its recipients are sent to twice without a record.
public struct CommitsAreNotDurable: Error, Equatable, CustomStringConvertible {
    /// Names as quoted identifiers.
    let database: String
    let role: String

    public var description: String {
        """
        PostgreSQL's synchronous_commit is off, so a crash could lose records of sent pushes, and recipients would get \
        them twice. Set it to on for this database: ALTER DATABASE \(database) SET synchronous_commit = on (or, if the \
        role has it off, ALTER ROLE \(role) SET synchronous_commit = on), then reconnect the pooler.
        """
    }
}

/// Settings that make PostgreSQL forget commits, or damage its files, when its machine crashes.
public struct ServerIsNotDurable: Error, Equatable, CustomStringConvertible {
    /// `fsync`, `full_page_writes` or both.
    let settings: [String]

    public var description: String {
        """
        PostgreSQL runs with \(settings.map { "\($0)=off" }.joined(separator: " and ")), so a crash of its machine could \
        damage the database or lose records of sent pushes, and recipients would get them twice. Set it to on in \
        postgresql.conf, then reload PostgreSQL.
        """
    }
}
