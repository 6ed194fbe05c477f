import EventLoop
import Logging
import Postgres
import ServiceLifecycle
import Store

/// Keeps this process in the list of processes, and says at the end that it ended. It has its own loop and its own session
/// of PostgreSQL: a process that is busy is not lost.
struct ProcessListing: Service, CustomStringConvertible {
    /// The time between two entries.
    static let interval = Duration.seconds(10)

    let process: ProcessIdentity
    private let owners: Lock<[ProcessID]>
    private let pool: PostgresPool
    private let logger: Logger
    private let began = MonotonicTime.now()

    var description: String { "list of processes" }

    init(_ process: ProcessIdentity, owners: Lock<[ProcessID]>, database: Database, logger: Logger) throws {
        self.process = process
        self.owners = owners
        self.logger = logger
        pool = database.pool("list", connections: 1, on: try EventLoop(name: "list"), logger: logger)
    }

    func run() async throws {
        await withTaskExecutorPreference(pool.loop) {
            let store = ProcessStore(pool: pool)
            await cancelWhenGracefulShutdown { await enter(store) }
            do {
                try await store.end(process)
            } catch {
                logger.debug("end of the process not listed", metadata: ["reason": "\(error)"])
            }
            await pool.close()
        }
        pool.loop.stop()
    }

    /// Until the task is cancelled.
    private func enter(_ store: ProcessStore) async {
        var outage = Outage()
        while !Task.isCancelled {
            do {
                try await store.enter(process, owners: owners.withLock(\.self), age: .now() - began)
                outage.succeeded("process listed again", in: logger)
            } catch {
                // The pool has logged it, if the database is away.
                guard !Task.isCancelled else { return }
                outage.failed("process not listed", because: error, in: logger)
            }
            do { try await pool.loop.sleep(for: Self.interval) } catch { return }
        }
    }
}
