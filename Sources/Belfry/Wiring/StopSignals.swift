import Logging
import ServiceLifecycle
import UnixSignals

/// Ends `belfry serve` on SIGTERM or SIGINT. It is the last of the services, so it ends before the others are asked to.
///
/// After SIGTERM the server goes on for the drain time, says that it is not ready, and lets its connections go, so that
/// proxies send requests elsewhere before it stops. A second signal ends that time. SIGINT has none: it is a person at a
/// terminal.
struct StopSignals: Service, CustomStringConvertible {
    private let signals: UnixSignalsSequence
    private let drain: Duration
    private let logger: Logger
    private let begin: @Sendable () -> Void

    /// Until it is called, the signals end the process at once. `begin` announces the end to clients.
    init(drain: Duration, logger: Logger, begin: @escaping @Sendable () -> Void) async {
        signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        self.drain = drain
        self.logger = logger
        self.begin = begin
    }

    var description: String { "stop signals" }

    func run() async {
        await cancelWhenGracefulShutdown {
            let (begun, drainBegins) = AsyncStream.makeStream(of: Void.self)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await untilStop(drainBegins) }
                group.addTask {
                    for await _ in begun {
                        // Cancelled by a second signal.
                        do { try await Task.sleep(for: drain) } catch { return }
                        return
                    }
                }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Returns at the signal that leaves no time for draining.
    private func untilStop(_ drainBegins: AsyncStream<Void>.Continuation) async {
        var isDraining = false
        for await signal in signals {
            guard signal == .sigterm, drain > .zero, !isDraining else { return }
            isDraining = true
            logger.notice("not ready any more; serving until the drain time is over", metadata: ["drain": "\(drain)"])
            begin()
            drainBegins.yield()
        }
    }
}
