import EventLoop
public import Logging

/// Everything that is logged, at every level.
public final class CapturedLog: Sendable {
    private let lines = Lock<[String]>([])

    public init() {}

    /// One line per call, with its metadata.
    public var text: String { lines.withLock { $0.joined(separator: "\n") } }

    public func makeLogger() -> Logger {
        Logger(label: "captured") { _ in Handler(log: self) }
    }

    private struct Handler: LogHandler {
        let log: CapturedLog
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
            log.lines.withLock { $0.append("\(event.level) \(event.message) \(all)") }
        }
    }
}
