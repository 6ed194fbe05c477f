import Store

extension TableHealth {
    /// Fewer dead rows are no trouble, whatever their share.
    static let fewRows: Int64 = 100_000
    /// Autovacuum begins at a fifth.
    static let deadShare = 0.4
    /// PostgreSQL freezes by itself at `freezeAge`. Far beyond it, it does not get on.
    static let lateFreeze = 2.0
    /// PostgreSQL refuses writes at two thousand million.
    static let dangerousAge: Int64 = 1_500_000_000

    func findings(isAutovacuumOn: Bool) -> [DoctorFinding] { [vacuum(isAutovacuumOn), transactionIDs] }

    private func vacuum(_ isOn: Bool) -> DoctorFinding {
        guard isOn else {
            return .warning(
                .database, "vacuum", "autovacuum is off, so tables grow without end",
                "Set autovacuum = on in postgresql.conf and reload PostgreSQL.")
        }
        let bloated = tables.filter { $0.deadRows >= Self.fewRows && $0.deadShare > Self.deadShare }
        guard let first = bloated.first else {
            let largest = tables.filter { $0.deadRows >= Self.fewRows }.map(\.deadShare).max() ?? 0
            return .ok(
                .database, "vacuum",
                largest == 0
                    ? "autovacuum is on; no table has \(Int(Self.fewRows).grouped) dead rows"
                    : "autovacuum is on; at most \(Int(largest * 100)) % of a table's rows are dead")
        }
        return .warning(
            .database, "vacuum", bloated.map(\.text).joined(separator: "; "),
            """
            Run VACUUM (ANALYZE) \(first.name), and look for what keeps autovacuum from it: a transaction that stays \
            open (pg_stat_activity), a replication slot that nobody reads, or too few workers.
            """)
    }

    private var transactionIDs: DoctorFinding {
        let share = Int(Double(oldestAge) / Double(freezeAge) * 100)
        let message = "\(share) % of the age at which PostgreSQL freezes a table (\(oldestTable))"
        guard Double(oldestAge) > Double(freezeAge) * Self.lateFreeze else {
            return .ok(.database, "transaction IDs", message)
        }
        let remedy = "Run VACUUM (FREEZE) \(oldestTable). At 2,000,000,000 transactions PostgreSQL accepts no writes."
        let late = "\(message), and it does not get on: \(Int(oldestAge).grouped) transactions"
        return oldestAge > Self.dangerousAge
            ? .error(.database, "transaction IDs", late, remedy)
            : .warning(.database, "transaction IDs", late, remedy)
    }
}

extension TableHealth.Table {
    fileprivate var deadShare: Double { Double(deadRows) / Double(max(1, liveRows + deadRows)) }

    fileprivate var text: String {
        let vacuumed = secondsSinceVacuum.map { "last vacuumed \(Int($0 / 3_600)) h ago" } ?? "never vacuumed"
        return "\(name): \(Int(deadShare * 100)) % of its rows are dead (\(Int(deadRows).grouped)), \(vacuumed)"
    }
}
