import EventLoop
import Glibc
import HTTPServer
import Logging

/// Belfry's HTTP server with nothing behind it, for `Scripts/checks/smuggling`. It prints its port, and then a line for
/// each request that it saw, until it is killed.
@main
enum EchoServer {
    static func main() async throws {
        guard let address = SocketAddress(ip: "127.0.0.1", port: 0) else { return }
        let loops = try EventLoopGroup(count: 1, name: "echo")
        let router = Echo.router { printLine($0) }
        let logger = Logger(label: "echo") { _ in SwiftLogNoOpLogHandler() }
        let server = try HTTPServer(
            configuration: ServerConfiguration(address: address), router: router, loops: loops, logger: logger)
        printLine("port \(server.address.port ?? 0)")
        try await server.run()
    }

    /// Without a buffer, so that a reader of the output sees a request before its answer.
    private static func printLine(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }
}
