public import Crypto
public import Postgres

/// All sealed secrets of the database, whatever they are for: which keys sealed them, and sealing them again.
public struct SealedRecordStore: Sendable {
    /// Secrets that are sealed again by one statement.
    static let batchSize = 100
    /// Secrets without a header that may begin like one and are examined when a process starts.
    static let sampleSize = 1_000

    private let pool: PostgresPool
    private let sealingKeys: SealingKeyRing

    public init(pool: PostgresPool, sealingKeys: SealingKeyRing) {
        self.pool = pool
        self.sealingKeys = sealingKeys
    }

    /// The number of a table's secrets under a key; without a key those of unknown keys, and those sealed before keys
    /// had IDs.
    public struct Count: Equatable, Sendable {
        public let table: String
        public let key: SealingKeyID?
        public let secrets: Int
    }

    public func counts() async throws -> [Count] {
        var counts: [Count] = []
        for table in SealedTable.all {
            for row in try await pool.query(table.counts(by: sealingKeys.all.map(\.header))) {
                let header: [UInt8]? = try row[0]
                let key = sealingKeys.all.first { $0.header == header }
                counts.append(Count(table: table.name, key: key?.id, secrets: try row[1]))
            }
        }
        return counts
    }

    /// A key that a secret names and this process lacks.
    func missingKey() async throws -> SealingKeyID? {
        let headers = sealingKeys.all.map(\.header)
        for table in SealedTable.all {
            let query = table.secrets(startingWith: headers[0][0], without: headers, limit: Self.sampleSize)
            for secret in try await read(query) {
                if case .failure(.sealingKeyMissing(let id)) = opened(secret, of: table) { return id }
            }
        }
        return nil
    }

    /// The result of a rotation.
    public struct Rotation: Sendable {
        /// Secrets that were not opened, and so remain as they are: their keys are missing, or they are damaged.
        public internal(set) var unopened = 0
        /// The keys that secrets name and this process lacks.
        public internal(set) var missingKeys: Set<SealingKeyID> = []
        /// Secrets under other keys at the end, the unopened ones among them.
        public internal(set) var remaining = 0
    }

    /// Seals every secret with the current key that another key has sealed, while other processes read and write them.
    /// It can be interrupted and repeated. `progress` is called with the number of a table's secrets that were sealed
    /// again so far, at least once per table.
    public func rotate(_ progress: (_ table: String, _ count: Int) -> Void) async throws -> Rotation {
        var rotation = Rotation()
        for table in SealedTable.all {
            var last: [String]?
            var count = 0
            repeat {
                let secrets = try await read(
                    table.secrets(after: last, without: sealingKeys.current.header, limit: Self.batchSize))
                last = secrets.count == Self.batchSize ? secrets.last?.keys : nil
                count += try await seal(secrets, of: table, &rotation)
                progress(table.name, count)
            } while last != nil
        }
        rotation.remaining = try await counts().filter { $0.key != sealingKeys.current.id }.map(\.secrets).reduce(0, +)
        // Last, so that a process without a former key starts only when nothing needs that key any more.
        if rotation.remaining == 0 { try await InstanceStore(pool: pool).sealCheck(sealingKeys) }
        return rotation
    }

    /// Returns how many were sealed again.
    private func seal(
        _ secrets: [SealedTable.Secret], of table: SealedTable, _ rotation: inout Rotation
    ) async throws -> Int {
        var old: [SealedTable.Secret] = []
        var new: [[UInt8]] = []
        for secret in secrets {
            switch opened(secret, of: table) {
            case .success(let text):
                old.append(secret)
                new.append(try sealingKeys.seal(text, at: table.context(of: secret)))
            case .failure(let error):
                rotation.unopened += 1
                if case .sealingKeyMissing(let id) = error { rotation.missingKeys.insert(id) }
            }
        }
        return old.isEmpty ? 0 : try await pool.execute(table.replacement(of: old, with: new))
    }

    private func read(_ query: PostgresQuery) async throws -> [SealedTable.Secret] {
        try await pool.query(query).map { SealedTable.Secret(keys: try $0[0], sealed: try $0[1]) }
    }

    private func opened(_ secret: SealedTable.Secret, of table: SealedTable) -> Result<[UInt8], CryptoError> {
        Result { () throws(CryptoError) in try sealingKeys.open(secret.sealed, at: table.context(of: secret)) }
    }
}

extension SealedTable {
    func context(of secret: Secret) -> SealingContext {
        SealingContext(([name] + secret.keys).joined(separator: "/"))
    }
}
