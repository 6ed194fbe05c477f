import CLinux
import EventLoop
import Glibc

/// A process that this one started, in a process group of its own: Ctrl-C at the terminal is for
/// the parent, who then decides.
struct ChildProcess {
    /// How often a wait looks.
    static let pollInterval = Duration.milliseconds(10)

    let id: pid_t

    /// Both outputs are appended to the file. The thread that calls this is the parent that
    /// PDEATHSIG watches: it must live as long as the child is to.
    static func spawn(_ arguments: [String], output: String) throws(LocalClusterError) -> ChildProcess {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Neither a blocked nor an ignored signal is to be inherited.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGQUIT, SIGHUP] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        // The server's messages are read by this program's people: in one language.
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=\(path)"), strdup("LC_ALL=C.UTF-8"), nil]
        defer { for text in words + environment { free(text) } }
        var id = pid_t()
        let status = posix_spawnp(&id, arguments[0], &actions, &attributes, &words, &environment)
        guard status == 0 else {
            throw .cannotStart(arguments[0], reason: String(cString: strerror(status)))
        }
        return ChildProcess(id: id)
    }

    func send(_ signal: Int32) {
        // A process that has ended needs no signal; it stays a zombie, so the id is still its own.
        _ = kill(id, signal)
    }

    /// The exit status as `wait` gives it, or nil when it runs on. To be asked until it is given.
    func exitStatus() -> Int32? {
        var status: Int32 = 0
        return waitpid(id, &status, WNOHANG) == 0 ? nil : status
    }

    /// Nil when it still runs after the time. Not stopped by cancellation: what was started is waited for.
    func waitForExit(on loop: EventLoop, within time: Duration) async -> Int32? {
        let end = MonotonicTime.now() + time
        while true {
            if let status = exitStatus() { return status }
            guard .now() < end else { return nil }
            await loop.pause(Self.pollInterval)
        }
    }
}

extension EventLoop {
    /// A pause that a cancelled task makes too.
    func pause(_ duration: Duration) async {
        await withUnsafeContinuation { continuation in
            perform { _ = self.schedule(after: duration) { continuation.resume() } }
        }
    }
}
