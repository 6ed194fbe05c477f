import CPostgres
import Logging

/// Logs the server's notices, which libpq would print to standard error.
final class NoticeLog: Sendable {
    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
    }

    /// The log must outlive the connection.
    func receive(from connection: OpaquePointer) {
        PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context, let result else { return }
                Unmanaged<NoticeLog>.fromOpaque(context).takeUnretainedValue().write(result)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func write(_ result: OpaquePointer) {
        let notice = PostgresError(result: result, sql: nil)
        logger.log(
            level: notice.severity == "WARNING" ? .warning : .debug, "PostgreSQL notice",
            metadata: ["notice": "\(notice.message)", "sqlState": "\(notice.sqlState)"])
    }
}
