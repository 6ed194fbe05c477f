import ArgumentParser
import EventLoop

enum PortNumber {
    /// `least` is 0 where that means any free port.
    static func checked(_ number: Int?, from least: UInt16 = 1) throws -> UInt16? {
        guard let number else { return nil }
        guard let port = UInt16(exactly: number), port >= least else {
            throw ValidationError(
                "\(number) is not a port; it must be from \(least) to 65535\(least == 0 ? ", and 0 is any free one" : "")."
            )
        }
        return port
    }
}

extension Settings {
    /// Takes a free port in place of 0. Links are printed and media get addresses before the server listens, so they
    /// need its number.
    ///
    /// The server listens only when the database is ready, which takes seconds, and other programs take ports meanwhile.
    /// So the port stays reserved until the process ends.
    mutating func choosePort() throws {
        guard port == 0, let address = SocketAddress(ip: host, port: 0) else { return }
        do {
            port = try Socket.reserve(address).localAddress().port ?? port
        } catch {
            throw CommandFailure("Can't listen on \(host): \(error).")
        }
    }
}
