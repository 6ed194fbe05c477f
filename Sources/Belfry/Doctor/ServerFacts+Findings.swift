import Store

extension ServerFacts {
    /// The sessions that a process may open: two pools, that of webhooks, LISTEN and the list of processes.
    private static let connectionsOfAProcess = 2 * Database.poolConnections + Database.webhookConnections + 2
    /// Statements that read all events at the same time: a pool's.
    private static let statements = Database.poolConnections
    /// A statement takes the table and two indexes of each partition.
    private static let locksPerPartition = 3

    func findings(space: FreeSpace?) -> [DoctorFinding] {
        [server, connections, locks, walCompressionFinding, spaceFinding(space)]
    }

    private var server: DoctorFinding {
        let number = version.prefix { $0 != " " }
        return .ok(
            .database, "server",
            "PostgreSQL \(number); \(role) has the rights that it needs in the database \(database)")
    }

    private var connections: DoctorFinding {
        let usable = maximumConnections - reservedConnections
        let left = usable - openConnections
        let message = "\(openConnections) of \(usable) are open"
        guard left < Self.connectionsOfAProcess else { return .ok(.database, "connections", message) }
        return .warning(
            .database, "connections", "\(message), and one more belfry serve uses up to \(Self.connectionsOfAProcess)",
            "Raise max_connections in postgresql.conf and restart PostgreSQL, or end sessions of others.")
    }

    private var locks: DoctorFinding {
        let needed = Self.statements * Self.locksPerPartition * partitions
        let message = "max_locks_per_transaction is \(locksPerTransaction), for \(partitions) partitions of events"
        guard needed > locksPerTransaction * maximumConnections else {
            return .ok(.database, "locks", message)
        }
        return .warning(
            .database, "locks", "\(message): statements that read all of them can fail with \"out of shared memory\"",
            "Set max_locks_per_transaction = 256 (or twice as many) in postgresql.conf and restart PostgreSQL."
        )
    }

    private var walCompressionFinding: DoctorFinding {
        walCompression == "off"
            ? .ok(.database, "WAL", "not compressed", hint: "wal_compression = lz4 saves disk writes.")
            : .ok(.database, "WAL", "compressed (\(walCompression))")
    }

    private func spaceFinding(_ space: FreeSpace?) -> DoctorFinding {
        let use = "the database has \(size.byteText)"
        guard let space, let dataDirectory else {
            return .ok(.database, "space", "\(use); only the server's machine tells how much is free")
        }
        return space.finding(.database, "space", of: dataDirectory, "; \(use)")
    }
}

extension ClockDifference {
    /// Seconds.
    static let tolerance = 5.0

    var finding: DoctorFinding {
        let text = abs(ahead).formattedSeconds
        guard abs(ahead) - uncertainty > Self.tolerance else {
            return .ok(.database, "clock", "within \(max(abs(ahead), uncertainty).formattedSeconds) of this machine's")
        }
        return .warning(
            .database, "clock", "\(text) \(ahead > 0 ? "ahead of" : "behind") this machine's",
            """
            Synchronise the clocks of both machines (NTP). The database's clock decides when pushes are sent, and \
            dates the tokens that Apple checks; this machine's checks certificates.
            """)
    }
}

extension Double {
    /// Such as "3 ms", "7.5 s" or "2 h".
    fileprivate var formattedSeconds: String {
        switch self {
        case ..<1: "\(Int((self * 1_000).rounded(.up))) ms"
        case ..<100: "\((self * 10).rounded() / 10) s"
        case ..<7_200: "\(Int((self / 60).rounded())) min"
        default: "\(Int((self / 3_600).rounded())) h"
        }
    }
}
