import CPostgres
public import EventLoop
import Glibc
public import Logging

extension PostgresConnection {
    /// Connects, with TLS according to `sslmode`. Throws `connectFailed`, `misuse` or `cancelled`.
    public static func connect(
        _ configuration: PostgresConfiguration, on loop: EventLoop, logger: Logger
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = PostgresConnection(configuration: configuration, loop: loop, logger: logger)
        try await connection.open()
        if configuration.configuresSessions { try await connection.configureSession() }
        return connection
    }

    private func open() async throws(PostgresError) {
        let parameters = try await configuration.resolved(on: loop)
        let started = parameters.withCStrings { PQconnectStartParams($0, $1, 0) }
        guard let started else { throw PostgresError(.connectFailed, "out of memory") }
        // Verbose messages contain the SQLSTATE, which libpq 15 does not expose otherwise here.
        PQsetErrorVerbosity(started, PQERRORS_VERBOSE)
        do throws(PostgresError) {
            try await finishConnecting(started)
        } catch {
            PQfinish(started)
            throw error
        }
        PQsetErrorVerbosity(started, PQERRORS_DEFAULT)
        guard PQsetnonblocking(started, 1) == 0, PQenterPipelineMode(started) == 1 else {
            let failure = failure(of: started)
            PQfinish(started)
            throw failure
        }
        notices.receive(from: started)
        // A duplicate descriptor: libpq closes its socket during a failed read, but a watch must be cancelled before
        // its descriptor is closed.
        let descriptor = fcntl(PQsocket(started), F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else {
            let reason = SystemError.lastReason
            PQfinish(started)
            throw PostgresError(
                .connectFailed, "cannot duplicate the socket: \(reason)", sqlState: PostgresError.cannotConnect)
        }
        let watch = loop.watch(descriptor) { [weak self] ready in self?.assumeIsolated { $0.ready(ready) } }
        watch.interest = .read
        handle = ConnectionHandle(started, watch, on: loop)
    }

    /// Sets `synchronous_commit` to `on` for the session if it is `off`. Other values, which concern standbys, remain
    /// as the operator set them, and so do the operator's time limits. Start-up options can't express these conditions,
    /// and poolers reject them. The keepalives are the server's counterpart of ours: it notices within a minute that
    /// this host is gone. Compiling a statement takes far longer than most of ours run, and a year of partitions makes
    /// PostgreSQL expect enough work to compile them.
    private func configureSession() async throws(PostgresError) {
        func limit(_ name: String, _ own: Duration?) -> PostgresQuery {
            let value = own.map { "\($0.components.seconds)s" }
            return "set_config(\(name), coalesce(nullif(current_setting(\(name)), '0'), \(value), '0'), false)"
        }
        do throws(PostgresError) {
            try await execute(
                """
                SELECT set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'),
                    false),
                    \(limit("idle_in_transaction_session_timeout", configuration.idleInTransactionTimeout)),
                    \(limit("lock_timeout", configuration.lockTimeout)),
                    \(limit("statement_timeout", configuration.statementTimeout)),
                    set_config('tcp_keepalives_idle', '30', false), set_config('tcp_keepalives_interval', '10', false),
                    set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '30000', false),
                    set_config('jit', 'off', false)
                """, deadline: configuration.connectTimeout)
        } catch {
            close()
            guard error.kind != .cancelled else { throw error }
            throw PostgresError(
                .connectFailed, error.message,
                sqlState: error.sqlState.isEmpty ? PostgresError.cannotConnect : error.sqlState)
        }
    }

    private func finishConnecting(_ started: OpaquePointer) async throws(PostgresError) {
        let end = MonotonicTime.now() + configuration.connectTimeout
        var status = PQstatus(started) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while status != PGRES_POLLING_OK {
            guard status != PGRES_POLLING_FAILED else { throw failure(of: started) }
            do throws(SystemError) {
                // The socket may change with each step, because libpq tries all addresses.
                try await loop.waitUntilReady(
                    PQsocket(started), for: status == PGRES_POLLING_READING ? .read : .write,
                    timeout: end - .now(), operation: "connect")
            } catch {
                guard error.code != ECANCELED else {
                    throw PostgresError(.cancelled, "cancelled while connecting")
                }
                throw PostgresError(
                    .connectFailed, "no response from \(configuration) within \(configuration.connectTimeout)",
                    sqlState: PostgresError.cannotConnect)
            }
            status = PQconnectPoll(started)
        }
    }

    private static func isState(_ text: Substring) -> Bool {
        text.utf8.count == 5 && text.utf8.contains { (48...57).contains($0) }
            && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
    }

    private func failure(of started: OpaquePointer) -> PostgresError {
        let message = String(cString: PQerrorMessage(started))
        let lines = message.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("LOCATION:") }
        // "…FATAL:  57P03: the database system is starting up"
        let parts = message.split(separator: ":").map { $0.drop { $0 == " " } }
        let state = parts.first(where: Self.isState)
        return PostgresError(
            .connectFailed, lines.joined(separator: "; "),
            sqlState: state.map(String.init) ?? PostgresError.cannotConnect)
    }
}

extension [String: String] {
    /// Lends keys and values as two lists of C strings that end in nil.
    fileprivate func withCStrings<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let keys = keys.map { strdup($0) }
        let values = values.map { strdup($0) }
        defer { for text in keys + values { free(text) } }
        return body(keys.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil])
    }
}
