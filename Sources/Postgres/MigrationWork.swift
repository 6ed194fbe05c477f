import EventLoop

/// Carries out one migration after the other on a connection.
struct MigrationWork {
    let migrator: Migrator
    let extent: Migrator.Extent
    let isNew: Bool
    let connection: PostgresConnection

    /// The pause between two looks at an index that another process builds.
    private static let indexPause = Duration.seconds(1)
    /// Rows after which progress is told.
    private static let rowsPerReport = 1_000_000

    /// False if another process has applied it meanwhile.
    func apply(_ migration: Migration, onProgress: (String) -> Void) async throws -> Bool {
        do {
            switch migration.kind {
            case .expand, .contract: return try await run(migration, onProgress)
            case .steps: return try await repeatSteps(of: migration, onProgress)
            case .index(let name): return try await build(name, of: migration, onProgress)
            }
        } catch let error as PostgresError {
            throw MigrationError.failed(migration.number, migration.name, error)
        }
    }

    // MARK: In one transaction

    private func run(_ migration: Migration, _ onProgress: (String) -> Void) async throws -> Bool {
        try await withLocks(for: migration, onProgress) { connection in
            try await connection.queryScript(migration.sql)
            try await record(migration, on: connection)
        } != nil
    }

    /// Runs `body` in a transaction of this migration. Tries again while other transactions have the locks that it
    /// needs. Nil if the migration is not the next one any more.
    private func withLocks<Value: Sendable>(
        for migration: Migration, _ onProgress: (String) -> Void,
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value? {
        for attempt in 1...Migrator.maximumLockAttempts {
            do {
                return try await connection.transaction { connection -> Value? in
                    // Others can read the table meanwhile. This wait is for a process that does the same.
                    try await connection.execute("LOCK TABLE schema_migrations IN EXCLUSIVE MODE")
                    let recorded = try await migrator.recorded(on: connection)
                    guard try migrator.next(after: recorded, extent, isNew: isNew) == migration else { return nil }
                    let wait = "\(Migrator.lockWait.components.seconds)s"
                    _ = try await connection.query("SELECT set_config('lock_timeout', \(wait), true)")
                    return try await body(connection)
                }
            } catch let error as PostgresError where error.sqlState == Self.lockNotAvailable {
                onProgress(
                    "another transaction has a lock that migration \(migration.number) needs; attempt \(attempt)")
                try await connection.loop.sleep(for: Migrator.lockWait)
            }
        }
        throw MigrationError.locked(migration.number, migration.name, attempts: Migrator.maximumLockAttempts)
    }

    private static let lockNotAvailable = "55P03"

    private func record(_ migration: Migration, on connection: PostgresConnection) async throws {
        let oldest = migration.oldestProgram ?? 0
        try await connection.execute(
            """
            INSERT INTO schema_migrations (number, name, checksum, oldest_program)
            VALUES (\(migration.number), \(migration.name), \(migration.checksum), \(oldest))
            """)
    }

    // MARK: In steps

    private func repeatSteps(of migration: Migration, _ onProgress: (String) -> Void) async throws -> Bool {
        var (rows, reported) = (0, 0)
        while true {
            let began = MonotonicTime.now()
            let changed = try await withLocks(for: migration, onProgress) { connection in
                let changed = try await connection.execute(PostgresQuery(unescaped: migration.sql))
                if changed == 0 { try await record(migration, on: connection) }
                return changed
            }
            guard let changed else { return false }
            guard changed > 0 else { return true }
            rows += changed
            if rows - reported >= Self.rowsPerReport {
                onProgress("migration \(migration.number) has changed \(rows) rows")
                reported = rows
            }
            // As long as the step took: others get half of the time.
            try await connection.loop.sleep(for: .now() - began)
        }
    }

    // MARK: Index

    private enum IndexState: String {
        case missing, building, invalid, valid
    }

    /// Several processes may come here. PostgreSQL lets one build, and an index that was interrupted stays invalid.
    private func build(
        _ name: String, of migration: Migration, _ onProgress: (String) -> Void
    ) async throws -> Bool {
        while true {
            switch try await state(of: name) {
            case .missing:
                onProgress("building the index \(name)")
                try await buildUnlessAnotherDoes(migration)
            case .building:
                onProgress("another process builds the index \(name)")
                try await connection.loop.sleep(for: Self.indexPause)
            case .invalid:
                try await connection.queryScript("DROP INDEX CONCURRENTLY IF EXISTS \(name)")
            case .valid:
                return try await withLocks(for: migration, onProgress) { try await record(migration, on: $0) } != nil
            }
        }
    }

    /// Of two processes that begin at the same time, the later one gets an error: the index exists, or each waits for the
    /// other. The state of the index decides then.
    private func buildUnlessAnotherDoes(_ migration: Migration) async throws {
        do throws(PostgresError) {
            try await connection.queryScript(migration.sql)
        } catch {
            guard error.sqlState == Self.duplicateTable || error.sqlState == Self.deadlock else { throw error }
            try await connection.loop.sleep(for: Self.indexPause * Double.random(in: 0.5...1.5))
        }
    }

    private static let duplicateTable = "42P07"
    private static let deadlock = "40P01"

    private func state(of index: String) async throws -> IndexState {
        let rows = try await connection.query(
            """
            SELECT CASE WHEN i.indisvalid THEN 'valid'
                WHEN EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid) THEN 'building'
                ELSE 'invalid' END
            FROM pg_index i WHERE i.indexrelid = to_regclass(\(index))
            """)
        guard let row = rows.first else { return .missing }
        return IndexState(rawValue: try row[0]) ?? .invalid
    }
}
