import CLinux
public import EventLoop
import Glibc

/// A child process in its own process group, so that Ctrl-C at the terminal reaches only the parent.
public final class ChildProcess: Sendable {
    /// The interval at which a wait checks for the exit.
    static let pollInterval = Duration.milliseconds(10)

    let id: pid_t
    /// The status, once `wait` has told it, which it does only once. After that the id may belong to another process.
    private let ending = Lock<Int32?>(nil)

    private init(id: pid_t) { self.id = id }

    /// Standard output goes to `output`, or nowhere if that is nil; standard error goes to `errors`, or where standard
    /// output goes. Without an environment, the child gets PATH alone. PDEATHSIG watches the calling thread, so that
    /// thread must live as long as the child.
    public static func spawn(
        _ arguments: [String], environment: [String: String]? = nil, output: Int32? = nil, errors: Int32? = nil
    ) throws(LocalClusterError) -> ChildProcess {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, errors ?? 1, 2)
        // The child must not inherit blocked or ignored signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGQUIT, SIGHUP] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        var argumentPointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        // Messages of PostgreSQL are always in English.
        let variables = (environment ?? ["PATH": path]).merging(["LC_ALL": "C.UTF-8"]) { $1 }
        var variablePointers: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argumentPointers + variablePointers { free(pointer) } }
        var id = pid_t()
        let status = posix_spawnp(&id, arguments[0], &actions, &attributes, &argumentPointers, &variablePointers)
        guard status == 0 else {
            throw .cannotStart(arguments[0], reason: String(cString: strerror(status)))
        }
        return ChildProcess(id: id)
    }

    /// Has no effect on a process that has ended.
    public func send(_ signal: Int32) {
        // Until its status is known, a process that has ended keeps its id as a zombie.
        ending.withLock { if $0 == nil { _ = kill(id, signal) } }
    }

    /// The exit status in the format of `wait`, or nil if the process is running. It can be asked for again. Call it
    /// until it returns a status: before that, the process stays a zombie.
    func exitStatus() -> Int32? {
        ending.withLock { ending in
            var status: Int32 = 0
            if ending == nil, waitpid(id, &status, WNOHANG) != 0 { ending = status }
            return ending
        }
    }

    /// Waits for the exit; returns nil if the process is still running after `time`. Ignores cancellation.
    public func waitForExit(on loop: EventLoop, within time: Duration) async -> Int32? {
        let end = MonotonicTime.now() + time
        while true {
            if let status = exitStatus() { return status }
            guard .now() < end else { return nil }
            await loop.pause(Self.pollInterval)
        }
    }

    /// Whether the process ends without an error. One that takes longer is killed.
    func succeeds(on loop: EventLoop, within time: Duration) async -> Bool {
        if let status = await waitForExit(on: loop, within: time) { return status == 0 }
        send(SIGKILL)
        _ = await waitForExit(on: loop, within: time)
        return false
    }
}

extension EventLoop {
    /// Pauses, even in a cancelled task.
    func pause(_ duration: Duration) async {
        await withUnsafeContinuation { continuation in
            perform { _ = self.schedule(after: duration) { continuation.resume() } }
        }
    }
}
