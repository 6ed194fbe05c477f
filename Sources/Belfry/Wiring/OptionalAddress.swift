import ArgumentParser
import EventLoop

/// The address of a listener that a process has only if its port is set.
enum OptionalAddress {
    /// Nil without a port. `name` is the word in its flags: --management-host and --management-port.
    static func checked(_ name: String, host: String?, port: Int?) throws -> SocketAddress? {
        guard let port = try PortNumber.checked(port, from: 0) else {
            guard host == nil else {
                throw ValidationError(
                    "An address for \(name) is set without a port, so it would be ignored. Set --\(name)-port, too.")
            }
            return nil
        }
        guard let address = SocketAddress(ip: host ?? "127.0.0.1", port: port) else {
            throw ValidationError(
                "\"\(host ?? "")\" is not an IP address; --\(name)-host must be one, such as 127.0.0.1 or ::.")
        }
        return address
    }
}
