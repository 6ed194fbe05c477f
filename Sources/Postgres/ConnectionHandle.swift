import CPostgres
import EventLoop
import Glibc

/// Owns libpq's connection and its watch, and releases both together on the loop.
///
/// This is a class because an isolated deinit of an actor in this module prevents release builds of modules that import
/// it (Swift 6.3.1, "circular reference").
final class ConnectionHandle {
    /// `@unchecked Sendable`: it is used on the loop only, but the last reference may be released on another thread.
    private struct Resources: @unchecked Sendable {
        let connection: OpaquePointer
        let watch: Watch

        func release() {
            watch.cancel()
            Glibc.close(watch.descriptor)
            PQfinish(connection)
        }
    }

    private let loop: EventLoop
    private let resources: Resources
    private var isOpen = true

    var connection: OpaquePointer { resources.connection }
    var watch: Watch { resources.watch }

    /// Takes ownership of the connection, the watch and its descriptor.
    init(_ connection: OpaquePointer, _ watch: Watch, on loop: EventLoop) {
        self.loop = loop
        resources = Resources(connection: connection, watch: watch)
    }

    deinit {
        guard isOpen else { return }
        loop.perform { [resources] in resources.release() }
    }

    /// Closes the connection with a Terminate message. Call it on the loop.
    func close() {
        guard isOpen else { return }
        isOpen = false
        resources.release()
    }
}
