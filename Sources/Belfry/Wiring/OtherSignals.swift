import Logging
import ServiceLifecycle
import UnixSignals

/// Signals that would end the process without its shutdown: SIGHUP, which a closed terminal or `systemctl reload`
/// sends, SIGUSR1 and SIGUSR2. They are logged. Certificates and the access log are read again by themselves, and other
/// settings need a restart. SIGPIPE is ignored by every event loop.
struct OtherSignals: Service, CustomStringConvertible {
    private let signals: UnixSignalsSequence
    private let logger: Logger

    /// Call it first in a command: until then they end the process.
    init(logger: Logger) async {
        signals = await UnixSignalsSequence(trapping: .sighup, .sigusr1, .sigusr2)
        self.logger = logger
    }

    var description: String { "signals" }

    func run() async {
        await cancelWhenGracefulShutdown {
            for await signal in signals {
                logger.notice(
                    "signal changes nothing", metadata: ["signal": "\(signal)"])
            }
        }
    }
}
