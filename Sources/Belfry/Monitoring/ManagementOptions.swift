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
        let host = managementHost ?? reader.string(forKey: "belfry.management.host")
        let port = try PortNumber.checked(managementPort ?? reader.int(forKey: "belfry.management.port"), from: 0)
        guard let port else {
            guard host == nil else {
                throw ValidationError(
                    "An address for management is set without a port, so it would be ignored. Set --management-port, too."
                )
            }
            return nil
        }
        guard let address = SocketAddress(ip: host ?? "127.0.0.1", port: port) else {
            throw ValidationError(
                "\"\(host ?? "")\" is not an IP address; --management-host must be one, such as 127.0.0.1 or ::.")
        }
        return address
    }
}
