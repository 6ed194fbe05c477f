import CLinux
import Glibc

/// Looks up host names. The C library's `getaddrinfo` blocks for as long as name servers stay silent, and can't be
/// cancelled, so it runs on threads of its own: callers stop waiting at a deadline, and the thread ends when
/// `getaddrinfo` returns. `LookUpQueue` limits the number of such threads.
///
/// Results are not cached: Apple asks for a new look-up before each connect.
///
/// Docs/decisions/apple.md explains why look-ups have threads of their own.
public final class NameResolver: Sendable {
    public typealias LookUp = @Sendable (_ host: String, _ port: UInt16) -> Result<[SocketAddress], ResolveError>

    /// The longest wait for the addresses of a name.
    public static let deadline = Duration.seconds(5)
    /// Threads of a process that may be inside `getaddrinfo`. Further look-ups wait for one of them.
    public static let maximumThreads = 16

    /// The resolver of the process.
    public static let system = NameResolver(maximumThreads: maximumThreads) { SocketAddress.lookUp($0, $1) }

    private let lookUp: LookUp
    private let queue: Lock<LookUpQueue<Job>>

    private struct Job: Sendable {
        let host: String
        let port: UInt16
        let completion: @Sendable (Result<[SocketAddress], ResolveError>) -> Void
    }

    /// `lookUp` may block. Tests replace it.
    public init(maximumThreads: Int, lookUp: @escaping LookUp) {
        self.lookUp = lookUp
        queue = Lock(LookUpQueue(maximumThreads: maximumThreads))
    }

    /// All addresses of a host, in the resolver's order. Throws when there is no answer within `deadline`, and when the
    /// task is cancelled.
    public func addresses(
        of host: String, port: UInt16, within deadline: Duration = NameResolver.deadline, on loop: EventLoop
    ) async throws(ResolveError) -> [SocketAddress] {
        if let address = SocketAddress(ip: host, port: port) { return [address] }
        let answer = Lock<Result<[SocketAddress], ResolveError>?>(nil)
        let ticket = Lock<LookUpQueue<Job>.Ticket?>(nil)
        do throws(SystemError) {
            try await loop.waitForCall(timeout: deadline, operation: "resolve \(host)") { done in
                let job = Job(host: host, port: port) { result in
                    answer.withLock { $0 = result }
                    done()
                }
                ticket.withLock { $0 = self.begin(job) }
            }
        } catch {
            let busy = ticket.withLock { $0 }.flatMap { ticket in queue.withLock { $0.abandon(ticket) } }
            throw ResolveError(host: host, reason: reason(error, after: deadline, busy: busy))
        }
        guard let result = answer.withLock({ $0 }) else { throw ResolveError(host: host, reason: "no result") }
        return try result.get()
    }

    /// `busy` is the number of other look-ups, if they had all threads.
    private func reason(_ error: SystemError, after deadline: Duration, busy: Int?) -> String {
        guard error.code == ETIMEDOUT else { return "the look-up was cancelled" }
        let problem =
            busy.map { "\($0) other look-ups have had no answer so far" }
            ?? "the name servers have not answered within \(deadline)"
        return "\(problem). Check the name servers in /etc/resolv.conf, and that this host can reach them."
    }

    // MARK: Threads

    private func begin(_ job: Job) -> LookUpQueue<Job>.Ticket {
        let (ticket, needsThread) = queue.withLock { $0.add(job) }
        if needsThread { startThread() }
        return ticket
    }

    private func startThread() {
        let start = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                belfry_name_thread("resolver")
                Unmanaged<NameResolver>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, start.toOpaque())
        guard status == 0 else {
            start.release()
            let error = SystemError(operation: "pthread_create", code: status)
            for job in queue.withLock({ $0.threadFailed() }) {
                job.completion(.failure(ResolveError(host: job.host, reason: error.description)))
            }
            return
        }
        pthread_detach(thread)
    }

    /// Looks up names until none is left.
    private func run() {
        while let job = queue.withLock({ $0.next() }) { job.completion(lookUp(job.host, job.port)) }
    }
}
