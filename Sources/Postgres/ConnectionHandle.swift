import CPostgres
import EventLoop
import Glibc

/// libpq's connection and the watch on it, which end together and on the loop.
///
/// A class, and not a deinit of the actor: an actor's isolated deinit in this module keeps release
/// builds of its importers from compiling (Swift 6.3.1, "circular reference").
final class ConnectionHandle {
    /// `@unchecked Sendable`: it is used on the loop only; what lets go of it may be elsewhere.
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

    /// The watch's descriptor is closed with it.
    init(_ connection: OpaquePointer, _ watch: Watch, on loop: EventLoop) {
        self.loop = loop
        resources = Resources(connection: connection, watch: watch)
    }

    deinit {
        guard isOpen else { return }
        loop.perform { [resources] in resources.release() }
    }

    /// On the loop. Tells the server that this was all.
    func close() {
        guard isOpen else { return }
        isOpen = false
        resources.release()
    }
}
