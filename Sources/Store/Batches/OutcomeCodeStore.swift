public import Campaigns
public import Postgres

/// The table of outcome codes: the meaning of each ledger byte.
public struct OutcomeCodeStore: Sendable {
    public struct Code: Hashable, Sendable {
        public let code: UInt8
        public let kind: OutcomeKind
        public let reason: String
    }

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func all() async throws -> [Code] {
        let rows = try await pool.query("SELECT code, kind, reason FROM outcome_codes ORDER BY code")
        return try rows.map { try Code($0) }
    }

    /// Returns the code of Apple's reason for an outcome of this kind, and adds one if it is new; nil when no code is free.
    public func add(_ reason: String, _ kind: OutcomeKind = .rejected) async throws -> Code? {
        // An attempt fails only when another reason took the code at the same time, so the number of attempts is
        // limited.
        for _ in 0..<OutcomeCode.limit {
            try await pool.execute(
                """
                INSERT INTO outcome_codes (code, kind, reason)
                SELECT max(code) + 1, \(kind.rawValue), \(reason) FROM outcome_codes
                WHERE code < \(Int16(OutcomeCode.firstReserved))
                HAVING max(code) + 1 < \(Int16(OutcomeCode.firstReserved))
                ON CONFLICT DO NOTHING
                """)
            let rows = try await pool.query(
                """
                SELECT code, kind, reason FROM outcome_codes
                WHERE kind = \(kind.rawValue) AND reason = \(reason) OR code = \(Int16(OutcomeCode.firstReserved) - 1)
                ORDER BY kind = \(kind.rawValue) AND reason = \(reason) DESC
                """)
            guard let row = rows.first else { continue }
            let code = try Code(row)
            return code.reason == reason && code.kind == kind ? code : nil
        }
        return nil
    }
}

extension OutcomeCodeStore.Code {
    fileprivate init(_ row: PostgresRow) throws {
        code = UInt8(try row[0, as: Int16.self])
        kind = try row[1]
        reason = try row[2]
    }
}
