import EventLoop
import HTTPServer
import Logging
import Metrics
import ServiceLifecycle
import UnixSignals

/// Gives the web servers a new certificate when the files change, or on SIGHUP. With files that can't be used, they keep
/// the certificate that they have.
struct CertificateReloader: Service, CustomStringConvertible {
    /// The time between two comparisons of the files with the last reading.
    static let interval = Duration.seconds(2)

    let files: CertificateFiles
    /// The version that the servers started with.
    let first: CertificateFiles.Version
    let servers: [HTTPServer]
    let loop: EventLoop
    let metrics: any MetricsFactory
    let logger: Logger

    var description: String { "certificate reloader" }

    func run() async throws {
        let used = Lock(first)
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown {
            await withTaskExecutorPreference(loop) {
                await withTaskGroup { group in
                    group.addTask {
                        for await _ in signals { reload(used, isForced: true) }
                    }
                    while !Task.isCancelled {
                        do { try await loop.sleep(for: Self.interval) } catch { break }
                        reload(used, isForced: false)
                    }
                    group.cancelAll()
                }
            }
        }
    }

    private func reload(_ used: Lock<CertificateFiles.Version>, isForced: Bool) {
        // Before the files are read, so that a change during the reading is noticed the next time.
        let version = files.version
        let isNew = used.withLock { used in
            defer { used = version }
            return used != version
        }
        guard isNew || isForced else { return }
        do {
            let context = try files.load()
            for server in servers { server.use(context) }
            logger.notice("TLS certificate replaced", metadata: ["file": "\(files.certificate)"])
            files.reportExpiry(of: context, to: metrics, logger)
        } catch {
            logger.error("TLS certificate not replaced", metadata: ["reason": "\(error)"])
        }
    }
}
