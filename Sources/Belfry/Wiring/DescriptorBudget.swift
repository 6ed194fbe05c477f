import EventLoop

/// The division of this process's file descriptors.
struct DescriptorBudget {
    /// For PostgreSQL, APNs, files that are being read or uploaded, and connections that are refused with an answer.
    static let reserve = 256
    /// A server with fewer connections is not useful.
    static let minimumConnections = 64

    let descriptors: Int

    /// Raises this process's limit as far as it may. Throws `CommandFailure` if that is not enough for its own files.
    static func raise() throws -> DescriptorBudget {
        let budget = DescriptorBudget(descriptors: try DescriptorLimit.raise())
        guard budget.descriptors >= reserve else { throw budget.failure(needed: reserve) }
        return budget
    }

    /// The maximum number of client connections: `wanted`, or what the descriptors allow.
    func connections(wanted: Int? = nil) throws(CommandFailure) -> Int {
        let needed = (wanted ?? Self.minimumConnections) + Self.reserve
        guard descriptors >= needed else { throw failure(needed: needed) }
        return wanted ?? descriptors - Self.reserve
    }

    private func failure(needed: Int) -> CommandFailure {
        CommandFailure(
            """
            This process may open \(descriptors) files and sockets, but needs \(needed). Raise the hard limit \
            (ulimit -Hn, or LimitNOFILE of a systemd unit), or lower --max-connections.
            """)
    }
}
