import ArgumentParser
import Configuration
import EventLoop

/// The address for operators as command-line options.
struct ManagementOptions: ParsableArguments {
    @Option(
        help: """
            Port for metrics, health checks and the status of all processes (/metrics, /healthz, /readyz, /status), \
            without a key; 0 for any free one, which is logged. [BELFRY_MANAGEMENT_PORT; default: none]
            """)
    var managementPort: Int?

    @Option(
        help: """
            Address for them. Anybody who reaches it sees the metrics, and the names of campaigns. [BELFRY_MANAGEMENT_HOST; default 127.0.0.1]
            """)
    var managementHost: String?

    /// Nil without a port.
    func address(_ reader: ConfigReader) throws -> SocketAddress? {
        try OptionalAddress.checked(
            "management", host: managementHost ?? reader.string(forKey: "belfry.management.host"),
            port: managementPort ?? reader.int(forKey: "belfry.management.port"))
    }
}
