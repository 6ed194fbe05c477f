import Glibc

extension LocalCluster {
    public struct Options: Sendable {
        public var maxConnections = 100
        /// Turn it off only for tests: a crash of the machine then loses the cluster; a crash of the server does not.
        public var fsync = true
        /// Must include the time of a crash recovery.
        public var startTimeout = Duration.seconds(60)
        /// The maximum size of the server's log in bytes; one earlier file of at least this size is kept.
        public var logLimit = 16_777_216
        /// Free space in bytes without which the server is not started: two segments of its write-ahead log.
        public var minimumSpace: UInt64 = 33_554_432
        /// The same for a new cluster: initdb writes 40 MB.
        public var minimumSpaceForNew: UInt64 = 134_217_728
        /// The directory with the server's programs; nil for the one that `ServerBinaries` finds.
        public var programs: String?
        /// Further settings, as in postgresql.conf.
        public var settings: [String: String] = [:]

        public init() {}

        func arguments(hasLZ4: Bool) -> [String] {
            var all = [
                "listen_addresses": "", "unix_socket_permissions": "0700", "max_connections": "\(maxConnections)",
                "shared_buffers": "\(Self.sharedBuffers)MB", "max_wal_size": "2GB", "jit": "off",
                // A statement that reads all partitions locks each of them, and its indexes. There is one more each
                // week.
                "max_locks_per_transaction": "256",
                "log_line_prefix": "%m [%p] ",
                // The details of an error quote rows, which contain device tokens.
                "log_error_verbosity": "terse",
            ]
            if hasLZ4 { all["wal_compression"] = "lz4" }
            if !fsync {
                all.merge(["fsync": "off", "full_page_writes": "off"]) { $1 }
            }
            all.merge(settings) { $1 }
            return all.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
        }

        /// One eighth of the machine's memory, from 32 to 512 MB, because Belfry shares the machine.
        private static var sharedBuffers: Int {
            let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) / 1_048_576
            return min(512, max(32, memory / 8))
        }
    }
}
